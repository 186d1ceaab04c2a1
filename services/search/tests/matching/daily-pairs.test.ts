import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { dailyPairs, type DailyPair } from '../../src/matching/daily-pairs.ts';
import type { Market } from '../../src/matching/market.ts';
import { anyMarket, marketWith, pairsOf } from './any-market.ts';

const weightOf = (pairs: readonly DailyPair[]) => pairs.reduce((sum, { weight }) => sum + weight, 0);

const namesOf = ([one, other]: readonly [one: number, other: number, ...rest: unknown[]]) =>
  `${Math.min(one, other)}-${Math.max(one, other)}`;

/** The most that pairs of the members can weigh, by trying all. */
function mostWeight(market: Market, free = (1 << market.members) - 1): number {
  if (!free) return 0;
  const member = 31 - Math.clz32(free);
  const rest = free & ~(1 << member);
  return pairsOf(market, member)
    .filter(({ partner }) => rest & (1 << partner))
    .reduce(
      (most, { partner, weight }) => Math.max(most, weight + mostWeight(market, rest & ~(1 << partner))),
      mostWeight(market, rest),
    );
}

describe('the pairs of the day', () => {
  it('are pairs of the market, and nobody has two', () => {
    fc.assert(
      fc.property(anyMarket(30), (market) => {
        const pairs = dailyPairs(market);
        const members = pairs.flatMap(({ one, other }) => [one, other]);
        expect(new Set(members).size).toBe(members.length);
        for (const { one, other, weight } of pairs) {
          expect(pairsOf(market, one)).toContainEqual({ partner: other, weight });
        }
      }),
    );
  });

  it('leave no two members who would both rather have one another', () => {
    fc.assert(
      fc.property(anyMarket(30), (market) => {
        const has = new Float64Array(market.members);
        for (const { one, other, weight } of dailyPairs(market)) has[one] = has[other] = weight;
        for (let member = 0; member < market.members; member++) {
          for (const { partner, weight } of pairsOf(market, member)) {
            expect(Math.max(has[member] ?? 0, has[partner] ?? 0)).toBeGreaterThanOrEqual(weight);
          }
        }
      }),
    );
  });

  it('weigh at least half of the most that is possible', () => {
    fc.assert(
      fc.property(anyMarket(9), (market) => {
        expect(2 * weightOf(dailyPairs(market))).toBeGreaterThanOrEqual(mostWeight(market) - 1e-6);
      }),
    );
  });

  it('do not depend on the order in which pairs are given', () => {
    const pair = fc.tuple(fc.nat(5), fc.nat(5), fc.constantFrom(0.25, 0.5));
    fc.assert(
      fc.property(fc.uniqueArray(pair, { selector: namesOf }), (pairs) => {
        const [found, again] = [pairs, pairs.toReversed()].map((given) =>
          dailyPairs(marketWith(6, given)).map(({ one, other }) => namesOf([one, other])),
        );
        expect(new Set(again)).toEqual(new Set(found));
      }),
    );
  });
});
