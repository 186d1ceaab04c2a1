import { startAppStore } from '@covalence/fakes/app-store';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { createAppStore } from '../../src/stores/app-store/app-store.ts';
import { startWithAppStore, type AppStoreBilling } from './app-store-harness.ts';

let billing: AppStoreBilling;
beforeAll(async () => {
  billing = await startWithAppStore('app-store-purchase');
});
afterAll(() => billing.closeAll());

const refused = { status: 403, body: { fail: 'Invalid Argument' } };

describe('POST /packages/purchase with a transaction of the App Store', () => {
  it('gives the membership that the store says, and shows it with its price', async () => {
    const original = await billing.buy(1, { price: 24_990, currency: 'EUR' });
    const answer = await billing.purchase(1, await billing.store.receipt(original));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      status: 'paid',
      amount: 24.99,
      amount_fmt: '€24.99',
      currency_code: 'EUR',
      days: 30,
      membership_status: 'active',
      autorenew: true,
      expirationdate: '2026-07-15T12:00:00.000Z',
    });
    const own = await billing.own(1);
    expect(own).toMatchObject({
      entitlements: ['platinum'],
      package: { package_id: 1, rate_id: 11 },
      store: { name: 'app_store', manage_url: 'https://apps.apple.com/account/subscriptions' },
      history: [{ kind: 'purchase', amount: 24.99, currency_code: 'EUR' }],
    });
    expect(billing.profile.shown.at(-1)).toMatchObject({ member: 1, membership: { status: 'active' } });
  });

  it('is the same purchase when it is repeated, also at once', async () => {
    const receipt = await billing.store.receipt(await billing.buy(2));
    const answers = await Promise.all(Array.from({ length: 5 }, () => billing.purchase(2, receipt)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const { history } = await billing.own(2);
    expect(history).toHaveLength(1);
  });

  it('converts prices by the minor unit of the currency', async () => {
    const yen = await billing.buy(3, { price: 3_000_000, currency: 'JPY' });
    const answer = await billing.purchase(3, await billing.store.receipt(yen));
    expect(answer.body).toMatchObject({ amount: 3000, currency_code: 'JPY' });
    const dinar = await billing.buy(4, { price: 8_995, currency: 'KWD' });
    expect((await billing.purchase(4, await billing.store.receipt(dinar))).body).toMatchObject({
      amount: 8.995,
      currency_code: 'KWD',
    });
  });

  it('refuses a receipt that the store did not sign', async () => {
    const original = await billing.buy(5);
    const receipt = await billing.store.receipt(original);
    const [head, body, signature = ''] = receipt.split('.');
    const forged = [
      'receipt',
      `${head}.${body}`,
      `${head}.${Buffer.from('{}').toString('base64url')}.${signature}`,
      `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      // Apple's root is above certificates of every developer: only those with the App Store's extension may sign.
      await billing.store.receipt(original, 'developer'),
    ];
    for (const text of forged) expect(await billing.purchase(5, text)).toMatchObject(refused);
    expect(await billing.context.memberships.find(5)).toBeUndefined();
  });

  it.each([
    ['refuses a receipt and a notification of another app', { bundleId: 'com.other.ios' }, 403],
    // Its address is set at Apple, too.
    ['takes nothing of the sandbox, where only production is listed', { environment: 'Sandbox' }, 200],
  ] as const)('%s', async (_case, app, status) => {
    const other = await startAppStore({
      appId: '1500000001',
      bundleId: 'com.test.ios',
      ...app,
      clock: () => billing.time.now,
    });
    const original = await other.buy({ product: 'ios.1', account: await billing.token(10) });
    expect(await billing.purchase(10, await other.receipt(original))).toMatchObject(refused);
    const refusals = async () => {
      const { values } = await billing.context.metrics.storeAnswers.get();
      return values.find(({ labels }) => labels['outcome'] === 'refused')?.value ?? 0;
    };
    const before = await refusals();
    await billing.notify('app_store', other.notices.at(-1)?.body ?? {}).expect(status);
    expect(await refusals()).toBe(status === 403 ? before + 1 : before);
    expect(await billing.context.memberships.find(10)).toBeUndefined();
    await other.close();
  });

  it('refuses what is paid where only the sandbox is listed: Apple repeats it', async () => {
    const testers = createAppStore({
      apps: [{ ...billing.app, environment: 'Sandbox' }],
      roots: [new X509Certificate(billing.store.root).raw],
      onlineChecks: false,
    });
    await billing.buy(11);
    const body = Buffer.from(JSON.stringify(billing.store.notices.at(-1)?.body));
    expect(await testers.notified({ body, header: () => undefined, at: billing.time.now })).toBeUndefined();
  });

  it('trusts nobody but Apple where no other root is set', async () => {
    const apple = createAppStore({ apps: [billing.app], onlineChecks: false });
    const receipt = await billing.store.receipt(await billing.buy(6));
    expect(await apple.read?.(receipt, undefined)).toBeUndefined();
  });

  it('refuses the product of another rate, a promo code, and a missing receipt', async () => {
    const receipt = await billing.store.receipt(await billing.buy(7, { product: 'ios.6' }));
    expect(await billing.purchase(7, receipt)).toMatchObject(refused);
    const right = await billing.store.receipt(await billing.buy(7));
    expect(await billing.purchase(7, right, { promo_code: 'APPS' })).toMatchObject(refused);
    expect(await billing.purchase(7, '')).toMatchObject(refused);
    expect(await billing.context.memberships.find(7)).toBeUndefined();
  });

  it('is 503 while the store is away, slow or unwilling, and works afterwards', async () => {
    const receipt = await billing.store.receipt(await billing.buy(8));
    for (const fault of ['away', 'slow', 'rate_limit', 'unauthorized', 'internal'] as const) {
      billing.store.failWith(fault);
      expect((await billing.purchase(8, receipt)).status).toBe(503);
    }
    billing.store.failWith(undefined);
    expect((await billing.purchase(8, receipt)).status).toBe(200);
  });

  it('does not sell by the sandbox in an app whose store is listed', async () => {
    expect(await billing.purchase(9, 'sandbox-ok')).toMatchObject(refused);
    const web = await billing.post(
      '/packages/purchase',
      { package_id: 1, rate_id: 11, receipt: 'web' },
      { id: 9 },
    );
    expect(web.status).toBe(200);
  });
});

describe('a receipt of another member', () => {
  it('is refused, named by token or bought before', async () => {
    const named = await billing.store.receipt(await billing.buy(11));
    expect(await billing.purchase(12, named)).toMatchObject(refused);
    const nameless = await billing.store.receipt(await billing.store.buy({ product: 'ios.1' }));
    expect((await billing.purchase(13, nameless)).status).toBe(200);
    expect(await billing.purchase(14, nameless)).toMatchObject(refused);
    expect((await billing.own(13)).membership_status).toBe('active');
    for (const id of [12, 14]) expect((await billing.own(id)).membership_status).toBe('none');
  });

  it('counts for one of two members who hand it in at once', async () => {
    const receipt = await billing.store.receipt(await billing.store.buy({ product: 'ios.1' }));
    const answers = await Promise.all([15, 16, 17, 18].map((id) => billing.purchase(id, receipt)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403, 403, 403]);
  });

  it('is of the member whom a later purchase names', async () => {
    const original = await billing.buy(61);
    expect((await billing.purchase(61, await billing.store.receipt(original))).status).toBe(200);
    await billing.store.expire(original);
    // The same buyer, signed in as another member.
    await billing.store.resubscribe(original, { account: await billing.token(62) });
    expect((await billing.purchase(62, await billing.store.receipt(original))).status).toBe(200);
    expect((await billing.own(62)).membership_status).toBe('active');
    expect((await billing.own(61)).membership_status).toBe('none');
  });

  it('is free again after its member was erased', async () => {
    const receipt = await billing.store.receipt(await billing.buy(19));
    expect((await billing.purchase(19, receipt)).status).toBe(200);
    await billing
      .internal('/internal/members/erase', { id: 19, member_id: '0190a000-0000-7000-8000-000000000001' })
      .expect(200);
    // A late notification must not bring the erased member back.
    expect((await billing.deliver()).status).toBe(200);
    expect(await billing.context.memberships.find(19)).toBeUndefined();
    expect((await billing.purchase(20, receipt)).status).toBe(200);
    // Booked once, for the member who is no more.
    expect(await billing.context.ledger.of(20)).toEqual([]);
  });

  it('is refused if the store shares it with a family', async () => {
    const receipt = await billing.store.receipt(
      await billing.store.buy({ product: 'ios.1', isShared: true }),
    );
    expect(await billing.purchase(21, receipt)).toMatchObject(refused);
  });
});

describe('POST /packages/restore', () => {
  it('takes the receipts of the member and leaves out the others', async () => {
    const own = await billing.store.receipt(await billing.buy(31, { product: 'ios.6', days: 180 }));
    const foreign = await billing.store.receipt(await billing.buy(32));
    const answer = await billing.restore(31, [foreign, own, 'nonsense', own]);
    expect(answer).toMatchObject({
      status: 200,
      body: { restored: 1, membership_status: 'active', expirationdate: '2026-12-12T12:00:00.000Z' },
    });
    expect(await billing.restore(31, [foreign])).toMatchObject(refused);
  });

  it('asks about all receipts at once, so that 20 of a slow store are answered in time', async () => {
    const originals = [await billing.buy(35), await billing.buy(35)];
    const receipts = await Promise.all(originals.map((original) => billing.store.receipt(original)));
    const [release, isHeld] = billing.store.holdNext();
    const restored = billing.restore(35, receipts);
    await isHeld;
    await until('the other one is there', async () =>
      (await billing.context.subscriptions.findOf([35])).some(({ phase }) => phase === 'running'),
    );
    release();
    expect((await restored).body).toMatchObject({ restored: 2, membership_status: 'active' });
  });

  it('is 429 after 60 receipts of a member within an hour', async () => {
    const garbage = Array.from({ length: 20 }, (_, index) => `receipt-${index}`);
    for (let call = 0; call < 3; call += 1) expect(await billing.restore(34, garbage)).toMatchObject(refused);
    const limited = await billing.restore(34, garbage);
    expect([limited.status, Number(limited.headers['retry-after']) > 0]).toEqual([429, true]);
  });

  it('is 503 while the store is away, and refuses more than 20 receipts and unlisted stores', async () => {
    const receipt = await billing.store.receipt(await billing.buy(33));
    billing.store.failWith('away');
    expect((await billing.restore(33, [receipt])).status).toBe(503);
    billing.store.failWith(undefined);
    expect(
      (
        await billing.restore(
          33,
          Array.from({ length: 21 }, () => receipt),
        )
      ).status,
    ).toBe(403);
    const android = { app_platform: 'app_android', receipts: [receipt] };
    expect((await billing.post('/packages/restore', android, { id: 33 })).body).toMatchObject({
      fail: 'Purchase Not Possible',
    });
  });
});
