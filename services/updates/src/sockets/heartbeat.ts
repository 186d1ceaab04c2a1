import type { Context } from '../context.ts';

/**
 * One heartbeat over all sockets of this process: pings, presence for their members (D27), and a second look for members
 * who were deactivated while nobody could tell. Never throws: the next beat tries again.
 */
export async function beat({ registry, memberStates, logger }: Context): Promise<void> {
  for (const connection of registry.connections) connection.beat();
  const members = registry.members();
  if (!members.length) return;
  try {
    await memberStates.markPresent(members);
    for (const member of await memberStates.deactivatedAmong(members)) {
      for (const connection of registry.of(member)) connection.close('deactivated');
    }
  } catch (error) {
    logger.warn({ err: error }, 'presence not refreshed');
  }
}
