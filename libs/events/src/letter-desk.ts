import { unavailable } from '@covalence/contract/failure';
import {
  lettersAtOnce,
  settleDeadLetters,
  type LetterDesk,
} from '@covalence/contract/internal/operations-api';
import { shareRecent } from '@covalence/runtime/share-recent';
import { inTime, type Broker } from './broker.ts';
import { letterView } from './dead-letter-lines.ts';
import { deadLettersOn, type DeadLetter, type DeadLetters } from './dead-letters.ts';
import { settleLetters } from './settle-letters.ts';
import type { QueueName } from './topology.ts';

/** Dead letters of a queue among which one is looked for. */
const lookedAt = 1_000;

/** RabbitMQ counts deliveries, and drops a letter after a million of them. */
const sharedMs = 2_000;

/** Callers wait a little longer. */
const limits = { listMs: 4_000, settleMs: settleDeadLetters.timeoutMs - 1_000 };

/** Lists, replays and drops the dead letters of a service's own queues: what its account at the broker may read. */
export function createLetterDesk(
  broker: Broker,
  owned: readonly QueueName[],
  { listMs, settleMs } = limits,
): LetterDesk {
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
          const seen: DeadLetter[] = [];
          const keep = (letter: DeadLetter) => (seen.push(letter), 'keep' as const);
          if (waiting) await letters.sift(queue, keep, { most: lettersAtOnce });
          const views = seen.map((letter) => letterView(letter, false));
          queues.push({ queue, waiting: Math.max(waiting, seen.length), letters: views });
        }
        return { queues };
      }),
    );
  let list = recentList();

  return {
    list: () => list(),
    async settle({ verdict, letters: meant }) {
      const own = meant.flatMap(({ queue: name, id }) =>
        owned.filter((queue) => queue === name).map((queue) => ({ queue, id })),
      );
      const settled: typeof own = [];
      try {
        await inTurn(settleMs, (letters) => settleLetters(letters, verdict, own, settled, lookedAt));
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
