import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parsePackageData } from '../../src/prices/package-data.ts';
import { testData } from '../fixtures.ts';
import { startWithGooglePlay, type GooglePlayBilling } from './google-play-harness.ts';

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

let billing: GooglePlayBilling;
let play: GooglePlayBilling['play'];
beforeAll(async () => {
  billing = await startWithGooglePlay('google-play', { config: { PACKAGES_DIR: withPlans } });
  ({ play } = billing);
});
afterAll(() => billing.closeAll());

const refused = { status: 403, body: { fail: 'Invalid Argument' } };

describe('POST /packages/purchase with a purchase token of Google Play', () => {
  it('gives the membership that the store says, and acknowledges the purchase', async () => {
    const token = await billing.buy(1, { price: 2_449, currency: 'EUR' });
    const answer = await billing.purchase(1, token);
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
    expect((await billing.own(1)).store).toEqual({
      name: 'google_play',
      manage_url: 'https://play.google.com/store/account/subscriptions',
    });
  });

  it('is pending until a purchase in cash is paid, and not acknowledged before', async () => {
    const token = await billing.buy(2, { isPending: true });
    expect(await billing.purchase(2, token)).toMatchObject({
      status: 200,
      body: { status: 'pending', membership_status: 'none' },
    });
    expect((await billing.own(2)).is_pending).toBe(true);
    expect(play.acknowledged).not.toContain(token);
    play.pay(token);
    expect((await billing.deliver()).status).toBe(200);
    expect((await billing.seen(2))[0]).toBe('active');
    expect(play.acknowledged).toContain(token);
  });

  it('sells base plans of one product as packages of their own', async () => {
    const plans = { product: 'plans', plan: 'half-yearly-vip', days: 180, price: 18_000 };
    const token = await billing.buy(80, plans);
    const wrong = await billing.purchase(80, token, { package_id: 3, rate_id: 31 });
    expect(wrong).toMatchObject(refused);
    expect(play.acknowledged).not.toContain(token);
    expect(await billing.purchase(80, token, { package_id: 3, rate_id: 32 })).toMatchObject({
      status: 200,
      body: { amount: 180 },
    });
    expect(await billing.seen(80)).toEqual(['active', true, '2026-12-12', 32]);
    const { body } = await billing.packages(billing.app, { id: 80 });
    expect(body.packages[0]).toMatchObject({ app_product_id: 'plans', base_plan_id: 'half-yearly' });
    expect(await billing.booked(80)).toEqual([['purchase', 180]]);
    expect(play.acknowledged).toContain(token);
    // A plan that no package names.
    await billing.buy(81, { ...plans, plan: 'weekly' });
    expect((await billing.deliver()).status).toBe(200);
    expect((await billing.seen(81))[0]).toBe('none');
  });

  it('refuses tokens that Google does not know, of others, of testers, and of another product', async () => {
    const tokens = [
      'x',
      'x'.repeat(64),
      `${'../'.repeat(20)}etc`,
      await billing.buy(3, { isTest: true }),
      await billing.buy(4),
      await billing.buy(3, { product: 'android1.3' }),
    ];
    for (const token of tokens) expect(await billing.purchase(3, token)).toMatchObject(refused);
    expect(await billing.purchase(3, await billing.buy(3), { app_id: 'com.other' })).toMatchObject(refused);
    expect((await billing.seen(3))[0]).toBe('none');
  });

  it('is 503 while Google is away, slow or unwilling, and acknowledges as soon as it is back', async () => {
    const token = await billing.buy(5);
    for (const fault of ['away', 'slow', 'lost', 'quota', 'unauthorized', 'internal'] as const) {
      play.failWith(fault);
      expect((await billing.purchase(5, token)).status).toBe(503);
    }
    play.failWith(undefined);
    expect((await billing.purchase(5, token)).status).toBe(200);
    expect(play.acknowledged).toContain(token);
  });

  it('restores by token and package name', async () => {
    expect(await billing.restore(6, [await billing.buy(6), await billing.buy(7)])).toMatchObject({
      status: 200,
      body: { restored: 1, membership_status: 'active' },
    });
  });
});

/** The number of store answers with this outcome. */
const counted = async (outcome: string) => {
  const { values } = await billing.context.metrics.storeAnswers.get();
  return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
};

