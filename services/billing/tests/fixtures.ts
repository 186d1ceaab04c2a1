import {
  parsePackageData,
  type Package,
  type PackageData,
  type PromoCode,
} from '../src/prices/package-data.ts';
import type { Offer } from '../src/prices/offers.ts';

/** Two sites, one with a rate of its own, apps on every platform and a code of every kind. */
export const testData: PackageData = parsePackageData({
  packages: [
    {
      package_id: 1,
      names: { en_US: '1 month', de_DE: '1 Monat' },
      days: 30,
      rates: [
        { rate_id: 11, amount: 3000, display_order: 2 },
        { rate_id: 13, amount: 2000, display_order: 2, sites: [3] },
      ],
    },
    {
      package_id: 2,
      names: { en_US: '3 months', de_DE: '3 Monate' },
      days: 90,
      rates: [{ rate_id: 21, amount: 6000, display_order: 2 }],
    },
    {
      package_id: 3,
      names: { en_US: '6 months', de_DE: '6 Monate' },
      days: 180,
      rates: [
        { rate_id: 31, amount: 9000, display_order: 1 },
        { rate_id: 32, amount: 18_000, display_order: 3 },
      ],
    },
  ],
  apps: [
    {
      app_platform: 'app_ios',
      app_id: '1500000001',
      version: 0,
      products: [
        { rate_id: 11, product_id: 'ios.1' },
        { rate_id: 31, product_id: 'ios.6' },
      ],
    },
    {
      app_platform: 'app_android',
      app_id: 'com.test',
      version: 0,
      products: [
        { rate_id: 11, product_id: 'android.1' },
        { rate_id: 21, product_id: 'android.3' },
      ],
    },
    {
      app_platform: 'app_android',
      app_id: 'com.test',
      version: 1,
      products: [
        { rate_id: 11, product_id: 'android1.1' },
        { rate_id: 21, product_id: 'android1.3', offer_id: 'welcome' },
      ],
    },
    {
      app_platform: 'web',
      app_id: 'stripe',
      version: 0,
      products: [
        { rate_id: 11, product_id: 'prod_month' },
        { rate_id: 21, product_id: 'prod_quarter', offer_id: 'WELCOME' },
        { rate_id: 31, product_id: 'prod_half' },
      ],
    },
    { app_platform: 'twa', app_id: 'com.twa', version: 1, products: [{ rate_id: 21, product_id: 'twa.3' }] },
  ],
  promoCodes: [
    { code: 'HALF', kind: 'percentage', percentage: 50, once_per_member: false },
    { code: 'ONCE', kind: 'percentage', percentage: 10, once_per_member: true },
    { code: 'FEW', kind: 'percentage', percentage: 10, once_per_member: true, total_uses: 3 },
    { code: 'LAST', kind: 'percentage', percentage: 10, once_per_member: true, total_uses: 1 },
    { code: 'TWENTYOFF', kind: 'amount', amount: 2000, once_per_member: false },
    { code: 'HUGE', kind: 'amount', amount: 7000, once_per_member: false },
    { code: 'TRIAL', kind: 'free_trial', rate_id: 21, trial_days: 7, once_per_member: false },
    { code: 'SITE3', kind: 'percentage', percentage: 10, sites: [3], once_per_member: false },
    {
      code: 'APPS',
      kind: 'percentage',
      percentage: 10,
      platforms: ['app_ios', 'twa'],
      once_per_member: false,
    },
    {
      code: 'JUNE',
      kind: 'percentage',
      percentage: 10,
      from: '2026-06-01T00:00:00Z',
      until: '2026-07-01T00:00:00Z',
      once_per_member: false,
    },
  ],
});

/** The promo code of the test data. */
export function promo(code: string): PromoCode {
  const found = testData.promoCodes.find((entry) => entry.code === code);
  if (!found) throw new Error(`no promo code ${code}`);
  return found;
}

/** Offers of made-up packages: length in days and price in minor units each. */
export function offersOf(...prices: readonly (readonly [days: number, amount: number])[]): Offer[] {
  return prices.map(([days, amount], index) => {
    const price = { amount, currency: 'USD' };
    const rate = { rate_id: index + 1, ...price, prices: [], display_order: index };
    const pack: Package = { package_id: index + 1, names: { en_US: `${days} days` }, days, rates: [rate] };
    return { pack, rate, ...price };
  });
}
