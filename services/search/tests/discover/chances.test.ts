import { neutralAnswerRate } from '@covalence/contract/search-projection';
import { describe, expect, it } from '@jest/globals';
import { chanceOfPresence } from '../../src/discover/chances.ts';

const chance = (seen: string, now: string) =>
  chanceOfPresence({ last_seen: seen, answer_rate: neutralAnswerRate }, new Date(now));

describe('the chance that a member is there', () => {
  it('falls at midnight for all, so that no order tells the hour at which a member was there', () => {
    const early = '2026-06-14T00:01:00Z';
    const late = '2026-06-14T23:59:00Z';
    for (const now of ['2026-06-15T00:00:30Z', '2026-06-15T12:00:00Z', '2026-06-15T23:59:30Z'])
      expect(chance(early, now)).toBe(chance(late, now));
    expect(chance(late, '2026-06-15T00:00:30Z')).toBeLessThan(chance(late, '2026-06-14T23:59:30Z'));
  });
});
