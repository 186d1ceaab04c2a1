import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parsePackageData } from '../../src/prices/package-data.ts';
import { replacing, startService, type ServiceUnderTest } from '../harness.ts';
import { testData } from '../fixtures.ts';

const german = { countries: ['DE', 'AT'], currency: 'EUR' };
const priced = (rate_id: number, amount: number, euros: number, yen: number) => ({
  rate_id,
  amount,
  display_order: 1,
  prices: [
    { ...german, amount: euros },
    { countries: ['JP'], currency: 'JPY', amount: yen },
    { countries: ['IN'], amount: 500 },
  ],
});
const [month, season] = testData.packages;
const packages = [
  { ...month, rates: [priced(11, 3000, 2500, 3200)] },
  { ...season, rates: [priced(21, 6000, 5000, 6400)] },
];
const data = { ...testData, packages, apps: [], promoCodes: testData.promoCodes };

let billing: ServiceUnderTest;
beforeAll(async () => {
  billing = await startService('country-prices', { config: { PACKAGES_DIR: parsePackageData(data) } });
  billing.profile.countries.set(1, 'DE').set(2, 'JP').set(3, 'IN').set(4, 'FR').set(5, 'AT');
});
afterAll(() => billing.close());

const pricesOf = async (id: number, promo_code?: string) => {
  const { body } = await billing.packages({ promo_code }, { id });
  return body.packages.map((row: { amount: number; currency_code: string; promo_error?: string }) => [
    row.amount,
    row.currency_code,
    row.promo_error !== undefined,
  ]);
};
const buy = (id: number, receipt: string, promo_code?: string) =>
  billing.post('/packages/purchase', { package_id: 1, rate_id: 11, receipt, promo_code }, { id });

describe('prices by country', () => {
  it('are those of the member’s country, else the general ones', async () => {
    expect(await Promise.all([1, 2, 3, 4].map((id) => pricesOf(id)))).toEqual([
      [
        [25, 'EUR', false],
        [50, 'EUR', false],
      ],
      [
        [3200, 'JPY', false],
        [6400, 'JPY', false],
      ],
      [
        [5, 'USD', false],
        [5, 'USD', false],
      ],
      [
        [30, 'USD', false],
        [60, 'USD', false],
      ],
    ]);
  });

  it('have no amount of another currency taken off', async () => {
    expect(await pricesOf(3, 'TWENTYOFF')).toEqual([
      [0, 'USD', false],
      [0, 'USD', false],
    ]);
    expect(await pricesOf(1, 'TWENTYOFF')).toEqual([
      [25, 'EUR', true],
      [50, 'EUR', true],
    ]);
    expect(await pricesOf(1, 'HALF')).toEqual([
      [12.5, 'EUR', false],
      [25, 'EUR', false],
    ]);
    expect(await buy(1, 'good:cheap', 'TWENTYOFF')).toMatchObject({
      status: 403,
      body: { fail: 'Invalid Argument' },
    });
  });

  it('are charged, and again at each renewal after a move to another country', async () => {
    billing.time.now = new Date('2026-06-15T12:00:00Z');
    const bought = await buy(1, 'good:1');
    expect(bought.body).toMatchObject({ amount: 25, amount_fmt: '€25.00', currency_code: 'EUR' });
    billing.profile.countries.set(1, 'IN');
    await billing.moveTo('2026-07-15T11:00:00Z');
    expect(await billing.context.ledger.of(1)).toMatchObject([
      { kind: 'purchase', amount: 2500, currency: 'EUR' },
      { kind: 'renewal', amount: 2500, currency: 'EUR' },
    ]);
  });

  it('are not guessed while the country cannot be read', async () => {
    billing.profile.isAway = true;
    expect((await billing.packages({}, { id: 5 })).status).toBe(503);
    expect((await buy(5, 'good:5')).status).toBe(503);
    billing.profile.isAway = false;
    const { reads } = billing.profile;
    expect((await buy(5, 'good:5')).body).toMatchObject({ status: 'paid', amount: 25, currency_code: 'EUR' });
    // Price and language are read together.
    expect(billing.profile.reads - reads).toBe(1);
  });

  it('that no longer exist in the currency end the renewal, and the member may buy at once', async () => {
    billing.time.now = new Date('2026-06-15T12:00:00Z');
    expect((await buy(2, 'good:2')).body).toMatchObject({ amount: 3200, currency_code: 'JPY' });
    const dollars = [{ ...month, rates: [{ rate_id: 11, amount: 3000, display_order: 1 }] }];
    const packageData = parsePackageData({ ...data, packages: dollars, promoCodes: [] });
    await replacing(
      billing.context,
      () => ({ packageData }),
      () => billing.moveTo('2026-07-15T11:00:00Z'),
    );
    expect(await billing.context.memberships.find(2)).toMatchObject({ status: 'active', autorenew: false });
    expect((await billing.packages({}, { id: 2 })).body.can_purchase).toBe(true);
    expect((await billing.charged(2)).held).toBe(3200);
  });
});
