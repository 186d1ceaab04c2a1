import type { Logger } from '@covalence/runtime/logger';
import type { Redis } from 'ioredis';

/** Redis writes to disk every second; the rest is a margin. */
const lossMs = 5_000;
/** The maximum number of buffered messages. */
const maxBuffered = 20_000;

/**
 * Creates a buffer of the messages of the last seconds, which Redis may lose when it restarts or fails over. It writes them again
 * after each reconnect; `write` must be idempotent.
 */
export function createReplayBuffer<Message, Outcome>(
  connection: Redis,
  write: (message: Message) => Promise<Outcome>,
  logger: Logger,
) {
  let recent: { readonly message: Message; readonly at: number }[] = [];
  let unconfirmed: Message[] = [];
  let replaying: Promise<void> | undefined;

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
    if (failed.length) {
      logger.warn({ messages: failed.length }, 'messages not replayed, retrying with the next connection');
      return;
    }
    unconfirmed = unconfirmed.slice(messages.length);
    for (const message of messages) remember(message);
    if (messages.length)
      logger.info({ messages: messages.length }, 'messages replayed after redis came back');
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

  connection.on('close', () => {
    prune();
    unconfirmed.push(...recent.map(({ message }) => message));
    recent = [];
  });
  connection.on('ready', () => {
    if (!unconfirmed.length) return;
    const own = replay().finally(() => {
      if (replaying === own) replaying = undefined;
    });
    replaying = own;
  });

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