describe('a notification of Google Play', () => {
  it('about a product that no package has gives nothing, and is counted for the operator', async () => {
    const [unsold, failed] = [await counted('unsold'), await counted('failed')];
    await billing.buy(70, { product: 'forgotten' });
    expect((await billing.deliver()).status).toBe(200);
    expect(await billing.seen(70)).toEqual(['none', false, null, null]);
    expect(await counted('unsold')).toBe(unsold + 1);
    const faults = ['internal', 'away', 'slow', 'lost'] as const;
    for (const fault of faults) {
      play.failWith(fault);
      expect((await billing.deliver()).status).toBe(503);
    }
    play.failWith(undefined);
    expect(await counted('failed')).toBe(failed + faults.length);
  });

  it('gives a member what the app bought but never handed in, and acknowledges it', async () => {
    billing.moveClock('2026-06-15');
    const token = await billing.buy(11);
    expect((await billing.deliver()).status).toBe(200);
    expect((await billing.seen(11))[0]).toBe('active');
    expect(play.acknowledged).toContain(token);
  });

  it('is 403 unless Pub/Sub sent it for the audience and by the account that are set', async () => {
    const token = await billing.subscribed(12);
    play.revoke(token);
    const claims = [
      { aud: 'https://other.example' },
      { email: 'other@example.iam.gserviceaccount.com' },
      { email_verified: false },
      { iss: 'https://other.example' },
    ];
    for (const wrong of claims) expect((await billing.deliver(undefined, wrong)).status).toBe(403);
    const { body } = await play.pushOf(play.notices.at(-1) ?? { notification: {} });
    expect((await billing.notify('google_play', body)).status).toBe(403);
    expect((await billing.notify('google_play', { message: { data: 'x' } })).status).toBe(403);
    expect((await billing.seen(12))[0]).toBe('active');
    expect((await billing.deliver()).status).toBe(200);
    expect((await billing.seen(12))[0]).toBe('none');
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
    expect((await billing.deliver({ ...test, token: '', at: 0 })).status).toBe(200);
  });

  it('follows renewal, grace period, hold, pause, cancellation, restart and end', async () => {
    const token = await billing.subscribed(13);
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
      billing.moveClock(day);
      act();
      expect((await billing.deliver()).status).toBe(200);
      expect([day, ...(await billing.seen(13))]).toEqual([day, ...expected]);
    }
    expect(await billing.booked(13)).toHaveLength(4);
  });

  it('is awaited for two days after the end, while Google still tries to charge without a word', async () => {
    const token = await billing.subscribed(83);
    billing.time.now = new Date('2026-07-15T12:00:01Z');
    expect((await billing.deliver()).status).toBe(200);
    expect(await billing.seen(83)).toEqual(['active', true, '2026-07-17', 11]);
    billing.moveClock('2026-07-16');
    play.hold(token);
    expect((await billing.deliver()).status).toBe(200);
    expect((await billing.seen(83)).slice(0, 2)).toEqual(['inactive', true]);
  });

  it('ends the membership at a refund', async () => {
    const token = await billing.subscribed(14);
    billing.moveClock('2026-06-20');
    play.refund(token);
    expect((await billing.deliver()).status).toBe(200);
    expect(await billing.seen(14)).toEqual(['none', false, null, null]);
    expect(await billing.booked(14)).toEqual([
      ['refund', -29.99],
      ['purchase', 29.99],
    ]);
  });

  it('upgrades: the new purchase is the member’s, and the replaced one ends', async () => {
    const token = await billing.subscribed(15);
    billing.moveClock('2026-06-20');
    play.buy({ product: 'android1.3', days: 90, price: 5_997, replaces: token });
    expect((await billing.deliver()).status).toBe(200);
    expect(await billing.seen(15)).toEqual(['active', true, '2026-09-18', 21]);
    const phases = (await billing.context.subscriptions.findOf([15])).map(({ phase }) => phase);
    expect(phases.toSorted()).toEqual(['ended', 'running']);
  });
});

describe('a subscription that is bought again in Google Play', () => {
  it('is of the member who had the expired one, and acknowledged', async () => {
    const expired = await billing.subscribed(31);
    billing.moveClock('2026-07-15');
    play.expire(expired);
    expect((await billing.deliver()).status).toBe(200);
    const again = play.buy({ product: 'android1.1', expired });
    expect((await billing.deliver()).status).toBe(200);
    expect(await billing.seen(31)).toEqual(['active', true, '2026-08-14', 11]);
    expect(play.acknowledged).toContain(again);
  });
});

describe('a refund whose notification is lost', () => {
  it('is found among the voided purchases', async () => {
    const token = await billing.subscribed(21);
    play.refund(token);
    await billing.missed();
    expect((await billing.seen(21))[0]).toBe('none');
  });
});
