import type { Logger } from '@covalence/runtime/logger';
import type { Redis } from 'ioredis';

/** Keeps the messages of the last seconds, which Redis may lose when it restarts or fails over. */
export interface ReplayBuffer<Message, Outcome> {
  /** Writes a message, after those that are being replayed, and keeps it for some seconds. */
  write(message: Message): Promise<Outcome>;
  /** Resolves when the replay is done. */
  replayed(): Promise<void>;
}

/** Redis writes to disk every second; the rest is a margin. */
const lossMs = 5_000;
/** The most messages kept. */
const maxKept = 20_000;

/** Creates a buffer that replays each time the connection comes back. `write` must be idempotent. */
export function createReplayBuffer<Message, Outcome>(
  connection: Redis,
  write: (message: Message) => Promise<Outcome>,
  logger: Logger,
): ReplayBuffer<Message, Outcome> {
  let kept: { readonly message: Message; readonly at: number }[] = [];
  let unconfirmed: Message[] = [];
  let replaying: Promise<void> | undefined;

  const prune = () => {
    const oldest = performance.now() - lossMs;
    const from = kept.findIndex(({ at }) => at >= oldest);
    kept = from < 0 ? [] : kept.slice(Math.max(from, kept.length - maxKept));
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
    for (const message of messages) keep(message);
    if (messages.length)
      logger.info({ messages: messages.length }, 'messages replayed after redis came back');
  };

  let untilPrune = 0;
  const keep = (message: Message) => {
    kept.push({ message, at: performance.now() });
    untilPrune -= 1;
    if (untilPrune > 0) return;
    prune();
    untilPrune = Math.max(100, kept.length);
  };

  connection.on('close', () => {
    prune();
    unconfirmed.push(...kept.map(({ message }) => message));
    kept = [];
  });
  connection.on('ready', () => {
    if (!unconfirmed.length) return;
    const own = replay().finally(() => {
      if (replaying === own) replaying = undefined;
    });
    replaying = own;
  });

  return {
    async write(message) {
      await replaying;
      const outcome = await write(message);
      keep(message);
      return outcome;
    },
    replayed: async () => replaying,
  };
}
