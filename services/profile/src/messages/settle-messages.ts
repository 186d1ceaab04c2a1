import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { Message } from './message-store.ts';
import type { MessagesContext } from './messages.ts';

/** Records a stored message in the pair and in both threads. Safe to repeat. */
export async function settleMessage(context: MessagesContext, message: Message): Promise<void> {
  const { store, threads } = context.messages;
  const { from, to, id } = message;
  await Promise.all([
    context.pairs.store.act(from, to, 'message'),
    threads.touch(from, to, id),
    threads.touch(to, from, id),
  ]);
  await store.settled(message);
}

/** Milliseconds after which a message that is not settled counts as left by a crash. */
const graceMs = 5_000;
const batch = 200;

/** Job: settles messages whose process ended before it updated the pair and threads. Resolves with how many failed. */
export async function settleMessages(context: MessagesContext, mayGoOn: MayGoOn = always): Promise<number> {
  const { messages, clock, logger } = context;
  const unsettled = await messages.store.unsettled(new Date(clock().getTime() - graceMs), batch);
  return eachPart(unsettled, (message) => settleMessage(context, message), {
    mayGoOn,
    logger,
    left: 'message not settled; the next round retries',
  });
}
