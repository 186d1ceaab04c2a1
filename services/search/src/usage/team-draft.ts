import { createHash } from 'node:crypto';

/** A ranking, which drafts results for its team. */
export type Team = 'a' | 'b';

/** A drafted result. */
export interface Drafted {
  readonly id: number;
  readonly team: Team;
}

/** Fair coins that follow from a text: the same on every page of a search, and on every process. */
export function coinsOf(seed: string): (round: number) => boolean {
  let bits: Buffer = Buffer.alloc(0);
  let block = -1;
  return (round) => {
    const index = round >>> 8;
    if (index !== block) {
      bits = createHash('sha256').update(`${seed}:${index}`).digest();
      block = index;
    }
    const bit = round & 255;
    return (((bits[bit >>> 3] ?? 0) >>> (bit & 7)) & 1) === 1;
  };
}

/**
 * Interleaves two rankings (team draft): in each round a coin says which team goes first, and each drafts its best result that is not
 * there yet. So the first results of a list depend only on the first results of the rankings.
 */
export function draft(
  a: readonly number[],
  b: readonly number[],
  coin: (round: number) => boolean,
  most: number,
): Drafted[] {
  const rankings = { a, b };
  const next = { a: 0, b: 0 };
  const taken = new Set<number>();
  const drafted: Drafted[] = [];
  const take = (team: Team): void => {
    const ranking = rankings[team];
    while (next[team] < ranking.length && taken.has(ranking[next[team]] ?? 0)) next[team] += 1;
    const id = ranking[next[team]];
    if (id === undefined) return;
    taken.add(id);
    drafted.push({ id, team });
  };
  for (let round = 0; drafted.length < most; round += 1) {
    const before = drafted.length;
    for (const team of coin(round) ? (['a', 'b'] as const) : (['b', 'a'] as const)) take(team);
    // Both rankings have ended.
    if (drafted.length === before) break;
  }
  return drafted.slice(0, most);
}
