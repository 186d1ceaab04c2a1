import type { Event } from '@covalence/contract/events';
import type { Context } from '../context.ts';

/** Closes the member's sockets on every process with 4403 (D41). */
export async function onMemberDeactivated(
  event: Event,
  { channels }: Pick<Context, 'channels'>,
): Promise<void> {
  await channels.publishDeactivated(event.member);
}
