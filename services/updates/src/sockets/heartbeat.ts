import type { Context } from '../context.ts';
import { inSlices } from '../in-slices.ts';
import { barReasons } from './connection.ts';

/** Whatever their token, sockets of members who are refused now are closed. */
const anyTime = Number.MAX_SAFE_INTEGER;

/**
 * One heartbeat over all sockets of this process: pings, presence for their members (D27), and a second look for members
 * who were deactivated or suspended while nobody could tell. Never throws: the next beat tries again.
 */
export async function beat({ registry, memberStates, logger }: Context): Promise<void> {
  await inSlices([...registry.connections], (connection) => connection.beat());
  const members = registry.members();
  if (!members.length) return;
  try {
    await memberStates.markPresent(members);
    const admissions = await memberStates.admissionsOf(
      members.map((member) => ({ member, issued: anyTime })),
    );
    for (const [index, member] of members.entries()) {
      const admission = admissions[index] ?? 'good';
      if (admission === 'good') continue;
      for (const connection of registry.of(member)) connection.close(barReasons[admission]);
    }
  } catch (error) {
    logger.warn({ err: error }, 'presence not refreshed');
  }
}
