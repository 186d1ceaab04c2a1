import type { DeadLetter, DeadLetters } from './dead-letters.ts';

/** The queue and id of a dead letter. */
type Place = Pick<DeadLetter, 'queue' | 'id'>;

/** Replays or drops dead letters among the oldest `most` of their queues. Adds each to `settled` once it is, also where it rejects. */
export async function settleLetters(
  letters: DeadLetters,
  verdict: 'replay' | 'drop',
  meant: readonly Place[],
  settled: Place[],
  most = Infinity,
): Promise<void> {
  for (const [queue, places] of Map.groupBy(meant, (place) => place.queue)) {
    const ids = new Set(places.map(({ id }) => id));
    await letters.sift(queue, ({ id }) => (ids.has(id) ? verdict : 'keep'), {
      most,
      handled: ({ id }) => ids.has(id) && settled.push({ queue, id }),
    });
  }
}
