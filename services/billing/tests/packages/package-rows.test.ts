import { fuzzing } from '@covalence/testing/fuzzing';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { offersFor } from '../../src/prices/offers.ts';
import type { PromoCode } from '../../src/prices/package-data.ts';
import { packageRecord, packageRows } from '../../src/packages/package-rows.ts';
import { offersOf, promo, testData } from '../fixtures.ts';

const locale = 'en_US';
const valid = (code: string) => ({ valid: true, promo: promo(code) }) as const;
const rowsOf = (siteid: number, code?: string) =>
  packageRows(offersFor(testData, { siteid }), code ? valid(code) : undefined, locale);

/** Product and offer of each row on Android. */
const android = (version: number) =>
  packageRows(
    offersFor(testData, { siteid: 1 }, { app_platform: 'app_android', app_id: 'com.test', version }),
    undefined,
    locale,
  ).map(({ app_product_id, offer_id }) => [app_product_id, offer_id]);

describe('offers', () => {
  it('are ordered by display order, then length', () => {
    expect(rowsOf(1).map(({ rate_id }) => rate_id)).toEqual([31, 11, 21, 32]);
  });

  it('use the rates of the site instead of the general ones', () => {
    expect(rowsOf(3).map(({ rate_id }) => rate_id)).toEqual([31, 13, 21, 32]);
  });

  it.each([
    ['app_ios', '1500000001', 0, [31, 11]],
    ['app_android', 'com.test', 0, [11, 21]],
    ['twa', 'com.twa', 1, [21]],
    ['twa', 'com.twa', 0, []],
    ['app_ios', 'com.unknown', 0, []],
    ['app_ios', 'com.test', 0, []],
  ] as const)(
    'for %s %s version %d are those with an in-app product',
    (app_platform, app_id, version, rates) => {
      const offers = offersFor(testData, { siteid: 1 }, { app_platform, app_id, version });
      expect(offers.map(({ rate }) => rate.rate_id)).toEqual(rates);
    },
  );
});

describe('rows', () => {
  it('have every field for the dearest package, without savings', () => {
    expect(rowsOf(1).find(({ rate_id }) => rate_id === 11)).toEqual({
      package_id: 1,
      rate_id: 11,
      name: '1 month',
      amount: 30,
      amount_fmt: '$30.00',
      amount_monthly: 30,
      amount_monthly_fmt: '$30.00',
      days: 30,
      currency_code: 'USD',
    });
  });

  it('compare savings with the dearest package per day', () => {
    const [row] = rowsOf(1);
    expect(row).toMatchObject({ rate_id: 31, amount: 90, amount_monthly: 15 });
    expect(row).toMatchObject({ savings: 90, savings_fmt: '$90.00', savings_percentage: 50 });
    // As dear per day as the dearest one: nothing is saved.
    expect(rowsOf(1).find(({ rate_id }) => rate_id === 32)).not.toHaveProperty('savings');
  });

  it('compare only rates of the site', () => {
    const row = rowsOf(3).find(({ rate_id }) => rate_id === 21);
    // 32 is the dearest there: 180.00 for 180 days.
    expect(row).toMatchObject({ savings: 30, savings_percentage: 33 });
  });

  it.each([
    ['HALF', 45, 45, 50, 135, 75],
    ['TWENTYOFF', 70, 20, 22, 110, 61],
    ['HUGE', 20, 70, 78, 160, 89],
  ])('with %s', (code, amount, discount, percentage, savings, savings_percentage) => {
    expect(rowsOf(1, code)[0]).toEqual(
      expect.objectContaining({
        amount,
        discount,
        percentage,
        savings,
        savings_percentage,
        amount_monthly: Math.round((amount * 100) / 6) / 100,
        discount_fmt: `$${discount}.00`,
        original: 90,
        original_fmt: '$90.00',
        original_monthly: 15,
        original_monthly_fmt: '$15.00',
      }),
    );
  });

  it('never have a negative amount', () => {
    expect(rowsOf(1, 'HUGE').find(({ rate_id }) => rate_id === 11)).toMatchObject({
      amount: 0,
      discount: 30,
      percentage: 100,
      original: 30,
    });
  });

  it('are one package for a free trial, at no cost', () => {
    const rows = rowsOf(1, 'TRIAL');
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ rate_id: 21, trial_length: 7, amount: 0, amount_fmt: '$0.00' });
  });

  it('have promo_error and full prices with an invalid code', () => {
    const rows = packageRows(
      offersFor(testData, { siteid: 1 }),
      { valid: false, problem: 'expired' },
      locale,
    );
    expect(rows).toEqual(rowsOf(1).map((row) => ({ ...row, promo_error: 'This promo code has expired.' })));
  });

  it('have product and offer of the app', () => {
    expect(android(0)).toEqual([
      ['android.1', undefined],
      ['android.3', undefined],
    ]);
    expect(android(1)).toEqual([
      ['android1.1', undefined],
      ['android1.3', 'welcome'],
    ]);
  });

  it('use the locale', () => {
    const [row] = packageRows(offersFor(testData, { siteid: 1 }), undefined, 'de_DE');
    expect(row).toMatchObject({ name: '6 Monate', amount_fmt: '90,00\u00a0$', amount: 90 });
    const [fallback] = packageRows(offersFor(testData, { siteid: 1 }), undefined, 'fr_FR');
    expect(fallback).toMatchObject({ name: '6 months' });
  });
});

