import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Market } from '../../src/matching/market.ts';
import { pricesOf, relativePrices } from '../../src/matching/prices.ts';
import { suggestionsOf } from '../../src/matching/suggestions.ts';
import { anyMarket, marketWith, pairsOf, type Triple } from './any-market.ts';

const suggestionsIn = (market: Market) => suggestionsOf(market, pricesOf(market));
const membersOf = ({ members }: Market) => Array.from({ length: members }, (_, member) => member);

/** As many women as men, everybody a candidate of everybody; `weightOf` says what a man is worth. */
function twoSides(each: number, weightOf: (man: number) => number): Market {
  const women = Array.from({ length: each }, (_, woman) => woman);
  return marketWith(
    2 * each,
    women.flatMap((woman) =>
      women.map((man): Triple => [woman, each + man, weightOf(man) * (1 + ((woman * 7 + man) % 10) / 10)]),
    ),
  );
}

describe('the suggestions of a market', () => {
  it('are at most twenty candidates of a member, each once, and those who are owed a place are among them', () => {
    fc.assert(
      fc.property(anyMarket(60), (market) => {
        const { suggested, owed } = suggestionsIn(market);
        for (const member of membersOf(market)) {
          const candidates = pairsOf(market, member).map(({ partner }) => partner);
          const own = suggested[member] ?? [];
          expect(own).toHaveLength(Math.min(20, candidates.length));
          expect(new Set(own).size).toBe(own.length);
          expect(candidates).toEqual(expect.arrayContaining(own));
          expect(own).toEqual(expect.arrayContaining(owed[member] ?? []));
        }
      }),
    );
  });

  it('are the best by the chance of a match less the price', () => {
    const market = twoSides(40, (man) => 0.01 + man / 1_000);
    const prices = pricesOf(market);
    const { suggested, owed } = suggestionsOf(market, prices);
    expect(owed.flat()).toEqual([]);
    for (const member of membersOf(market)) {
      const all = pairsOf(market, member).map(({ partner, weight }) => ({
        partner,
        value: weight * Math.exp(-Math.max(prices[partner] ?? 0, -1)),
      }));
      const least = all.toSorted((one, other) => other.value - one.value)[19]?.value ?? 0;
      for (const { partner } of all.filter(({ value }) => value > least * 1.000_001))
        expect(suggested[member]).toContain(partner);
    }
  });

  it('owe places to whom hardly anybody wants, in several feeds, and to nobody else', () => {
    const unwanted = [80, 81];
    const market = twoSides(80, (man) => (unwanted.includes(80 + man) ? 0.001 : 0.1));
    const prices = relativePrices(
      market,
      membersOf(market).map(() => 1),
      membersOf(market).map((member) => (member < 80 ? 'women' : 'men')),
    );
    const { owed } = suggestionsOf(market, prices);
    expect(new Set(owed.flat())).toEqual(new Set(unwanted));
    for (const man of unwanted) expect(owed.filter((of) => of.includes(man)).length).toBeGreaterThan(10);
  });

  it('owe nothing where all are wanted alike', () => {
    const { owed } = suggestionsIn(twoSides(60, () => 0.1));
    expect(owed.flat()).toEqual([]);
  });

  it('do not depend on the unit of the weights', () => {
    fc.assert(
      fc.property(anyMarket(30), (market) => {
        const prices = pricesOf(market);
        const half = { ...market, weight: market.weight.map((weight) => weight / 2) };
        expect(suggestionsOf(half, prices)).toEqual(suggestionsOf(market, prices));
      }),
    );
  });
});
