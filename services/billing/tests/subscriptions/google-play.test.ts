import { startGooglePlay, type GooglePlay, type GooglePlayPurchase } from '@covalence/fakes/google-play';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { followMissed } from '../../src/subscriptions/watch-subscriptions.ts';
import { parsePackageData } from '../../src/prices/package-data.ts';
import { testData } from '../fixtures.ts';
import { startBilling, type Billing } from '../harness.ts';

/** The packages, of which two are base plans of one product in the newer app. */
const withPlans = parsePackageData({
  ...testData,
  apps: testData.apps.map((one) => ({
    ...one,
    products:
      one.app_platform === 'app_android' && one.version === 1
        ? [
            ...one.products,
            { rate_id: 31, product_id: 'plans', base_plan_id: 'half-yearly' },
            { rate_id: 32, product_id: 'plans', base_plan_id: 'half-yearly-vip' },
          ]
        : one.products,
  })),
});

const clock = { now: new Date('2026-06-15T12:00:00Z') };
let play: GooglePlay;
let billing: Billing;
beforeAll(async () => {
  play = await startGooglePlay({ packageName: 'com.test', clock: () => clock.now });
  billing = await startBilling('google-play', {
    clock,
    PACKAGES_DIR: withPlans,
    PAYMENT_PROVIDERS: ['sandbox', 'google_play'],
    GOOGLE_PLAY_APPS: [play.app],
    GOOGLE_PLAY_API_URL: play.url,
  });
});
afterAll(async () => {
  await billing.close();
  await play.close();
});

const refused = { status: 403, body: { fail: 'Invalid Argument' } };
const own = async (id: number) => (await billing.get('/memberships/self', { id })).body;
const seen = async (id: number) => {
  const { membership_status, autorenew, expirationdate, package: sold } = await own(id);
  return [membership_status, autorenew, expirationdate?.slice(0, 10) ?? null, sold?.rate_id ?? null];
};
const booked = async (id: number) =>
  (await own(id)).history.map(({ kind, amount }: { kind: string; amount: number }) => [kind, amount]);

/** A purchase in the app by a member. */
const buy = async (id: number, purchase: Partial<GooglePlayPurchase> = {}): Promise<string> =>
  play.buy({ product: 'android1.1', account: (await own(id)).account_token, ...purchase });

const app = { app_platform: 'app_android', app_id: 'com.test', version: 1 };
const purchase = (id: number, receipt: string, body: object = {}) =>
  billing.post('/packages/purchase', { package_id: 1, rate_id: 11, ...app, receipt, ...body }, { id });

/** Delivers the last notification. */
async function deliver(notice = play.notices.at(-1), claims: object = {}) {
  const { authorization, body } = await play.pushOf(notice ?? { notification: {} }, claims);
  return billing.request.post('/packages/webhook/google_play').set('Authorization', authorization).send(body);
}

const subscribed = async (id: number): Promise<string> => {
  clock.now = new Date('2026-06-15T12:00:00Z');
  const token = await buy(id);
  expect((await purchase(id, token)).status).toBe(200);
  return token;
};
const moveTo = (day: string) => void (clock.now = new Date(`${day}T12:00:00Z`));

