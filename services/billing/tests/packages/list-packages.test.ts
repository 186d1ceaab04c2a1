import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { imported, startService, type ServiceUnderTest } from '../harness.ts';
import { promo } from '../fixtures.ts';

let billing: ServiceUnderTest;
beforeAll(async () => {
  billing = await startService('packages');
});
afterAll(() => billing.close());

const rates = (body: { packages: { rate_id: number }[] }) => body.packages.map(({ rate_id }) => rate_id);
const errors = (body: { packages: { promo_error?: string }[] }) => [
  ...new Set(body.packages.map(({ promo_error }) => promo_error)),
];

/** The offer_id of each row. */
const offers = async (query: object) =>
  (await billing.packages(query)).body.packages.map((row: { offer_id?: string }) => row.offer_id);

/** The errors of the code JUNE at a moment. */
const juneAt = async (moment: string) => {
  billing.time.now = new Date(moment);
  return errors((await billing.packages({ promo_code: 'JUNE' })).body);
};

describe('GET /packages', () => {
  it('lists the packages of the site in order, and allows a purchase without a membership', async () => {
    const { status, body } = await billing.packages();
    expect(status).toBe(200);
    expect(rates(body)).toEqual([31, 11, 21, 32]);
    expect(body.can_purchase).toBe(true);
    expect(body.packages[0]).toEqual({
      package_id: 3,
      rate_id: 31,
      name: '6 months',
      amount: 90,
      amount_fmt: '$90.00',
      amount_monthly: 15,
      amount_monthly_fmt: '$15.00',
      days: 180,
      currency_code: 'USD',
      savings: 90,
      savings_fmt: '$90.00',
      savings_percentage: 50,
    });
  });

  it("has the site's rates, in the site's locale", async () => {
    billing.profile.locales.set(8, 'de_DE');
    const { body } = await billing.packages({}, { id: 8, siteid: 3 });
    expect(rates(body)).toEqual([31, 13, 21, 32]);
    expect(body.packages[1]).toMatchObject({ name: '1 Monat', amount: 20, amount_fmt: '20,00\u00a0$' });
  });

  it('uses the locale of the member, and that of the site while profile is down', async () => {
    billing.profile.locales.set(5, 'de_AT').set(6, 'es_ES').set(7, 'xx_XX');
    const first = async (id: number) => {
      const { body } = await billing.packages({ promo_code: 'NOSUCH' }, { id });
      const { name, amount_fmt, promo_error } = body.packages[0];
      return [name, amount_fmt, promo_error];
    };
    const german = ['6 Monate', '$\u00a090,00', 'Diesen Aktionscode gibt es nicht.'];
    expect(await first(5)).toEqual(german);
    expect(await first(6)).toEqual(['6 months', '90,00\u00a0US$', 'Este código promocional no existe.']);
    const english = ['6 months', '$90.00', 'This promo code does not exist.'];
    expect(await first(7)).toEqual(english);
    billing.profile.isAway = true;
    expect(await first(5)).toEqual(english);
    billing.profile.isAway = false;
    expect(await first(5)).toEqual(german);
  });

  it('requires a token of an existing site', async () => {
    const response = await billing.request.get('/packages');
    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer realm="covalence"');
    expect((await billing.packages({}, { id: 1, lifetime: -5 })).status).toBe(401);
    expect((await billing.packages({}, { id: 1, siteid: 99 })).status).toBe(403);
  });

  it('allows GET only', async () => {
    const response = await billing.request.post('/packages');
    expect([response.status, response.headers['allow']]).toEqual([405, 'GET']);
  });
});

const ios = { app_platform: 'app_ios', app_id: '1500000001' };
const android = { app_platform: 'app_android', app_id: 'com.test' };
const twa = { app_platform: 'twa', app_id: 'com.twa' };

