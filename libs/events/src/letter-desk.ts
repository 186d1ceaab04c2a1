import { unavailable } from '@covalence/contract/failure';
import { lettersAtOnce, type LetterDesk } from '@covalence/contract/internal/operations-api';
import { shareRecent } from '@covalence/runtime/share-recent';
import type { Broker } from './broker.ts';
import { letterView } from './dead-letter-lines.ts';
import { deadLettersOn, type DeadLetter, type DeadLetters } from './dead-letters.ts';
import { settleLetters } from './settle-letters.ts';
import type { QueueName } from './topology.ts';

/** Dead letters of a queue among which one is looked for. */
const lookedAt = 1_000;

/** Lists, replays and drops the dead letters of a service's own queues: what its account at the broker may read. */
export function createLetterDesk(broker: Broker, owned: readonly QueueName[]): LetterDesk {
  let last: Promise<unknown> = Promise.resolve();
  /** One after the other: who reads the letters of a queue holds them, and another reader misses them. */
  const inTurn = <Result>(work: (letters: DeadLetters) => Promise<Result>): Promise<Result> => {
    const result = last
      .then(() => broker.onChannel((channel) => work(deadLettersOn(channel, broker.namespace))))
      .catch((error: unknown) => {
        throw unavailable(error);
      });
    last = result.catch(() => undefined);
    return result;
  };

  return {
    // Whoever asks meanwhile gets the same: each list delivers the letters, and RabbitMQ counts deliveries.
    list: shareRecent(0, () =>
      inTurn(async (letters) => {
        const queues = [];
        for (const queue of owned) {
          const waiting = await letters.waitingIn(queue);
          const seen: DeadLetter[] = [];
          const keep = (letter: DeadLetter) => (seen.push(letter), 'keep' as const);
          if (waiting) await letters.sift(queue, keep, lettersAtOnce);
          const views = seen.map((letter) => letterView(letter, false));
          queues.push({ queue, waiting: Math.max(waiting, seen.length), letters: views });
        }
        return { queues };
      }),
    ),
    settle: ({ verdict, letters: meant }) =>
      inTurn(async (letters) => {
        const own = meant.flatMap(({ queue: name, id }) =>
          owned.filter((queue) => queue === name).map((queue) => ({ queue, id })),
        );
        return { settled: await settleLetters(letters, verdict, own, lookedAt) };
      }),
  };
}