describe('POST /packages/purchase with a purchase token of Google Play', () => {
  it('gives the membership that the store says, and acknowledges the purchase', async () => {
    const token = await buy(1, { price: 2_449, currency: 'EUR' });
    const answer = await purchase(1, token);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        status: 'paid',
        amount: 24.49,
        currency_code: 'EUR',
        membership_status: 'active',
        autorenew: true,
        expirationdate: '2026-07-15T12:00:00.000Z',
      },
    });
    expect(play.acknowledged).toContain(token);
    expect((await own(1)).store).toEqual({
      name: 'google_play',
      manage_url: 'https://play.google.com/store/account/subscriptions',
    });
  });

  it('is pending until a purchase in cash is paid, and not acknowledged before', async () => {
    const token = await buy(2, { isPending: true });
    expect(await purchase(2, token)).toMatchObject({
      status: 200,
      body: { status: 'pending', membership_status: 'none' },
    });
    expect((await own(2)).is_pending).toBe(true);
    expect(play.acknowledged).not.toContain(token);
    play.pay(token);
    expect((await deliver()).status).toBe(200);
    expect((await seen(2))[0]).toBe('active');
    expect(play.acknowledged).toContain(token);
  });

  it('sells base plans of one product as packages of their own', async () => {
    const plans = { product: 'plans', plan: 'half-yearly-vip', days: 180, price: 18_000 };
    const token = await buy(80, plans);
    const wrong = await purchase(80, token, { package_id: 3, rate_id: 31 });
    expect(wrong).toMatchObject(refused);
    expect(play.acknowledged).not.toContain(token);
    expect(await purchase(80, token, { package_id: 3, rate_id: 32 })).toMatchObject({
      status: 200,
      body: { amount: 180 },
    });
    expect(await seen(80)).toEqual(['active', true, '2026-12-12', 32]);
    const { body } = await billing.packages(app, { id: 80 });
    expect(body.packages[0]).toMatchObject({ app_product_id: 'plans', base_plan_id: 'half-yearly' });
    expect(await booked(80)).toEqual([['purchase', 180]]);
    expect(play.acknowledged).toContain(token);
    // A plan that no package names.
    await buy(81, { ...plans, plan: 'weekly' });
    expect((await deliver()).status).toBe(200);
    expect((await seen(81))[0]).toBe('none');
  });

  it('refuses tokens that Google does not know, of others, of testers, and of another product', async () => {
    const tokens = [
      'x',
      'x'.repeat(64),
      `${'../'.repeat(20)}etc`,
      await buy(3, { isTest: true }),
      await buy(4),
      await buy(3, { product: 'android1.3' }),
    ];
    for (const token of tokens) expect(await purchase(3, token)).toMatchObject(refused);
    expect(await purchase(3, await buy(3), { app_id: 'com.other' })).toMatchObject(refused);
    expect((await seen(3))[0]).toBe('none');
  });

  it('is 503 while Google is away, and acknowledges as soon as it is back', async () => {
    const token = await buy(5);
    for (const fault of ['away', 'quota', 'unauthorized', 'internal'] as const) {
      play.failWith(fault);
      expect((await purchase(5, token)).status).toBe(503);
    }
    play.failWith(undefined);
    expect((await purchase(5, token)).status).toBe(200);
    expect(play.acknowledged).toContain(token);
  });

  it('restores by token and package name', async () => {
    const body = { app_platform: 'app_android', app_id: 'com.test', receipts: [await buy(6), await buy(7)] };
    expect(await billing.post('/packages/restore', body, { id: 6 })).toMatchObject({
      status: 200,
      body: { restored: 1, membership_status: 'active' },
    });
  });
});

/** How often the store's answer came to this. */
const counted = async (outcome: string) => {
  const { values } = await billing.context.metrics.storeAnswers.get();
  return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
};

