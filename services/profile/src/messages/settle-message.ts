import type { Context } from '../context.ts';
import type { Message } from './message-store.ts';

/**
 * Lets the pair and both threads know of a stored message; safe to repeat. Whatever a crash keeps from it, the job of
 * the same name does.
 */
export async function settleMessage(
  { messages, pairs, threads }: Pick<Context, 'messages' | 'pairs' | 'threads'>,
  message: Message,
): Promise<void> {
  const { from, to, id } = message;
  await Promise.all([
    pairs.act(from, to, 'message'),
    threads.touch(from, to, id),
    threads.touch(to, from, id),
  ]);
  await messages.settled(message);
}
