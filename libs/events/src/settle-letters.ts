import type { DeadLetter, DeadLetters } from './dead-letters.ts';

/** Where a dead letter is. */
type Place = Pick<DeadLetter, 'queue' | 'id'>;

/** Replays or drops dead letters among the oldest `most` of their queues; resolves with those that were there. */
export async function settleLetters(
  letters: DeadLetters,
  verdict: 'replay' | 'drop',
  meant: readonly Place[],
  most = Infinity,
): Promise<Place[]> {
  const settled: Place[] = [];
  for (const [queue, places] of Map.groupBy(meant, (place) => place.queue)) {
    const ids = new Set(places.map(({ id }) => id));
    const decide = ({ id }: DeadLetter) => {
      if (!ids.has(id)) return 'keep' as const;
      settled.push({ queue, id });
      return verdict;
    };
    await letters.sift(queue, decide, most);
  }
  return settled;
}
