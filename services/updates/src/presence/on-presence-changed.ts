import type { Event } from '@covalence/contract/events';
import type { Context } from '../context.ts';

/** Has the member looked at anew, by whichever process looks: connections are told what they may see now. */
export async function onPresenceChanged(
  { member }: Event,
  { presence }: Pick<Context, 'presence'>,
): Promise<void> {
  await presence.recheck([member]);
}
