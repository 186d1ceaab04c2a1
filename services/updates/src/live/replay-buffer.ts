import type { Logger } from '@covalence/runtime/logger';
import type { Redis } from 'ioredis';

/** The messages of the last seconds, which a store that comes back may have lost. */
export interface Recent<Message, Outcome> {
  /** Writes a message, behind what may have been lost, and keeps it for some seconds. */
  write(message: Message): Promise<Outcome>;
  /** Resolves when what may have been lost is written again. */
  replayed(): Promise<void>;
}

/** Redis writes to disk every second, and a replica follows within less; the rest is for a slow disk. */
const lossMs = 5_000;
/** Messages kept at most. */
const most = 20_000;

/**
 * Keeps what is written over a connection for some seconds, and writes it again each time the connection comes back:
 * `write` takes a message that is there already without effect.
 */
export function createReplayBuffer<Message, Outcome>(
  connection: Redis,
  write: (message: Message) => Promise<Outcome>,
  logger: Logger,
): Recent<Message, Outcome> {
  let kept: { readonly message: Message; readonly at: number }[] = [];
  let suspects: Message[] = [];
  let replaying: Promise<void> | undefined;

  const prune = () => {
    const oldest = performance.now() - lossMs;
    const from = kept.findIndex(({ at }) => at >= oldest);
    kept = from < 0 ? [] : kept.slice(Math.max(from, kept.length - most));
  };

  const replay = async (): Promise<void> => {
    const messages = suspects;
    // In one go over one connection, so that they keep their order.
    const outcomes = await Promise.allSettled(messages.map(write));
    const failed = messages.filter((_, index) => outcomes[index]?.status === 'rejected');
    if (failed.length) {
      logger.warn({ messages: failed.length }, 'not written again, which the next connection does');
      return;
    }
    suspects = suspects.slice(messages.length);
    for (const message of messages) keep(message);
    if (messages.length) logger.info({ messages: messages.length }, 'written again after redis came back');
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
    suspects.push(...kept.map(({ message }) => message));
    kept = [];
  });
  connection.on('ready', () => {
    if (!suspects.length) return;
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
