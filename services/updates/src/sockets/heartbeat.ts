import { chunks } from '@covalence/runtime/chunks';
import { settle } from '@covalence/runtime/settle';
import { inSlices } from '../live/in-slices.ts';
import { lockoutCloseReasons } from './connection.ts';
import type { SocketsContext } from './sockets.ts';

/** Tokens checked together: a few milliseconds, so that frames do not wait for all. */
const checkedAtOnce = 100;

/** Closes the sockets whose token has ended or whose member is deactivated. Throws at the end if some could not be checked. */
async function closeLockedOut({ registry, memberStates }: SocketsContext['sockets']): Promise<void> {
  const failures: unknown[] = [];
  for (const claimed of chunks(registry.claimed(), checkedAtOnce)) {
    const admissions = await Promise.allSettled(memberStates.admissionsOf(claimed.map(([, token]) => token)));
    for (const [index, [connection]] of claimed.entries()) {
      const checked = admissions[index];
      if (checked?.status === 'rejected') failures.push(checked.reason);
      else if (checked && checked.value !== 'good') connection.close(lockoutCloseReasons[checked.value]);
    }
  }
  if (failures.length) throw failures[0];
}

/**
 * One heartbeat of all sockets of this process: pings, presence of their members, and a check for tokens that ended and members
 * who were deactivated without an event. Never throws: the next heartbeat retries.
 */
export async function beat({ sockets, live }: SocketsContext): Promise<void> {
  const { registry, memberStates } = sockets;
  live.channels.check();
  await inSlices([...registry.connections()], (connection) => connection.beat());
  const members = registry.members();
  if (!members.length) return;
  try {
    await settle([memberStates.markPresent(members), closeLockedOut(sockets)]);
  } catch (error) {
    live.logger.warn({ err: error }, 'presence or admission unknown, retrying with the next heartbeat');
  }
}

/** Closes sockets without a token in time and those whose token has expired. */
export function closeDue({ sockets, live }: SocketsContext): void {
  const now = live.clock().getTime();
  for (const connection of sockets.registry.connections()) connection.closeIfDue(now);
}
