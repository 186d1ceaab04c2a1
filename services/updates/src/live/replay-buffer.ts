import type { Logger } from '@covalence/runtime/logger';
import { onFailover, type RedisClient } from '@covalence/runtime/redis';

/** Redis writes to disk and to replicas within a second. A server that is cut off is noticed 10 seconds later. */
const lossMs = 15_000;
/** The maximum number of buffered messages. */
const maxBuffered = 20_000;

/**
 * Creates a buffer of the messages of the last seconds, which Redis may lose when it restarts or fails over. It writes them again
 * after each reconnect; `write` must be idempotent.
 */
export function createReplayBuffer<Message, Outcome>(
  connection: RedisClient,
  write: (message: Message) => Promise<Outcome>,
  logger: Logger,
) {
  let recent: { readonly message: Message; readonly at: number }[] = [];
  let unconfirmed: Message[] = [];
  let replaying: Promise<void> | undefined;
  /** Whether another attempt follows the one in progress. */
  let isDue = false;

  const prune = () => {
    const oldest = performance.now() - lossMs;
    const from = recent.findIndex(({ at }) => at >= oldest);
    recent = from < 0 ? [] : recent.slice(Math.max(from, recent.length - maxBuffered));
  };

  const replay = async (): Promise<void> => {
    const messages = unconfirmed;
    // Pipelined over one connection, which keeps their order.
    const outcomes = await Promise.allSettled(messages.map(write));
    const failed = messages.filter((_, index) => outcomes[index]?.status === 'rejected');
    unconfirmed = [...failed, ...unconfirmed.slice(messages.length)];
    if (failed.length)
      logger.warn({ messages: failed.length }, 'messages not replayed, retrying with the next connection');
    const replayed = messages.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    for (const message of replayed) remember(message);
    if (replayed.length)
      logger.info({ messages: replayed.length }, 'messages replayed after redis came back');
  };

  /** Messages until the next pruning. */
  let untilPrune = 0;
  const remember = (message: Message) => {
    recent.push({ message, at: performance.now() });
    untilPrune -= 1;
    if (untilPrune > 0) return;
    prune();
    untilPrune = Math.max(100, recent.length);
  };

  const lost = () => {
    prune();
    unconfirmed.push(...recent.map(({ message }) => message));
    recent = [];
  };
  const start = () => {
    isDue = false;
    replaying = replay().finally(() => {
      replaying = undefined;
      if (isDue) start();
    });
  };
  const back = () => {
    if (replaying) isDue = true;
    else if (unconfirmed.length) start();
  };
  onFailover(connection, lost, back);

  return {
    /** Writes a message after a replay in progress, and buffers it. */
    async write(message: Message): Promise<Outcome> {
      await replaying;
      const outcome = await write(message);
      remember(message);
      return outcome;
    },
    /** Resolves when no replay is in progress. */
    replayed: async (): Promise<void> => replaying,
  };
}