describe('parameters', () => {
  it.each([
    ['app_id alone', { app_id: 'com.test' }],
    ['app_platform alone', { app_platform: 'twa' }],
    ['an empty app_platform', { app_platform: '' }],
    ['an empty app_platform with an app_id', { ...ios, app_platform: '' }],
    ['an empty app_id', { app_id: '' }],
    ['app_platform with an empty app_id', { app_platform: 'twa', app_id: '' }],
    ['an unknown platform', { ...ios, app_platform: 'windows' }],
    ['web as a platform', { ...ios, app_platform: 'web' }],
    ['a platform in another case', { ...ios, app_platform: 'APP_IOS' }],
    ['version 1 on iOS', { ...ios, version: 1 }],
    ['version 2 on Android', { ...android, version: 2 }],
    ['version -1', { ...twa, version: -1 }],
    ['version 0.5', { ...twa, version: 0.5 }],
    ['a version that is no number', { ...twa, version: 'one' }],
    ['a version in a list', { ...twa, 'version[]': '1' }],
    ['a promo_code of 33 characters', { promo_code: 'A'.repeat(33) }],
    ['two promo codes', { 'promo_code[0]': 'HALF', 'promo_code[1]': 'ONCE' }],
    ['a promo_code with an operator in it', { 'promo_code[$ne]': 'x' }],
    ['an app_id with an operator in it', { app_platform: 'twa', 'app_id[$ne]': 'x' }],
  ])('refuses %s: 403 without code', async (_case, query) => {
    const { status, body } = await billing.packages(query);
    expect([status, body]).toEqual([403, { fail: 'Invalid Argument' }]);
  });

  it.each([
    ['no app', {}, [undefined, undefined, undefined, undefined]],
    ['empty parameters', { version: '', promo_code: '' }, [undefined, undefined, undefined, undefined]],
    [
      'a version without a platform, whatever it is',
      { version: 99 },
      [undefined, undefined, undefined, undefined],
    ],
    ['iOS', ios, ['ios.6', 'ios.1']],
    ['iOS version 0', { ...ios, version: '0' }, ['ios.6', 'ios.1']],
    ['Android', android, ['android.1', 'android.3']],
    ['Android version 1', { ...android, version: 1 }, ['android1.1', 'android1.3']],
    ['twa version 1', { ...twa, version: 1 }, ['twa.3']],
    ['twa version 0, which has no products', twa, []],
    ['an app that is not known', { ...ios, app_id: '42' }, []],
    ['names in other spellings', { 'App-Platform': 'app_ios', 'APP-ID': '1500000001' }, ['ios.6', 'ios.1']],
  ])('%s: products', async (_case, query, products) => {
    const { status, body } = await billing.packages(query);
    expect(status).toBe(200);
    expect(body.packages.map((row: { app_product_id?: string }) => row.app_product_id)).toEqual(products);
  });

  it('returns offer_id for Android above version 0 only', async () => {
    expect(await offers({ ...android, version: 1 })).toEqual([undefined, 'welcome']);
    expect(await offers(android)).toEqual([undefined, undefined]);
  });

  it('compares the savings of an in-app list with the products of the app', async () => {
    const { body } = await billing.packages(android);
    expect(body.packages[1]).toMatchObject({ rate_id: 21, savings: 30, savings_percentage: 33 });
    expect(body.packages[0]).not.toHaveProperty('savings');
  });
});

