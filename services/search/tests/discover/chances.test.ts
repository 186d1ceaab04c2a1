import { neutralAnswerRate } from '@covalence/contract/search-projection';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { chanceOfLike, chanceOfPresence } from '../../src/discover/chances.ts';

describe('the chance of a like', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });

  it('grows with the criteria that are met and with the affinity, and is never certain', () => {
    fc.assert(
      fc.property(share, share, share, (less, more, same) => {
        const [from, to] = [Math.min(less, more), Math.max(less, more)];
        expect(chanceOfLike(to, same)).toBeGreaterThanOrEqual(chanceOfLike(from, same));
        expect(chanceOfLike(same, to)).toBeGreaterThanOrEqual(chanceOfLike(same, from));
      }),
    );
    expect(chanceOfLike(0, 0)).toBeGreaterThan(0);
    expect(chanceOfLike(1, 1)).toBeLessThan(1);
  });

  it('changes the score of a feed little with each step of the wishes, whatever the taste', () => {
    const step = 1 / 3;
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1 - step, noNaN: true }), share, (met, affinity) => {
        const change = Math.log(chanceOfLike(met + step, affinity) / chanceOfLike(met, affinity));
        expect(change).toBeLessThan(2 / 3);
      }),
    );
  });
});

const chance = (seen: string, now: string) =>
  chanceOfPresence({ last_seen: seen, answer_rate: neutralAnswerRate }, new Date(now));

describe('the chance that a member is there', () => {
  it('falls at midnight for all, so that no order reveals the hour at which a member was active', () => {
    const early = '2026-06-14T00:01:00Z';
    const late = '2026-06-14T23:59:00Z';
    for (const now of ['2026-06-15T00:00:30Z', '2026-06-15T12:00:00Z', '2026-06-15T23:59:30Z'])
      expect(chance(early, now)).toBe(chance(late, now));
    expect(chance(late, '2026-06-15T00:00:30Z')).toBeLessThan(chance(late, '2026-06-14T23:59:30Z'));
  });
});
