import { chunks } from '@covalence/runtime/chunks';
import type { Context } from '../context.ts';
import { inSlices } from '../live/in-slices.ts';
import { lockoutCloseReasons, type Connection } from './connection.ts';
import type { SocketToken } from './registry.ts';

/** Tokens that are asked about together: some milliseconds of work, so that frames need not wait for all of them. */
const askedAtOnce = 100;

async function closeLockedOut(
  claimed: readonly (readonly [Connection, SocketToken])[],
  memberStates: Context['memberStates'],
): Promise<void> {
  const admissions = await memberStates.admissionsOf(claimed.map(([, known]) => known));
  for (const [index, [connection]] of claimed.entries()) {
    const admission = admissions[index] ?? 'good';
    if (admission !== 'good') connection.close(lockoutCloseReasons[admission]);
  }
}

/**
 * One heartbeat over all sockets of this process: pings, presence for their members, and a second look for tokens
 * that were ended, and members who were deactivated, while nobody could tell. Never throws: the next beat tries again.
 */
export async function beat({ registry, memberStates, channels, logger }: Context): Promise<void> {
  channels.check();
  await inSlices([...registry.connections()], (connection) => connection.beat());
  const claimed = registry.claimed();
  if (!claimed.length) return;
  try {
    await memberStates.markPresent(registry.members());
    for (const some of chunks(claimed, askedAtOnce)) await closeLockedOut(some, memberStates);
  } catch (error) {
    logger.warn({ err: error }, 'presence not refreshed');
  }
}

/** Closes the sockets whose time has come: those without a token and those with an old one. */
export function closeDue({ registry, clock }: Pick<Context, 'registry' | 'clock'>): void {
  const now = clock().getTime();
  for (const connection of registry.connections()) connection.closeIfDue(now);
}
