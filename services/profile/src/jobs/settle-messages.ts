import { always, type MayGoOn } from '@covalence/events/periodic';
import type { Context } from '../context.ts';
import { settleMessage } from '../messages/settle-message.ts';

const graceMs = 5_000;
const batch = 200;

/**
 * Settles messages whose sending ended between storing them and telling pair and threads. One that fails keeps none of the
 * others back; the next round tries it again.
 */
export async function settleMessages(context: Context, mayGoOn: MayGoOn = always): Promise<void> {
  const before = new Date(context.clock().getTime() - graceMs);
  for (const message of await context.messages.unsettled(before, batch)) {
    if (!(await mayGoOn())) return;
    await settleMessage(context, message).catch((error: unknown) =>
      context.logger.warn({ err: error }, 'a message is left to the next round'),
    );
  }
}
