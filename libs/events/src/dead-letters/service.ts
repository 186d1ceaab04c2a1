import { unavailable } from '@covalence/contract/failure';
import {
  lettersAtOnce,
  settleDeadLetters,
  type DeadLetterService,
} from '@covalence/contract/peers/operations-api';
import { shareRecent } from '@covalence/runtime/share-recent';
import { inTime, type Broker } from '../broker.ts';
import type { QueueName } from '../topology.ts';
import { describeDeadLetter } from './format.ts';
import { deadLettersOn, type DeadLetters } from './queue.ts';

/** Dead letters of a queue among which one is looked for. */
const lookedAt = 1_000;

/** RabbitMQ counts deliveries, and drops a letter after a million of them. */
const sharedMs = 2_000;

/** Callers wait a little longer. */
const limits = { listMs: 4_000, settleMs: settleDeadLetters.timeoutMs - 1_000 };

/** Lists, replays and drops the dead letters of a service's own queues: what its account at the broker may read. */
export function createDeadLetterService(
  broker: Broker,
  owned: readonly QueueName[],
  { listMs, settleMs } = limits,
): DeadLetterService {
  let last: Promise<unknown> = Promise.resolve();
  /**
   * Runs one piece of work at a time: a reader of a queue's letters holds them, so that another reader would
   * miss them. Work that is late rejects, and is not done afterward.
   */
  const inTurn = <Result>(limitMs: number, work: (letters: DeadLetters) => Promise<Result>) => {
    const end = Date.now() + limitMs;
    const result = last.then(() => {
      const left = end - Date.now();
      if (left <= 0) throw new Error('the caller has stopped waiting');
      return broker.onChannel(left, (channel) => work(deadLettersOn(channel, broker.namespace)));
    });
    last = result.catch(() => undefined);
    return inTime(limitMs, result).catch((error: unknown) => {
      throw unavailable(error);
    });
  };

  const recentList = () =>
    shareRecent(sharedMs, () =>
      inTurn(listMs, async (letters) => {
        const queues = [];
        for (const queue of owned) {
          const waiting = await letters.waitingIn(queue);
          const oldest = waiting ? await letters.read(queue, lettersAtOnce) : [];
          queues.push({
            queue,
            waiting: Math.max(waiting, oldest.length),
            letters: oldest.map((letter) => describeDeadLetter(letter, false)),
          });
        }
        return { queues };
      }),
    );
  let list = recentList();

  return {
    list: () => list(),
    async settle({ action, letters: meant }) {
      const own = meant.flatMap(({ queue: name, id }) =>
        owned.filter((queue) => queue === name).map((queue) => ({ queue, id })),
      );
      const settled: typeof own = [];
      try {
        await inTurn(settleMs, (letters) => letters.settle(action, own, settled, lookedAt));
        return { settled };
      } catch (error) {
        if (!settled.length) throw error;
        return { settled: [...settled], unfinished: true };
      } finally {
        list = recentList();
      }
    },
  };
}
