import type { Logger } from '@covalence/runtime/logger';
import { onFailover, type RedisClient } from '@covalence/runtime/redis';
import { isUnavailableError } from '@covalence/runtime/unavailable-error';

/** Redis writes to disk and to replicas within a second. A server that is cut off is noticed 10 seconds later. */
const lossMs = 15_000;
/** The time in which the other processes notice a failover and write their messages again, too. */
const settleMs = 5_000;
/** The maximum number of buffered messages. */
const maxBuffered = 20_000;

/**
 * Creates a buffer of the messages of the last seconds, which Redis may lose when it restarts or fails over. It writes them again
 * after each reconnect, those of a member one after the other and before newer ones; `write` must be idempotent.
 */
export function createReplayBuffer<Message, Outcome>(
  connection: RedisClient,
  memberOf: (message: Message) => number,
  write: (message: Message) => Promise<Outcome>,
  logger: Logger,
) {
  let recent: { readonly message: Message; readonly at: number }[] = [];
  let unconfirmed: Message[] = [];
  let replaying: Promise<void> | undefined;
  /** Whether another attempt follows the one in progress. */
  let isDue = false;
  let isAway = false;
  /** When all processes have written again, by `performance.now()`. */
  let settledAt = 0;

  const prune = () => {
    const oldest = performance.now() - lossMs;
    const from = recent.findIndex(({ at }) => at >= oldest);
    recent = from < 0 ? [] : recent.slice(Math.max(from, recent.length - maxBuffered));
  };

  /** Writes until one fails, because the next ones would take its place; resolves with those that are left. */
  const writeInOrder = async (messages: readonly Message[]): Promise<readonly Message[]> => {
    for (const [index, message] of messages.entries()) {
      try {
        await write(message);
      } catch (error) {
        if (isUnavailableError(error)) return messages.slice(index);
        logger.error({ err: error }, 'a message cannot be replayed and is left out');
      }
    }
    return [];
  };

  const replay = async (): Promise<void> => {
    const messages = unconfirmed;
    const left = await Promise.all([...Map.groupBy(messages, memberOf).values()].map(writeInOrder));
    const failed = new Set(left.flat());
    unconfirmed = [...failed, ...unconfirmed.slice(messages.length)];
    if (failed.size)
      logger.warn({ messages: failed.size }, 'messages not replayed, retrying with the next connection');
    for (const message of messages) if (!failed.has(message)) remember(message);
    if (failed.size < messages.length)
      logger.info({ messages: messages.length - failed.size }, 'messages replayed after redis came back');
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

  const lost = (isReplaced: boolean) => {
    prune();
    unconfirmed.push(...recent.map(({ message }) => message));
    recent = [];
    isAway ||= isReplaced;
  };
  const start = () => {
    isDue = false;
    replaying = replay().finally(() => {
      replaying = undefined;
      if (isDue) start();
    });
  };
  const back = () => {
    if (isAway) settledAt = performance.now() + settleMs;
    isAway = false;
    if (replaying) isDue = true;
    else if (unconfirmed.length) start();
  };
  onFailover(connection, lost, back);

  return {
    /** Writes a message after those to be replayed, and buffers it. */
    async write(message: Message): Promise<Outcome> {
      if (unconfirmed.length && !replaying && connection.status === 'ready') start();
      await replaying;
      if (unconfirmed.some((earlier) => memberOf(earlier) === memberOf(message)))
        throw new Error('CLUSTERDOWN earlier messages of the member are not written again yet');
      const outcome = await write(message);
      remember(message);
      return outcome;
    },
    /** Whether each process has had time to write again what a failover lost. */
    isSettled: (): boolean => !isAway && performance.now() >= settledAt,
    /** Resolves when no replay is in progress. */
    replayed: async (): Promise<void> => replaying,
  };
}
