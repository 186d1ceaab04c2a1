import { startAppStoreConnect } from '@covalence/fakes/app-store-connect';
import { startGooglePlay } from '@covalence/fakes/google-play';
import { startStripe } from '@covalence/fakes/stripe';
import { createProgram, runProgram } from '@covalence/runtime/command';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { addPackagesCommands } from '../../src/check/packages-command.ts';
import { testData } from '../fixtures.ts';

const [month, season] = testData.packages;
const [half] = testData.promoCodes;
const folder = mkdtempSync(join(tmpdir(), 'covalence-packages-'));
let play: Awaited<ReturnType<typeof startGooglePlay>>;
let connect: Awaited<ReturnType<typeof startAppStoreConnect>>;
beforeAll(async () => {
  play = await startGooglePlay({ packageName: 'com.test', clock: () => new Date() });
  connect = await startAppStoreConnect('1500000001');
});
afterAll(async () => {
  await play.close();
  await connect.close();
  rmSync(folder, { recursive: true });
});

/** The exit code and output of `covalence packages`. */
async function packages(args: readonly string[], environment: Record<string, string> = {}) {
  const output = new PassThrough();
  const program = createProgram('covalence', 'test', { stdout: output, stderr: output });
  addPackagesCommands(program, () => environment);
  const code = await runProgram(program, ['packages', ...args]);
  output.end();
  return { code, said: await text(output) };
}

/** Checks what is sold. */
function check(
  files: { packages?: object; apps?: object; codes?: object },
  environment: Record<string, string> = {},
) {
  const content = {
    packages: files.packages ?? [month, season],
    'in-app-products': files.apps ?? [],
    'promo-codes': files.codes ?? [],
  };
  for (const [name, data] of Object.entries(content))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(data));
  return packages(['check', folder], environment);
}
const lines = (said: string) => said.trim().split('\n').slice(1).toSorted();

describe('covalence packages check', () => {
  it('accepts the shipped data, and names every problem of a folder', async () => {
    expect(await packages(['check'])).toEqual({ code: 0, said: expect.stringContaining('all valid') });
    const { code: ended, said } = await check({ packages: [month, month], codes: [half, half] });
    expect([ended, said]).toEqual([1, expect.stringContaining('package_id 1 appears twice')]);
    expect(said).toContain('promo code HALF appears twice');
    // Without a folder, what the service of this environment sells.
    expect(await packages(['check'], { PACKAGES_DIR: folder })).toEqual({ code: ended, said });
    writeFileSync(join(folder, 'packages.json'), '[');
    expect(await packages(['check', folder])).toEqual({
      code: 1,
      said: expect.stringContaining('packages.json:'),
    });
    expect((await packages(['--help'])).code).toBe(0);
    expect((await packages(['look'])).code).toBe(64);
  });
});

/** A base plan as the API answers it. */
const plan = (basePlanId: string, period: string, more: object = {}) => ({
  basePlanId,
  state: 'ACTIVE',
  autoRenewingBasePlanType: { billingPeriodDuration: period },
  regionalConfigs: [
    { regionCode: 'US', newSubscriberAvailability: true, price: { currencyCode: 'USD', units: '30' } },
    {
      regionCode: 'DE',
      newSubscriberAvailability: true,
      price: { currencyCode: 'EUR', units: '29', nanos: 990_000_000 },
    },
  ],
  ...more,
});
const product = (productId: string, ...basePlans: object[]) => ({
  packageName: 'com.test',
  productId,
  basePlans,
});
const playEnvironment = () => ({
  GOOGLE_PLAY_APPS: JSON.stringify([play.app]),
  GOOGLE_PLAY_API_URL: play.url,
});
const appleEnvironment = (key: object = {}) => ({
  APP_STORE_APPS: JSON.stringify([
    { app_id: '1500000001', bundle_id: 'com.test.ios', ...connect.access },
    { app_id: '1500000001', bundle_id: 'com.test.ios', environment: 'Sandbox', ...connect.access },
  ]),
  APP_STORE_CONNECT_KEY: JSON.stringify({ ...connect.access, ...key }),
  APP_STORE_CONNECT_URL: connect.url,
});

describe('covalence packages check with the key of Google Play', () => {
  const apps = [
    {
      app_platform: 'app_android',
      app_id: 'com.test',
      version: 1,
      products: [
        { rate_id: 11, product_id: 'monthly' },
        { rate_id: 21, product_id: 'quarterly', offer_id: 'welcome' },
      ],
    },
  ];
  const euros = { countries: ['DE'], currency: 'EUR', amount: 2500 };
  const priced = [month, season].map((pack) => ({
    ...pack,
    rates: [{ ...pack?.rates[0], prices: [euros] }],
  }));

  it('says that products, periods and offers are the same, and which prices differ', async () => {
    play.sell({
      subscriptions: [
        product('monthly', plan('m', 'P1M')),
        product('quarterly', plan('q', 'P3M')),
        product('old'),
      ],
      offers: [{ productId: 'quarterly', basePlanId: 'q', offerId: 'welcome', state: 'ACTIVE' }],
    });
    const { code: ended, said } = await check({ packages: priced, apps }, playEnvironment());
    expect([ended, lines(said)]).toEqual([
      0,
      [
        'google_play com.test: 2 subscriptions compared',
        'google_play com.test: monthly costs 25 EUR, 29.99 EUR at the store in DE',
        'google_play com.test: quarterly costs 25 EUR, 29.99 EUR at the store in DE',
        'google_play com.test: quarterly costs 60 USD, 30 USD at the store in US',
      ],
    ]);
  });

  it('names what members could not buy, or would buy for another time', async () => {
    play.sell({
      subscriptions: [
        product('monthly', plan('m', 'P1M', { state: 'INACTIVE' })),
        product('quarterly', plan('q', 'P3M'), plan('y', 'P1Y')),
        product('extra', plan('e', 'P1W')),
      ],
      offers: [
        { productId: 'quarterly', basePlanId: 'q', offerId: 'other', state: 'ACTIVE' },
        { productId: 'quarterly', basePlanId: 'q', offerId: 'third', state: 'ACTIVE' },
        { productId: 'quarterly', basePlanId: 'q', offerId: 'welcome', state: 'DRAFT' },
      ],
    });
    const { code: ended, said } = await check({ apps }, playEnvironment());
    expect(ended).toBe(1);
    expect(lines(said)).toEqual([
      'google_play com.test: extra:e is on sale at the store, but of no package: its purchases are refused',
      'google_play com.test: monthly is not on sale at the store',
      'google_play com.test: quarterly costs 60 USD, 30 USD at the store in US',
      'google_play com.test: quarterly has no offer welcome at the store',
      'google_play com.test: quarterly renews every P1Y at the store, its package has 90 days',
    ]);
  });

  it('says in one line that the store cannot be asked', async () => {
    play.failWith('unauthorized');
    const { code: ended, said } = await check({ apps }, playEnvironment());
    play.failWith(undefined);
    expect([ended, lines(said)]).toEqual([
      1,
      [expect.stringMatching(/^google_play com\.test: the products could not be read: /)],
    ]);
  });
});

