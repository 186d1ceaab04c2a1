import { describe, expect, it } from '@jest/globals';
import { thenAndNow } from '../../src/service/then-and-now.ts';

const bad = 'Send me money';
const harmless = 'I like hiking';
const review = { field: 'headline', current: bad, proposed: harmless, flags: [], revision: 'r' };

describe('the texts of a report', () => {
  const evidence = { texts: { headline: bad, city: 'Austin' }, pending: { headline: harmless } };

  it('show what others read apart from what waited', () => {
    const now = { texts: { headline: bad, city: 'Austin' }, texts_to_review: [review] };
    expect(thenAndNow(evidence, now)).toEqual([
      { field: 'headline', isWaiting: false, reported: bad, now: bad },
      { field: 'headline', isWaiting: true, reported: harmless, now: harmless },
      { field: 'city', isWaiting: false, reported: 'Austin', now: 'Austin' },
    ]);
  });

  it('stay after the waiting text was approved', () => {
    const now = { texts: { headline: harmless }, texts_to_review: [] };
    expect(thenAndNow(evidence, now)).toEqual([
      { field: 'headline', isWaiting: false, reported: bad, now: harmless },
      { field: 'headline', isWaiting: true, reported: harmless, now: '' },
      { field: 'city', isWaiting: false, reported: 'Austin', now: '' },
    ]);
  });

  it('have no row for a published text that only its contact data brought to review', () => {
    const now = { texts: { headline: bad }, texts_to_review: [{ ...review, proposed: null }] };
    expect(thenAndNow({ texts: {}, pending: {} }, now)).toEqual([
      { field: 'headline', isWaiting: false, reported: '', now: bad },
    ]);
  });
});