const minor = (number: number | undefined) => Math.round((number ?? 0) * 100);
const price = fc.tuple(fc.integer({ min: 1, max: 3_660 }), fc.integer({ min: 1, max: 100_000_000 }));
const prices = fc.array(price, { minLength: 1, maxLength: 8 });
const terms = { once_per_member: false };
const anyPromo: fc.Arbitrary<PromoCode> = fc.oneof(
  fc.integer({ min: 1, max: 100 }).map((percentage) => ({
    code: 'P',
    kind: 'percentage' as const,
    percentage,
    ...terms,
  })),
  fc.integer({ min: 1, max: 100_000_000 }).map((amount) => ({
    code: 'A',
    kind: 'amount' as const,
    amount,
    currency: 'USD',
    ...terms,
  })),
);

describe('rows of any price list', () => {
  it('amount + discount = original in minor units, and no amount is negative', () => {
    fc.assert(
      fc.property(prices, anyPromo, (list, promo) => {
        const offers = offersOf(...list);
        for (const [index, row] of packageRows(offers, { valid: true, promo }, locale).entries()) {
          expect(minor(row.amount) + minor(row.discount)).toBe(minor(row.original));
          expect(minor(row.original)).toBe(offers[index]?.rate.amount);
          expect(row.amount).toBeGreaterThanOrEqual(0);
          expect(row.percentage).toBeLessThanOrEqual(100);
        }
      }),
      fuzzing(),
    );
  });

  it('savings + amount = the price of the dearest package for as many days; never zero or below', () => {
    fc.assert(
      fc.property(prices, fc.option(anyPromo), (list, promo) => {
        const rows = packageRows(offersOf(...list), promo ? { valid: true, promo } : undefined, locale);
        const [dearDays, dearAmount] = list.reduce((a, b) => (a[1] * b[0] >= b[1] * a[0] ? a : b));
        for (const row of rows) {
          const exact = (dearAmount * row.days) / dearDays;
          const saved = exact - minor(row.amount);
          // A row without savings saves nothing; what is shown is off by rounding only.
          const shown = row.savings === undefined ? Math.min(saved, 0) : minor(row.savings);
          expect(Math.abs(shown - saved)).toBeLessThanOrEqual(0.5);
          expect(row.savings ?? 1).toBeGreaterThan(0);
          expect(row.savings_percentage ?? 0).toBeLessThanOrEqual(100);
        }
      }),
      fuzzing(),
    );
  });

  it('without a code, the dearest package has no savings', () => {
    fc.assert(
      fc.property(prices, (list) => {
        const rows = packageRows(offersOf(...list), undefined, locale);
        expect(rows.some(({ savings }) => savings === undefined)).toBe(true);
      }),
      fuzzing(),
    );
  });

  it('have the shape that clients know', () => {
    fc.assert(
      fc.property(prices, fc.option(anyPromo), (list, promo) => {
        const rows = packageRows(offersOf(...list), promo ? { valid: true, promo } : undefined, locale);
        for (const row of rows) {
          expect(packageRecord.parse(row)).toEqual(row);
          expect('savings' in row).toBe('savings_fmt' in row && 'savings_percentage' in row);
          expect('discount' in row).toBe(promo !== null);
        }
      }),
      fuzzing(),
    );
  });
});