describe('covalence packages check with the key of App Store Connect', () => {
  const apps = [
    {
      app_platform: 'app_ios',
      app_id: '1500000001',
      version: 0,
      products: [
        { rate_id: 11, product_id: 'ios.1' },
        { rate_id: 21, product_id: 'ios.3' },
      ],
    },
  ];
  it('compares what new buyers pay today, page by page', async () => {
    connect.sell([
      {
        productId: 'ios.1',
        subscriptionPeriod: 'ONE_MONTH',
        prices: [
          { territory: 'USA', currency: 'USD', customerPrice: '19.99', preserved: true },
          { territory: 'USA', currency: 'USD', customerPrice: '25.0', startDate: '2024-01-01' },
          { territory: 'USA', currency: 'USD', customerPrice: '30.0', startDate: '2025-01-01' },
          { territory: 'USA', currency: 'USD', customerPrice: '40.0', startDate: '2999-01-01' },
          { territory: 'ECU', currency: 'USD', customerPrice: '29.99' },
        ],
      },
      { productId: 'ios.6', subscriptionPeriod: 'SIX_MONTHS', state: 'MISSING_METADATA', prices: [] },
      { productId: 'ios.3', subscriptionPeriod: 'ONE_YEAR', prices: [] },
    ]);
    const { code: ended, said } = await check({ apps }, appleEnvironment());
    expect([ended, lines(said)]).toEqual([
      1,
      [
        'app_store 1500000001: ios.1 costs 30 USD, 29.99 USD at the store in EC',
        'app_store 1500000001: ios.3 renews every P1Y at the store, its package has 90 days',
      ],
    ]);
  });

  it('does not print a key that is refused or no key', async () => {
    const refused = await check({ apps }, appleEnvironment({ key_id: 'other' }));
    expect([refused.code, lines(refused.said)]).toEqual([
      1,
      [
        'app_store 1500000001: the products could not be read: App Store Connect answered 401 to /v1/apps/1500000001/subscriptionGroups',
      ],
    ]);
    const broken = await check({ apps }, appleEnvironment({ key: 'secret' }));
    expect([broken.code, broken.said]).toEqual([
      78,
      expect.stringContaining('APP_STORE_CONNECT_KEY.key: must be a'),
    ]);
    expect(broken.said).not.toContain('secret');
  });
});

describe('covalence packages check with the key of Stripe', () => {
  it('names products and coupons that the account does not have', async () => {
    const stripe = await startStripe(() => new Date(), ['monthly', 'seasonal']);
    const products = [
      { rate_id: 11, product_id: 'monthly', offer_id: 'welcome' },
      { rate_id: 21, product_id: 'seasonal', offer_id: 'gone' },
      { rate_id: 31, product_id: 'half-yearly' },
    ];
    const apps = [{ app_platform: 'web', app_id: 'stripe', version: 0, products }];
    const environment = { STRIPE_SECRET_KEY: stripe.secretKey, STRIPE_API_URL: stripe.url };
    const { code: ended, said } = await check({ packages: testData.packages, apps }, environment);
    expect([ended, lines(said)]).toEqual([
      1,
      [
        'stripe: half-yearly is no subscription of the store',
        'stripe: seasonal has no offer gone at the store',
      ],
    ]);
    await stripe.close();
  });

  it('names Stripe Tax that is not set up, where it is to compute the tax', async () => {
    const stripe = await startStripe(() => new Date(), ['monthly']);
    const products = [{ rate_id: 11, product_id: 'monthly' }];
    const apps = [{ app_platform: 'web', app_id: 'stripe', version: 0, products }];
    const taxed = async (on: string) => {
      const access = { STRIPE_SECRET_KEY: stripe.secretKey, STRIPE_API_URL: stripe.url };
      const environment = { ...access, STRIPE_AUTOMATIC_TAX: on };
      const { code: ended, said } = await check({ packages: testData.packages, apps }, environment);
      return [ended, said.includes('Stripe Tax is not set up')];
    };
    expect([await taxed('true'), await taxed('false')]).toEqual([
      [0, false],
      [0, false],
    ]);
    stripe.tax.status = 'pending';
    expect([await taxed('true'), await taxed('false')]).toEqual([
      [1, true],
      [0, false],
    ]);
    await stripe.close();
  });
});
