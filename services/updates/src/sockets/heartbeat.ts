import { chunks } from '@covalence/runtime/chunks';
import type { Context } from '../context.ts';
import { inSlices } from '../live/in-slices.ts';
import { lockoutCloseReasons, type Connection } from './connection.ts';
import type { SocketToken } from './registry.ts';

/** Tokens checked together: a few milliseconds, so that frames do not wait for all. */
const checkedAtOnce = 100;

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
 * One heartbeat of all sockets of this process: pings, presence of their members, and a check for tokens that ended and members
 * who were deactivated without an event. Never throws: the next heartbeat retries.
 */
export async function beat({ registry, memberStates, channels, logger }: Context): Promise<void> {
  channels.check();
  await inSlices([...registry.connections()], (connection) => connection.beat());
  const claimed = registry.claimed();
  if (!claimed.length) return;
  try {
    await memberStates.markPresent(registry.members());
    for (const some of chunks(claimed, checkedAtOnce)) await closeLockedOut(some, memberStates);
  } catch (error) {
    logger.warn({ err: error }, 'presence not refreshed, retrying with the next heartbeat');
  }
}

/** Closes sockets without a token in time and those whose token has expired. */
export function closeDue({ registry, clock }: Pick<Context, 'registry' | 'clock'>): void {
  const now = clock().getTime();
  for (const connection of registry.connections()) connection.closeIfDue(now);
}
