import * as fc from 'fast-check';
import { marketOf, type Market } from '../../src/matching/market.ts';

/** A pair of members and its weight, for tests. */
export type Triple = readonly [one: number, other: number, weight: number];

/** A market of these pairs. */
export const marketWith = (members: number, pairs: readonly Triple[]): Market =>
  marketOf(members, {
    one: pairs.map(([one]) => one),
    other: pairs.map(([, other]) => other),
    weight: pairs.map(([, , weight]) => weight),
  });

/** The pairs of a member with their weights. */
export const pairsOf = ({ start, other, weight }: Market, member: number) =>
  Array.from(other.subarray(start[member], start[member + 1]), (partner, index) => ({
    partner,
    weight: weight[(start[member] ?? 0) + index] ?? 0,
  }));

/** Any market of up to this many members, with many equal weights. It need not have two sides. */
export const anyMarket = (most: number): fc.Arbitrary<Market> =>
  fc.integer({ min: 1, max: most }).chain((members) => {
    const member = fc.nat(members - 1);
    const weight = fc.integer({ min: 1, max: 1_000 }).map((thousandths) => Math.ceil(thousandths / 50) / 20);
    return fc
      .array(fc.tuple(member, member, weight), { maxLength: members * 4 })
      .map((pairs) => marketWith(members, pairs));
  });
