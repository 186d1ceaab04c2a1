import type { Context } from '../context.ts';
import { settleMessage } from '../messages/settle-message.ts';

const graceMs = 5_000;
const batch = 200;

/** Settles messages whose sending ended between storing them and telling pair and threads. */
export async function settleMessages(context: Context): Promise<void> {
  const before = new Date(context.clock().getTime() - graceMs);
  for (const message of await context.messages.unsettled(before, batch)) {
    await settleMessage(context, message);
  }
}
