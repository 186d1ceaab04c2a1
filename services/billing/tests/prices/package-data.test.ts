import { describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { parsePackageData, readPackageData } from '../../src/prices/package-data.ts';
import { testData } from '../fixtures.ts';

const shipped = () => readPackageData(fileURLToPath(new URL('../../data', import.meta.url)));

const problems = (change: object): string[] => {
  try {
    parsePackageData({ ...structuredClone(testData), ...change });
    return [];
  } catch (error) {
    return error instanceof z.ZodError ? error.issues.map(({ message }) => message) : [String(error)];
  }
};
const [pack] = testData.packages;
const [app, android] = testData.apps;
const euros = { countries: ['DE'], currency: 'EUR', amount: 2500 };
const [code] = testData.promoCodes;
const trial = testData.promoCodes.find(({ kind }) => kind === 'free_trial');

describe('package data', () => {
  it('ships with 1, 3, 6 and 12 months in more than one display order, and every kind of code', () => {
    const { packages, promoCodes, apps } = shipped();
    expect(packages.map(({ names }) => names.en_US)).toEqual([
      '1 month',
      '3 months',
      '6 months',
      '12 months',
    ]);
    const orders = packages.flatMap(({ rates }) => rates.map((rate) => rate.display_order));
    expect(new Set(orders).size).toBeGreaterThan(1);
    expect(new Set(promoCodes.map(({ kind }) => kind))).toEqual(
      new Set(['percentage', 'amount', 'free_trial']),
    );
    expect(new Set(apps.map(({ app_platform }) => app_platform))).toEqual(
      new Set(['app_ios', 'app_android', 'twa', 'web']),
    );
  });

  it('sells every package of a store on every site, even if a site has its own rates', () => {
    const { packages, apps } = shipped();
    const packageOf = new Map(
      packages.flatMap((one) => one.rates.map(({ rate_id }) => [rate_id, one] as const)),
    );
    for (const app of apps) {
      const sold = new Set(app.products.map(({ rate_id }) => packageOf.get(rate_id)));
      const rates = [...sold].flatMap((one) => one?.rates ?? []).map(({ rate_id }) => rate_id);
      expect(new Set(app.products.map(({ rate_id }) => rate_id))).toEqual(new Set(rates));
    }
  });

  it.each([
    ['a package twice', { packages: [pack, pack] }, 'package_id 1 appears twice'],
    [
      'a rate twice',
      { packages: [...testData.packages, { ...pack, package_id: 9 }] },
      'rate_id 11 appears twice',
    ],
    ['a code twice', { promoCodes: [code, code] }, 'promo code HALF appears twice'],
    [
      'more than three years on the web',
      { packages: [{ ...pack, days: 1_096 }, ...testData.packages.slice(1)] },
      'package_id 1 is too long to renew on the web',
    ],
    ['an app twice', { apps: [app, app] }, 'app app_ios 1500000001 0 appears twice'],
    [
      'a product without a rate',
      { apps: [{ ...app, products: [{ rate_id: 99, product_id: 'x' }] }] },
      "rate_id 99 of app app_ios 1500000001 0 is no package's",
    ],
    [
      'a trial without a rate',
      { promoCodes: [{ ...trial, rate_id: 98 }] },
      "rate_id 98 of promo code TRIAL is no package's",
    ],
    [
      'two prices for a country',
      {
        packages: [
          { ...pack, rates: [{ rate_id: 11, amount: 1, display_order: 1, prices: [euros, euros] }] },
        ],
      },
      'rate_id 11 has several prices for DE',
    ],
    [
      'a country with prices in two currencies',
      {
        packages: [
          { ...pack, rates: [{ ...pack?.rates[0], prices: [euros] }] },
          ...testData.packages.slice(1),
        ],
      },
      'a site without rates of its own, DE: prices in EUR and USD',
    ],
    [
      'a site with prices in two currencies',
      {
        packages: [
          {
            ...pack,
            rates: [
              ...(pack?.rates ?? []),
              { rate_id: 19, amount: 9, currency: 'GBP', display_order: 1, sites: [3] },
            ],
          },
        ],
      },
      'site 3: prices in USD and GBP',
    ],
    [
      'a base plan at the App Store',
      { apps: [{ ...app, products: [{ rate_id: 11, product_id: 'x', base_plan_id: 'y' }] }] },
      'only Google Play has base plans',
    ],
    [
      'a product that is another one without its base plan',
      {
        apps: [
          {
            ...android,
            products: [
              { rate_id: 11, product_id: 'x', base_plan_id: 'y' },
              { rate_id: 21, product_id: 'x' },
            ],
          },
        ],
      },
      'product_id x of app com.test is of several rates',
    ],
    ['an iOS version 1', { apps: [{ ...app, version: 1 }] }, 'the platform has no such version'],
    [
      'an offer outside Android and the web',
      { apps: [{ ...app, products: [{ rate_id: 11, product_id: 'x', offer_id: 'y' }] }] },
      'only web, and app_android with a version above 0, have offers',
    ],
    [
      'an empty date range',
      { promoCodes: [{ ...code, from: '2026-02-01T00:00:00Z', until: '2026-01-01T00:00:00Z' }] },
      'from must be before until',
    ],
  ])('rejects %s', (_case, change, problem) => {
    expect(problems(change)).toContain(problem);
  });

  it.each([
    [
      'a price with a fraction',
      { packages: [{ ...pack, rates: [{ rate_id: 11, amount: 29.99, display_order: 1 }] }] },
    ],
    ['a free package', { packages: [{ ...pack, rates: [{ rate_id: 11, amount: 0, display_order: 1 }] }] }],
    [
      'a currency that is none',
      { packages: [{ ...pack, rates: [{ rate_id: 11, amount: 9, currency: 'EURO', display_order: 1 }] }] },
    ],
    [
      'a country that is none',
      {
        packages: [
          {
            ...pack,
            rates: [{ rate_id: 11, amount: 9, display_order: 1, prices: [{ ...euros, countries: ['DEU'] }] }],
          },
        ],
      },
    ],
    ['a package without a rate', { packages: [{ ...pack, rates: [] }] }],
    ['more than everything off', { promoCodes: [{ ...code, percentage: 101 }] }],
    ['a code over 32 characters', { promoCodes: [{ ...code, code: 'A'.repeat(33) }] }],
    ['a name that is none', { packages: [{ ...pack, nmae: 'x' }] }],
  ])('rejects %s', (_case, change) => {
    expect(problems(change)).not.toEqual([]);
  });

  it('takes prices of currencies with many minor units', () => {
    const rupiah = { rate_id: 11, amount: 14_990_000_000, currency: 'IDR', display_order: 1 };
    expect(problems({ packages: [{ ...pack, rates: [rupiah] }], apps: [], promoCodes: [] })).toEqual([]);
  });

  it('lists every problem at once', () => {
    expect(problems({ packages: [pack, pack], promoCodes: [code, code] })).toEqual(
      expect.arrayContaining([
        'package_id 1 appears twice',
        'rate_id 11 appears twice',
        'promo code HALF appears twice',
      ]),
    );
  });
});
