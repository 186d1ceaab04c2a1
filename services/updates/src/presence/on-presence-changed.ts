import type { Event } from '@covalence/contract/events';
import type { Context } from '../context.ts';

/** Has the member's presence checked again, so that connections see what they may see now. */
export async function onPresenceChanged(
  { member }: Event,
  { presence }: Pick<Context, 'presence'>,
): Promise<void> {
  await presence.recheck([member]);
}
