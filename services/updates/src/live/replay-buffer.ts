import type { Logger } from '@covalence/runtime/logger';
import { onFailover, type RedisClient } from '@covalence/runtime/redis';
import { isUnavailableError } from '@covalence/runtime/unavailable-error';
import { setTimeout } from 'node:timers/promises';

/** Redis writes to disk and to replicas within a second. A server that is cut off is noticed 10 seconds later. */
const lossMs = 15_000;
/** The time in which the other processes notice a failover and write their messages again, too. */
const settleMs = 5_000;
/** The maximum number of buffered messages. */
const maxBuffered = 20_000;
/** Time between two attempts. */
const pauseMs = 1_000;

/**
 * Creates a buffer of the messages of the last seconds, which Redis may lose when it restarts or fails over. It writes them again
 * after each reconnect, those of a member one after the other and before newer ones; members do not wait for one another. `write`
 * must be idempotent; it receives what it returned for the message before.
 */
export function createReplayBuffer<Message, Outcome>(
  connection: RedisClient,
  memberOf: (message: Message) => number,
  write: (message: Message, before?: Outcome) => Promise<Outcome>,
  logger: Logger,
) {
  interface Written {
    readonly message: Message;
    readonly outcome: Outcome;
  }
  let recent: (Written & { readonly at: number })[] = [];
  /** By member, in order. */
  let unconfirmed = new Map<number, Written[]>();
  /** Replays in progress, by member. */
  const replays = new Map<number, Promise<void>>();
  /** After a failure: a cluster of which a server is down would be asked without end. */
  let isPausing = false;
  let isAway = false;
  /** When all processes have written again, by `performance.now()`. */
  let settledAt = 0;

  const prune = () => {
    const oldest = performance.now() - lossMs;
    const from = recent.findIndex(({ at }) => at >= oldest);
    recent = from < 0 ? [] : recent.slice(Math.max(from, recent.length - maxBuffered));
  };

  /** Messages until the next pruning. */
  let untilPrune = 0;
  const remember = (written: Written) => {
    recent.push({ ...written, at: performance.now() });
    untilPrune -= 1;
    if (untilPrune > 0) return;
    prune();
    untilPrune = Math.max(100, recent.length);
  };

  /** Writes the messages of a member until one fails, because the next ones would take its place. */
  const replay = async (member: number): Promise<void> => {
    for (let messages = unconfirmed.get(member); messages; messages = unconfirmed.get(member)) {
      let [written] = messages;
      if (written === undefined) unconfirmed.delete(member);
      else {
        try {
          written = { ...written, outcome: await write(written.message, written.outcome) };
        } catch (error) {
          if (isUnavailableError(error)) {
            isPausing = true;
            return;
          }
          logger.error({ err: error }, 'a message cannot be replayed and is left out');
        }
        // After another loss all are written once more.
        if (messages === unconfirmed.get(member)) {
          messages.shift();
          remember(written);
        }
      }
    }
  };

  const replayAll = async (): Promise<void> => {
    if (isPausing || connection.status !== 'ready') return;
    const members = [...unconfirmed.keys()].filter((member) => !replays.has(member));
    if (!members.length) return;
    for (const member of members)
      replays.set(
        member,
        replay(member).finally(() => replays.delete(member)),
      );
    await Promise.all(members.map(async (member) => replays.get(member)));
    const failed = members.filter((member) => unconfirmed.has(member)).length;
    if (failed < members.length)
      logger.info({ members: members.length - failed }, 'messages replayed after Redis recovered');
    if (!failed) return;
    logger.warn({ members: failed }, 'replaying messages failed: will retry');
    isPausing = true;
    await setTimeout(pauseMs, undefined, { ref: false });
    isPausing = false;
    await replayAll();
  };

  const lost = () => {
    prune();
    const earlier = [...unconfirmed.values()].flat();
    unconfirmed = Map.groupBy([...recent, ...earlier], ({ message }) => memberOf(message));
    recent = [];
    isAway = true;
  };
  const back = () => {
    if (isAway) settledAt = performance.now() + settleMs;
    isAway = false;
    void replayAll();
  };
  onFailover(connection, lost, back);

  return {
    /** Writes a message after those of its member that are to be replayed, and buffers it. */
    async write(message: Message): Promise<Outcome> {
      const member = memberOf(message);
      if (unconfirmed.has(member)) {
        void replayAll();
        await replays.get(member);
        if (unconfirmed.has(member))
          throw new Error('CLUSTERDOWN earlier messages of the member are not written again yet');
      }
      const outcome = await write(message);
      const earlier = unconfirmed.get(member);
      if (earlier) earlier.push({ message, outcome });
      else remember({ message, outcome });
      return outcome;
    },
    /** Whether each process has had time to write again what a failover lost. */
    isSettled: (): boolean => !isAway && performance.now() >= settledAt,
    /** Resolves when no replay of the member is in progress. */
    replayed: async (member: number): Promise<void> => replays.get(member),
  };
}
