import { describe, expect, it } from '@jest/globals';
import { offersFor } from '../../src/prices/offers.ts';
import { findPromo, judgePromo, type PromoUse } from '../../src/prices/promo.ts';
import { promo, testData } from '../fixtures.ts';

const use: PromoUse = {
  siteid: 1,
  platform: 'web',
  at: new Date('2026-06-15T12:00:00Z'),
  offers: offersFor(testData, { siteid: 1 }),
  usedByMember: false,
  uses: 0,
};
const ios = offersFor(testData, { siteid: 1 }, { app_platform: 'app_ios', app_id: '1500000001', version: 0 });

const yen = use.offers.map((offer) => ({ ...offer, currency: 'JPY' }));

describe('a promo code', () => {
  it('is found in any case and with surrounding blanks', () => {
    expect(findPromo(testData.promoCodes, ' half ')).toBe(promo('HALF'));
    expect(findPromo(testData.promoCodes, 'hal')).toBeUndefined();
    expect(findPromo(testData.promoCodes, '')).toBeUndefined();
  });

  it.each<[string, string, Partial<PromoUse>, string]>([
    ['a plain one', 'HALF', {}, 'valid'],
    ['a used one that may be used again', 'HALF', { usedByMember: true, uses: 1_000 }, 'valid'],
    ['one for another site', 'SITE3', {}, 'not_applicable'],
    ['one for this site', 'SITE3', { siteid: 3 }, 'valid'],
    ['one for apps, on the web', 'APPS', {}, 'not_applicable'],
    ['one for apps, in one of them', 'APPS', { platform: 'twa' }, 'valid'],
    ['one for apps, in another', 'APPS', { platform: 'app_android' }, 'not_applicable'],
    ['before its first moment', 'JUNE', { at: new Date('2026-05-31T23:59:59.999Z') }, 'not_yet'],
    ['at its first moment', 'JUNE', { at: new Date('2026-06-01T00:00:00Z') }, 'valid'],
    ['just before its end', 'JUNE', { at: new Date('2026-06-30T23:59:59.999Z') }, 'valid'],
    ['at its end', 'JUNE', { at: new Date('2026-07-01T00:00:00Z') }, 'expired'],
    ['once per member, unused', 'ONCE', { uses: 1_000 }, 'valid'],
    ['once per member, used', 'ONCE', { usedByMember: true }, 'used'],
    ['with a use left', 'FEW', { uses: 2 }, 'valid'],
    ['with none left', 'FEW', { uses: 3 }, 'used_up'],
    ['a trial of a package on offer', 'TRIAL', {}, 'valid'],
    ['an amount in the currency of the prices', 'HUGE', {}, 'valid'],
    ['an amount in another currency', 'HUGE', { offers: yen }, 'not_applicable'],
    ['a trial of a package that the app does not sell', 'TRIAL', { offers: ios }, 'not_applicable'],
  ])('%s: %s is %s', (_case, code, facts, expected) => {
    const outcome = judgePromo(promo(code), { ...use, ...facts });
    expect(outcome.valid ? 'valid' : outcome.problem).toBe(expected);
  });

  it('that does not exist is unknown', () => {
    expect(judgePromo(undefined, use)).toEqual({ valid: false, problem: 'unknown' });
  });
});
