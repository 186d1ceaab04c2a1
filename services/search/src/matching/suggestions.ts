import type { Market } from './market.ts';
import { mostDiscount } from './prices.ts';

/** Members of a feed at whom its reader looks in a day. */
const looked = 30;

/** Candidates that the market suggests for each feed, beside those whom a search finds. */
const suggested = 20;

/** Members who expect less than this share of the mean number of matches are owed places. */
const leastShare = 0.08;

/** Rounds in which the prices of such members fall, and how much in each at most. */
const rounds = 4;
const mostStep = 2;

/** Suggestions of a market for the feeds of its members, by member. */
export interface Suggestions {
  /** Candidates whom a search by criteria may not find, for it knows no prices. */
  readonly suggested: number[][];
  /** Those of them who would otherwise expect hardly a match: they have places, whatever their score. */
  readonly owed: number[][];
}

/** Visits the entries of the best candidates of each member, by the chance of a match less the price. */
function eachBest(
  { members, start, other, weight }: Market,
  prices: Float64Array,
  most: number,
  visit: (member: number, entry: number) => void,
): void {
  const available = prices.map((price) => Math.exp(-price));
  for (let member = 0; member < members; member++) {
    const [from = 0, to = 0] = start.subarray(member, member + 2);
    const values = new Float64Array(to - from);
    for (let at = from; at < to; at++) {
      values[at - from] = (weight[at] ?? 0) * (available[other[at] ?? 0] ?? 0);
    }
    const least = values.toSorted().at(-most) ?? 0;
    for (let at = from, count = 0; at < to && count < most; at++) {
      if ((values[at - from] ?? 0) < least) continue;
      visit(member, at);
      count += 1;
    }
  }
}

/** Expected matches of each member, if feeds had the candidates of the market in the order of these prices. */
function expectedMatches(market: Market, prices: Float64Array): Float64Array {
  const { other, weight } = market;
  const expected = new Float64Array(market.members);
  const add = (member: number, value: number) => {
    expected[member] = (expected[member] ?? 0) + value;
  };
  eachBest(market, prices, looked, (member, entry) => {
    const value = weight[entry] ?? 0;
    add(member, value);
    add(other[entry] ?? 0, value);
  });
  return expected;
}

/**
 * The suggestions for the feeds of a market: the best candidates by price. Prices of members with too few
 * expected matches fall until they have enough: the multipliers of a least number of matches. They count only
 * for these suggestions, of which a member has a bounded number, so that odd criteria for a night put no
 * member first in every feed.
 */
export function suggestionsOf(market: Market, prices: Float64Array): Suggestions {
  const { members, start, other } = market;
  const ordinary = prices.map((price) => Math.max(price, -mostDiscount));
  const lowered = ordinary.slice();
  const hasCandidates = (member: number) => (start[member + 1] ?? 0) > (start[member] ?? 0);
  const all = Array.from({ length: members }, (_, member) => member).filter(hasCandidates);
  for (let round = 0; round < rounds; round++) {
    const expected = expectedMatches(market, lowered);
    const least = (leastShare * expected.reduce((sum, value) => sum + value, 0)) / all.length;
    const few = all.filter((member) => (expected[member] ?? 0) < least);
    if (!few.length) break;
    for (const member of few) {
      const step = Math.min(mostStep, Math.log(least / (expected[member] ?? 0)));
      lowered[member] = (lowered[member] ?? 0) - step;
    }
  }
  const found: Suggestions = {
    suggested: Array.from({ length: members }, () => []),
    owed: Array.from({ length: members }, () => []),
  };
  eachBest(market, lowered, suggested, (member, entry) => {
    const candidate = other[entry] ?? 0;
    found.suggested[member]?.push(candidate);
    if ((lowered[candidate] ?? 0) < (ordinary[candidate] ?? 0)) found.owed[member]?.push(candidate);
  });
  return found;
}