describe('a notification of Google Play', () => {
  it('about a product that no package has gives nothing, and is counted for the operator', async () => {
    const [unsold, failed] = [await counted('unsold'), await counted('failed')];
    await buy(70, { product: 'forgotten' });
    expect((await deliver()).status).toBe(200);
    expect(await seen(70)).toEqual(['none', false, null, null]);
    expect(await counted('unsold')).toBe(unsold + 1);
    play.failWith('internal');
    expect((await deliver()).status).toBe(503);
    play.failWith(undefined);
    expect(await counted('failed')).toBe(failed + 1);
  });

  it('gives a member what the app bought but never handed in, and acknowledges it', async () => {
    moveTo('2026-06-15');
    const token = await buy(11);
    expect((await deliver()).status).toBe(200);
    expect((await seen(11))[0]).toBe('active');
    expect(play.acknowledged).toContain(token);
  });

  it('is 403 unless Pub/Sub sent it for the audience and by the account that are set', async () => {
    const token = await subscribed(12);
    play.revoke(token);
    const claims = [
      { aud: 'https://other.example' },
      { email: 'other@example.iam.gserviceaccount.com' },
      { email_verified: false },
      { iss: 'https://other.example' },
    ];
    for (const wrong of claims) expect((await deliver(undefined, wrong)).status).toBe(403);
    const { body } = await play.pushOf(play.notices.at(-1) ?? { notification: {} });
    expect((await billing.notify('google_play', body)).status).toBe(403);
    expect((await billing.notify('google_play', { message: { data: 'x' } })).status).toBe(403);
    expect((await seen(12))[0]).toBe('active');
    expect((await deliver()).status).toBe(200);
    expect((await seen(12))[0]).toBe('none');
  });

  it('is taken and changes nothing if it is a test', async () => {
    const test = {
      notification: {
        version: '1.0',
        packageName: 'com.test',
        eventTimeMillis: '1',
        testNotification: { version: '1.0' },
      },
    };
    expect((await deliver({ ...test, token: '', at: 0 })).status).toBe(200);
  });

  it('follows renewal, grace period, hold, pause, cancellation, restart and end', async () => {
    const token = await subscribed(13);
    const steps = [
      ['2026-07-15', () => play.renew(token), ['active', true, '2026-08-14', 11]],
      ['2026-08-14', () => play.grace(token), ['active', true, '2026-08-21', 11]],
      ['2026-08-21', () => play.hold(token), ['inactive', true, '2026-08-21', 11]],
      ['2026-08-25', () => play.renew(token), ['active', true, '2026-09-24', 11]],
      ['2026-09-24', () => play.pause(token), ['inactive', true, '2026-09-24', 11]],
      ['2026-10-01', () => play.renew(token), ['active', true, '2026-10-31', 11]],
      ['2026-10-02', () => play.cancel(token), ['active', false, '2026-10-31', 11]],
      ['2026-10-03', () => play.restart(token), ['active', true, '2026-10-31', 11]],
      ['2026-10-31', () => play.expire(token), ['none', false, null, null]],
    ] as const;
    for (const [day, act, expected] of steps) {
      moveTo(day);
      act();
      expect((await deliver()).status).toBe(200);
      expect([day, ...(await seen(13))]).toEqual([day, ...expected]);
    }
    expect(await booked(13)).toHaveLength(4);
  });

  it('is awaited for two days after the end, while Google still tries to charge without a word', async () => {
    const token = await subscribed(83);
    billing.time.now = new Date('2026-07-15T12:00:01Z');
    expect((await deliver()).status).toBe(200);
    expect(await seen(83)).toEqual(['active', true, '2026-07-17', 11]);
    moveTo('2026-07-16');
    play.hold(token);
    expect((await deliver()).status).toBe(200);
    expect((await seen(83)).slice(0, 2)).toEqual(['inactive', true]);
  });

  it('ends the membership at a refund', async () => {
    const token = await subscribed(14);
    moveTo('2026-06-20');
    play.refund(token);
    expect((await deliver()).status).toBe(200);
    expect(await seen(14)).toEqual(['none', false, null, null]);
    expect(await booked(14)).toEqual([
      ['refund', -29.99],
      ['purchase', 29.99],
    ]);
  });

  it('upgrades: the new purchase is the member’s, and the replaced one ends', async () => {
    const token = await subscribed(15);
    moveTo('2026-06-20');
    play.buy({ product: 'android1.3', days: 90, price: 5_997, replaces: token });
    expect((await deliver()).status).toBe(200);
    expect(await seen(15)).toEqual(['active', true, '2026-09-18', 21]);
    const phases = (await billing.context.subscriptions.findOf([15])).map(({ phase }) => phase);
    expect(phases.toSorted()).toEqual(['ended', 'running']);
  });
});

describe('a subscription that is bought again in Google Play', () => {
  it('is of the member who had the expired one, and acknowledged', async () => {
    const expired = await subscribed(31);
    moveTo('2026-07-15');
    play.expire(expired);
    expect((await deliver()).status).toBe(200);
    const again = play.buy({ product: 'android1.1', expired });
    expect((await deliver()).status).toBe(200);
    expect(await seen(31)).toEqual(['active', true, '2026-08-14', 11]);
    expect(play.acknowledged).toContain(again);
  });
});

describe('a refund whose notification is lost', () => {
  it('is found among the voided purchases', async () => {
    const token = await subscribed(21);
    play.refund(token);
    await billing.forgetRounds();
    for (const store of billing.context.stores.all) await followMissed(store, billing.context);
    expect((await seen(21))[0]).toBe('none');
  });
});
