import type { Event } from '@covalence/contract/events';
import type { Context } from '../context.ts';

/** Closes the member's sockets on every process: 4403 when deactivated, 4401 when suspended or deleted. */
export async function onMemberLockedOut(
  { member, type, at }: Event,
  { channels }: Pick<Context, 'channels'>,
): Promise<void> {
  const reason = type === 'member.deactivated' ? 'deactivated' : 'ended';
  await channels.publishLockout(member, reason, new Date(at));
}