describe('promo codes', () => {
  it.each(['HALF', 'half', ' Half '])('%p is applied', async (promo_code) => {
    const { body } = await billing.packages({ promo_code });
    expect(rates(body)).toEqual([31, 11, 21, 32]);
    expect(body.packages[1]).toMatchObject({
      amount: 15,
      discount: 15,
      discount_fmt: '$15.00',
      original: 30,
      original_monthly: 30,
      percentage: 50,
      savings: 15,
    });
    expect(errors(body)).toEqual([undefined]);
  });

  it('returns one package for a free trial', async () => {
    const { body } = await billing.packages({ promo_code: 'TRIAL' });
    expect(body.packages).toHaveLength(1);
    expect(body.packages[0]).toMatchObject({ rate_id: 21, trial_length: 7, amount: 0 });
  });

  it.each([
    ['NOSUCH', {}, 'This promo code does not exist.'],
    ['SITE3', {}, 'This promo code cannot be used here.'],
    ['APPS', {}, 'This promo code cannot be used here.'],
    ['TRIAL', { app_platform: 'app_ios', app_id: '1500000001' }, 'This promo code cannot be used here.'],
    ["'; drop", {}, 'This promo code does not exist.'],
    ['é'.repeat(32), {}, 'This promo code does not exist.'],
  ])('%s with %p: every row says why not, at full price', async (promo_code, query, error) => {
    const plain = await billing.packages(query);
    const { status, body } = await billing.packages({ ...query, promo_code });
    expect(status).toBe(200);
    expect(errors(body)).toEqual([error]);
    const withError = plain.body.packages.map((row: object) => ({ ...row, promo_error: error }));
    expect(body.packages).toEqual(withError);
  });

  it.each([
    ['HALF', ios, 50, ['ios.6', 'ios.1']],
    ['APPS', ios, 10, ['ios.6', 'ios.1']],
    ['APPS', { ...twa, version: 1 }, 10, ['twa.3']],
    ['HALF', { ...android, version: 1 }, 50, ['android1.1', 'android1.3']],
    ['TRIAL', { ...android, version: 1 }, 100, ['android1.3']],
  ])(
    '%s in an app with %p takes %p percent off each of its products',
    async (promo_code, app, percentage, products) => {
      const { body } = await billing.packages({ ...app, promo_code });
      const rows = body.packages as {
        app_product_id: string;
        percentage: number;
        discount: number;
        original: number;
      }[];
      expect(rows.map(({ app_product_id }) => app_product_id)).toEqual(products);
      expect(errors(body)).toEqual([undefined]);
      for (const row of rows) {
        expect(row.percentage).toBe(percentage);
        expect(row.discount).toBeCloseTo((row.original * percentage) / 100, 9);
      }
    },
  );

  it("the reason is in the site's locale", async () => {
    const { body } = await billing.packages({ promo_code: 'NOSUCH' }, { id: 8, siteid: 3 });
    expect(errors(body)).toEqual(['Diesen Aktionscode gibt es nicht.']);
  });

  it('are valid between their dates', async () => {
    expect(await juneAt('2026-05-31T23:59:59Z')).toEqual(['This promo code is not valid yet.']);
    expect(await juneAt('2026-07-01T00:00:00Z')).toEqual(['This promo code has expired.']);
    expect(await juneAt('2026-06-15T12:00:00Z')).toEqual([undefined]);
  });

  it('count as used for the member who used them only', async () => {
    const redeeming = { promo: promo('ONCE'), member: 71, purchase: 'p1', at: billing.time.now };
    expect(await billing.context.redemptions.redeem(redeeming)).toBe('redeemed');
    const own = await billing.packages({ promo_code: 'ONCE' }, { id: 71 });
    expect(errors(own.body)).toEqual(['You have already used this promo code.']);
    const others = await billing.packages({ promo_code: 'ONCE' }, { id: 72 });
    expect(errors(others.body)).toEqual([undefined]);
  });

  it('are used up for everybody after their total uses', async () => {
    for (const member of [81, 82, 83]) {
      expect(errors((await billing.packages({ promo_code: 'FEW' }, { id: 84 })).body)).toEqual([undefined]);
      const redeeming = { promo: promo('FEW'), member, purchase: 'p1', at: billing.time.now };
      await billing.context.redemptions.redeem(redeeming);
    }
    const { body } = await billing.packages({ promo_code: 'FEW' }, { id: 84 });
    expect(errors(body)).toEqual(['This promo code has been used up.']);
  });
});

describe('can_purchase', () => {
  it.each([
    ['active with autorenew', {}, false],
    ['active without autorenew', { autorenew: false }, true],
    ['ended', { autorenew: false, expires_at: '2026-06-10T00:00:00Z' }, true],
    ['not renewed when it should have been', { expires_at: '2026-06-10T00:00:00Z' }, false],
  ])('of a membership %s is %p', async (_case, facts, expected) => {
    const member = 1_000;
    await billing.import([imported(member, facts)]).expect(200);
    expect((await billing.packages({}, { id: member })).body.can_purchase).toBe(expected);
  });

  it('changes at the end, before the job has run', async () => {
    await billing.import([imported(1_001)]).expect(200);
    billing.time.now = new Date('2026-07-02T00:00:00Z');
    const { body } = await billing.packages({}, { id: 1_001 });
    billing.time.now = new Date('2026-06-15T12:00:00Z');
    expect(body.can_purchase).toBe(false);
  });
});
