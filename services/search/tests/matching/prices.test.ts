import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { feedScore, priceOf, pricesOf } from '../../src/matching/prices.ts';
import { anyMarket, marketWith, pairsOf } from './any-market.ts';

const capacities = fc.array(fc.double({ min: 0.1, max: 10, noNaN: true }), { minLength: 30, maxLength: 30 });

describe('prices', () => {
  it('spend the capacity of every member with candidates', () => {
    fc.assert(
      fc.property(anyMarket(30), capacities, (market, capacity) => {
        const available = pricesOf(market, capacity).map((price) => Math.exp(-price));
        for (let member = 0; member < market.members; member++) {
          const pairs = pairsOf(market, member);
          if (!pairs.length) continue;
          const own = available[member] ?? 0;
          const kept = (pairs.reduce((sum, { weight }) => sum + weight, 0) / pairs.length) * own ** 2;
          const spent = pairs.reduce(
            (sum, { partner, weight }) => sum + weight * own * (available[partner] ?? 0),
            kept,
          );
          expect(spent / (capacity[member] ?? 1)).toBeCloseTo(1, 2);
        }
      }),
    );
  });

  it('are the same for a member who joined later and one whom the batch knew', () => {
    fc.assert(
      fc.property(anyMarket(30), (market) => {
        const prices = pricesOf(market);
        for (let member = 0; member < market.members; member++) {
          const candidates = pairsOf(market, member).map(({ partner, weight }) => ({
            weight,
            price: prices[partner] ?? 0,
          }));
          expect(priceOf(candidates)).toBeCloseTo(prices[member] ?? 0, 2);
        }
      }),
    );
  });

  it('are higher for members whom many want, and lower for those who can answer more', () => {
    const market = marketWith(4, [
      [0, 2, 0.9],
      [1, 2, 0.9],
      [0, 3, 0.1],
      [1, 3, 0.1],
    ]);
    const [, , popular = 0, other = 0] = pricesOf(market);
    expect(popular).toBeGreaterThan(other + 1);
    const [, , able = 0] = pricesOf(market, [1, 1, 3, 1]);
    expect(able).toBeLessThan(popular - 0.5);
  });

  it('do not depend on the unit of the weights', () => {
    fc.assert(
      fc.property(anyMarket(10), (market) => {
        const quarter = { ...market, weight: market.weight.map((weight) => weight / 4) };
        const expected = pricesOf(market).map((price, member) =>
          pairsOf(market, member).length ? price - Math.log(2) : 0,
        );
        const furthest = Math.max(
          ...pricesOf(quarter).map((price, member) => price - (expected[member] ?? 0)),
        );
        expect(furthest).toBeCloseTo(0, 2);
      }),
    );
  });
});

describe('the score of a feed', () => {
  it('is the logarithm of the chance of a match, less the price', () => {
    expect(feedScore(0.5, 0.5, 1)).toBeCloseTo(Math.log(0.25) - 1);
    expect(Number.isFinite(feedScore(0, 0, 0))).toBe(true);
  });
});
