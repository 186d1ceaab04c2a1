import type { Market } from './market.ts';

/** Two members, and the weight of their pair. */
export interface DailyPair {
  readonly one: number;
  readonly other: number;
  readonly weight: number;
}

const nobody = -1;

/**
 * The pairs of the day: a member has at most one. Two members are paired as soon as each is the best of those whom the
 * other can still have. So no two members would both rather have one another, a member without a pair has only candidates
 * with pairs, and the weights sum to at least half of the most that is possible.
 */
export function dailyPairs({ members, start, other, weight }: Market): DailyPair[] {
  const isPaired = new Uint8Array(members);
  const favorite = new Int32Array(members).fill(nobody);
  const undecided = Array.from({ length: members }, (_, index) => members - 1 - index);
  const pairs: DailyPair[] = [];

  /** The entry of a member's best free candidate. Of equal ones it is the lower number, alike for both of a pair. */
  const best = (member: number): number | undefined => {
    let found: number | undefined;
    let most = 0;
    for (let at = start[member] ?? 0; at < (start[member + 1] ?? 0); at++) {
      const candidate = other[at] ?? 0;
      const value = weight[at] ?? 0;
      if (isPaired[candidate] || value < most) continue;
      if (value === most && found !== undefined && candidate > (other[found] ?? 0)) continue;
      found = at;
      most = value;
    }
    return found;
  };

  /** Lets everybody decide again who wanted this member. */
  const leave = (member: number) => {
    isPaired[member] = 1;
    for (const admirer of other.subarray(start[member], start[member + 1])) {
      if (favorite[admirer] === member && !isPaired[admirer]) undecided.push(admirer);
    }
  };

  for (let member = undecided.pop(); member !== undefined; member = undecided.pop()) {
    const at = isPaired[member] ? undefined : best(member);
    if (at === undefined) continue;
    const candidate = other[at] ?? 0;
    favorite[member] = candidate;
    if (favorite[candidate] !== member) continue;
    pairs.push({ one: member, other: candidate, weight: weight[at] ?? 0 });
    leave(member);
    leave(candidate);
  }
  return pairs;
}
