import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { feedScore, pricesOf, relativePrices, usualPrice } from '../../src/matching/prices.ts';
import { anyMarket, marketWith, pairsOf } from './any-market.ts';

const capacities = fc.array(fc.double({ min: 0.1, max: 10, noNaN: true }), { minLength: 30, maxLength: 30 });

const sumOf = (pairs: readonly { readonly weight: number }[]) =>
  pairs.reduce((sum, { weight }) => sum + weight, 0);

describe('prices', () => {
  it('spend the capacity of every member with candidates', () => {
    fc.assert(
      fc.property(anyMarket(30), capacities, (market, capacity) => {
        const available = pricesOf(market, capacity).map((price) => Math.exp(-price));
        const all = Array.from(available, (own, member) => ({ own, member, pairs: pairsOf(market, member) }));
        const wanted = all.map(({ pairs }) => sumOf(pairs)).filter((sum) => sum > 0);
        const ordinary = wanted.reduce((sum, value) => sum + value, 0) / wanted.length;
        for (const { own, member, pairs } of all.filter(({ pairs }) => pairs.length)) {
          const spent = pairs.map(({ partner, weight }) => ({
            weight: weight * own * (available[partner] ?? 0),
          }));
          const kept = (sumOf(pairs) ** 2 / ordinary) * own ** 2;
          expect((sumOf(spent) + kept) / (capacity[member] ?? 1)).toBeCloseTo(1, 2);
        }
      }),
    );
  });

  it('are average for members who join later', () => {
    const market = marketWith(4, [
      [0, 2, 0.1],
      [1, 2, 0.3],
      [0, 3, 0.1],
      [1, 3, 0.3],
    ]);
    const [one = 0, other = 0] = pricesOf(market);
    const usual = usualPrice([one, other]);
    expect(Math.exp(usual - one)).toBeCloseTo(2, 1);
    expect(Math.exp(usual - other)).toBeCloseTo(2 / 3, 1);
    expect(usualPrice([])).toBe(0);
  });

  it('leave each member of a longer side the same, however popular', () => {
    const popularity = [1, 2, 4, 8, 16, 32];
    const market = marketWith(
      8,
      popularity.flatMap((weight, member) => [6, 7].map((few) => [member, few, weight / 100] as const)),
    );
    const available = pricesOf(market).map((price) => Math.exp(-price));
    const spent = popularity.map((weight, member) => (available[member] ?? 0) * weight);
    expect(Math.max(...spent) / Math.min(...spent)).toBeCloseTo(1, 1);
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

  it('can be compared between markets: the usual one of each audience is 0', () => {
    const audiences = ['women', 'women', 'men', 'men', 'men'];
    const weights = [0.1, 0.2, 0.3, 0.6];
    const pairs = [0, 1].flatMap((woman) =>
      [2, 3].map((man) => [woman, man, weights[woman * 2 + man - 2] ?? 0] as const),
    );
    const relative = (share: number) =>
      relativePrices(
        marketWith(
          5,
          pairs.map(([woman, man, weight]) => [woman, man, weight * share]),
        ),
        [1, 1, 1, 1, 1],
        audiences,
      );
    const [prices, rarer] = [relative(1), relative(0.1)];
    for (const members of [prices.slice(0, 2), prices.slice(2, 4)])
      expect(usualPrice([...members])).toBeCloseTo(0);
    expect(prices[3]).toBeGreaterThan(prices[2] ?? Infinity);
    // Nobody wants the last man.
    expect(prices[4]).toBeCloseTo(0);
    for (const [member, price] of prices.entries()) expect(rarer[member]).toBeCloseTo(price, 2);
  });

  it('do not depend on the unit of the weights', () => {
    fc.assert(
      fc.property(anyMarket(10), (market) => {
        const quarter = { ...market, weight: market.weight.map((weight) => weight / 4) };
        const expected = pricesOf(market).map((price, member) =>
          pairsOf(market, member).length ? price - Math.log(2) : 0,
        );
        const differences = pricesOf(quarter).map((price, member) => price - (expected[member] ?? 0));
        expect(Math.max(...differences.map(Math.abs))).toBeCloseTo(0, 2);
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
