/** Members numbered from 0, and the pairs of them who would both see one another. */
export interface Market {
  readonly members: number;
  /** The pairs of member `i` are the entries from `start[i]` to `start[i + 1]` of `other` and `weight`. */
  readonly start: Uint32Array;
  readonly other: Uint32Array;
  readonly weight: Float32Array;
}

/** Pairs in columns, in any order; the weight is the probability of a match, see `mutual`. */
export interface Pairs {
  readonly one: ArrayLike<number>;
  readonly other: ArrayLike<number>;
  readonly weight: ArrayLike<number>;
}

/** No estimate is so sure that a member is never shown. It also keeps logarithms finite. */
const least = 1e-4;

const bounded = (probability: number) => Math.min(1, Math.max(least, probability));

/** The probability of a match: one likes the other (p), who answers with a like (q). */
export const mutual = (p: number, q: number): number => bounded(p) * bounded(q);

/** Builds a market. A pair may be given from both sides; the first counts. Pairs without weight are left out. */
export function marketOf(members: number, pairs: Pairs): Market {
  const each = (visit: (member: number, other: number, weight: number) => void) => {
    for (let pair = 0; pair < pairs.one.length; pair++) {
      const one = pairs.one[pair] ?? 0;
      const other = pairs.other[pair] ?? 0;
      const weight = pairs.weight[pair] ?? 0;
      if (one === other || !(weight > 0)) continue;
      if (Math.max(one, other) >= members) throw new RangeError(`pair ${pair} has an unknown member`);
      visit(one, other, weight);
      visit(other, one, weight);
    }
  };
  const ends = new Uint32Array(members + 1);
  each((member) => {
    ends[member + 1] = (ends[member + 1] ?? 0) + 1;
  });
  for (let member = 1; member <= members; member++)
    ends[member] = (ends[member] ?? 0) + (ends[member - 1] ?? 0);
  const next = ends.slice(0, members);
  const other = new Uint32Array(ends[members] ?? 0);
  const weight = new Float32Array(other.length);
  each((member, partner, value) => {
    const at = next[member] ?? 0;
    next[member] = at + 1;
    other[at] = partner;
    weight[at] = value;
  });
  return withoutRepeats({ members, start: ends, other, weight });
}

/** Keeps the first of equal pairs, in place. */
function withoutRepeats({ members, start, other, weight }: Market): Market {
  const seenBy = new Int32Array(members).fill(-1);
  const kept = new Uint32Array(members + 1);
  let to = 0;
  for (let member = 0; member < members; member++) {
    const end = start[member + 1] ?? 0;
    for (let at = start[member] ?? 0; at < end; at++) {
      const partner = other[at] ?? 0;
      if (seenBy[partner] === member) continue;
      seenBy[partner] = member;
      other[to] = partner;
      weight[to] = weight[at] ?? 0;
      to += 1;
    }
    kept[member + 1] = to;
  }
  return { members, start: kept, other: other.subarray(0, to), weight: weight.subarray(0, to) };
}
