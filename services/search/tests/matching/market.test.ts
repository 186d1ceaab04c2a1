import { describe, expect, it } from '@jest/globals';
import { marketOf, mutual } from '../../src/matching/market.ts';
import { marketWith, pairsOf } from './any-market.ts';

describe('a market', () => {
  it('has each pair once for both, as it is given first', () => {
    const market = marketWith(3, [
      [2, 0, 0.5],
      [0, 2, 0.25],
      [1, 2, 0.125],
      [2, 0, 0.75],
    ]);
    expect([0, 1, 2].map((member) => pairsOf(market, member))).toEqual([
      [{ partner: 2, weight: 0.5 }],
      [{ partner: 2, weight: 0.125 }],
      [
        { partner: 0, weight: 0.5 },
        { partner: 1, weight: 0.125 },
      ],
    ]);
  });

  it('leaves out members with themselves, and pairs without weight', () => {
    const market = marketWith(2, [
      [0, 0, 1],
      [0, 1, 0],
      [1, 0, Number.NaN],
    ]);
    expect(market.other).toHaveLength(0);
  });

  it('rejects a member that it does not have', () => {
    expect(() => marketOf(2, { one: [0], other: [2], weight: [1] })).toThrow('pair 0 has an unknown member');
  });
});

describe('the probability of a match', () => {
  it('is that of both likes, and never quite nothing', () => {
    expect(mutual(0.5, 0.25)).toBe(0.125);
    expect(mutual(0, 2)).toBe(1e-4);
  });
});
