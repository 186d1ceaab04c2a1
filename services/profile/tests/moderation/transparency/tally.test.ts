import { describe, expect, it } from '@jest/globals';
import { array, assert, constantFrom, nat, option, property, record } from 'fast-check';
import { medianOf, oneCase, summed, withoutSmall } from '../../../src/moderation/transparency/tally.ts';

const categories = ['scam', 'fake_profile', 'hate', 'other'];

/** Cases of a measure on two sites. */
const cases = array(
  record({
    siteid: constantFrom(1, 2),
    category: constantFrom(...categories),
    hours: option(nat(9), { nil: undefined }),
  }),
  { maxLength: 60 },
);

const countsOf = (some: readonly { siteid: number; category: string; hours: number | undefined }[]) =>
  summed(some.flatMap(({ siteid, category, hours }) => oneCase(siteid, 'reports', category, hours)));

describe('counts that are kept for good', () => {
  it('add up, and tell no category of fewer than five cases, also by difference', () => {
    assert(
      property(cases, (some) => {
        const kept = withoutSmall(countsOf(some));
        for (const site of [1, 2]) {
          const own = kept.filter(({ siteid }) => siteid === site);
          const all = own.find(({ category }) => category === 'total')?.count ?? 0;
          const others = own.filter(({ category }) => category !== 'total');
          expect(all).toBe(some.filter(({ siteid }) => siteid === site).length);
          expect(others.reduce((sum, { count }) => sum + count, 0)).toBe(all);
          expect(others.filter(({ count }) => count < 5 && count < all)).toEqual([]);
        }
      }),
    );
  });

  it('have the median of all cases, or none', () => {
    const counts = countsOf([1, 2, 3, 9, 9].map((hours) => ({ siteid: 1, category: 'scam', hours })));
    const [all] = withoutSmall(counts);
    expect(all && medianOf(all)).toBe(3);
    const [few] = withoutSmall(countsOf([{ siteid: 1, category: 'scam', hours: 1 }]));
    const [of] = summed([all, few].flatMap((each) => each ?? []));
    expect(of).toMatchObject({ category: 'total', count: 6 });
    expect(of && medianOf(of)).toBeUndefined();
  });
});
