import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@covalence/testing/until';
import type { RedemptionStore } from '../../src/prices/redemption-store.ts';
import { replacing, startService, type ServiceUnderTest } from '../harness.ts';

let billing: ServiceUnderTest;
beforeAll(async () => {
  billing = await startService('purchase');
});
afterAll(() => billing.close());

const month = { package_id: 1, rate_id: 11 };
const quarter = { package_id: 2, rate_id: 21 };
const buy = (id: number, body: object = month, key?: string, siteid = 1) =>
  billing.post('/packages/purchase', body, { id, siteid }, key);
const seen = ({ status, body }: { status: number; body: unknown }) => [status, body];
const ledger = (member: number) => billing.context.ledger.of(member);
/** The metric of payments of a kind, by outcome. */
const counted = async (kind: string) => {
  const { values } = await billing.context.metrics.payments.get();
  const own = values.filter(({ labels }) => labels.kind === kind);
  return Object.fromEntries(own.map(({ labels, value }) => [labels.outcome, value]));
};
const declined = [403, { fail: 'Payment Declined' }];
const invalid = [403, { fail: 'Invalid Argument' }];
const notPossible = [403, { fail: 'Purchase Not Possible' }];

describe('POST /packages/purchase', () => {
  it('charges, creates the membership, appends to the ledger and publishes an event', async () => {
    const bought = await buy(1);
    expect(seen(bought)).toEqual([
      200,
      {
        status: 'paid',
        amount: 30,
        amount_fmt: '$30.00',
        currency_code: 'USD',
        days: 30,
        membership_status: 'active',
        autorenew: true,
        expirationdate: '2026-07-15T12:00:00.000Z',
      },
    ]);
    const event = await until('the event', () => billing.told.find(({ member }) => member === 1));
    expect(event).toMatchObject({
      type: 'membership.changed',
      data: { status: 'active', autorenew: true, expires_at: '2026-07-15T12:00:00.000Z' },
    });
    expect(await ledger(1)).toMatchObject([{ kind: 'purchase', amount: 3000, currency: 'USD', rate_id: 11 }]);
    expect(await billing.charged(1)).toMatchObject({ held: 3000, charges: [{ amount: 3000 }] });
    expect((await billing.packages({}, { id: 1 })).body.can_purchase).toBe(false);
    expect(await counted('purchase')).toEqual({ paid: 1 });
  });

  it('updates the record before it responds, and responds even if profile is down', async () => {
    const shown = (member: number) => billing.profile.shown.filter((taken) => taken.member === member);
    await buy(51);
    expect(shown(51)).toEqual([
      {
        member: 51,
        membership: {
          status: 'active',
          autorenew: true,
          expires_at: '2026-07-15T12:00:00.000Z',
          version: expect.any(Number),
        },
      },
    ]);
    await billing.post('/packages/cancel', {}, { id: 51 });
    expect(shown(51)[1]?.membership).toMatchObject({ status: 'active', autorenew: false });
    billing.profile.isAway = true;
    expect(await buy(52)).toMatchObject({ status: 200, body: { membership_status: 'active' } });
    billing.profile.isAway = false;
    expect(shown(52)).toEqual([]);
  });

  it.each([
    [61, 'constructor'],
    [62, '__proto__'],
    [63, 'toString:1'],
  ])(
    'takes a receipt by the name of something else for one like any other (%d: %s)',
    async (member, receipt) => {
      expect(await buy(member, { ...month, receipt })).toMatchObject({
        status: 200,
        body: { status: 'paid' },
      });
      expect(await billing.charged(member)).toMatchObject({ charges: [{ status: 'paid' }] });
    },
  );

  it.each([
    [64, { promo_code: '', receipt: '' }],
    [65, { promo_code: null, receipt: null, app_id: null, app_platform: null }],
  ])('treats empty optional parameters as absent (%d: %j)', async (member, left) => {
    expect(await buy(member, { ...month, ...left })).toMatchObject({ status: 200, body: { status: 'paid' } });
  });

  it('returns the same answer for a repeated key and charges once, concurrently or later', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => buy(2, month, 'one')));
    answers.push(await buy(2, month, 'one'));
    expect(new Set(answers.map((answer) => JSON.stringify(seen(answer)))).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect((await billing.charged(2)).charges).toHaveLength(1);
    expect(await ledger(2)).toHaveLength(1);
    expect(seen(await buy(2, quarter, 'one'))).toEqual(invalid);
  });

  it('returns the same answer for a repetition during the first call', async () => {
    const body = { ...month, promo_code: 'ONCE' };
    const { payments } = billing.context;
    const original = { ...payments };
    let first: Awaited<ReturnType<typeof buy>> | undefined;
    payments.find = async (key, receipt) => {
      const known = await original.find(key, receipt);
      Object.assign(payments, original);
      first ??= await buy(71, body, 'again');
      return known;
    };
    const second = await buy(71, body, 'again');
    expect(first?.status).toBe(200);
    expect(second.body).toEqual(first?.body);
    expect((await billing.charged(71)).charges).toHaveLength(1);
  });

  it('treats a double click without a key as one purchase', async () => {
    const answers = await Promise.all([buy(3), buy(3), buy(3)]);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect((await billing.charged(3)).charges).toHaveLength(1);
    expect(seen(await buy(3))).toEqual(notPossible);
  });

  it('charges once for concurrent calls with different keys', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => buy(4, month, `k${index}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await billing.charged(4)).held).toBe(3000);
    expect(await ledger(4)).toHaveLength(1);
  });

  it('accepts a receipt once, from one member', async () => {
    const body = { ...month, receipt: 'store:12345' };
    expect((await buy(5, body)).status).toBe(200);
    expect((await buy(5, body)).status).toBe(200);
    expect((await buy(5, body, 'another key')).status).toBe(200);
    expect(seen(await buy(6, body))).toEqual(invalid);
    expect((await billing.charged(5)).charges).toHaveLength(1);
    expect((await billing.charged(6)).charges).toHaveLength(0);
  });

  it('creates no membership for a declined payment, and allows a retry', async () => {
    const { declined: before = 0 } = await counted('purchase');
    expect(seen(await buy(7, { ...month, receipt: 'decline:7' }))).toEqual(declined);
    expect(seen(await buy(7, { ...month, receipt: 'decline:7' }))).toEqual(declined);
    // The same receipt is the same payment.
    expect((await counted('purchase'))['declined']).toBe(before + 1);
    expect([await ledger(7), await billing.context.memberships.find(7)]).toEqual([[], undefined]);
    expect((await buy(7, { ...month, receipt: 'good:7' })).status).toBe(200);
  });

  it('finds the charge of a lost response when the purchase is repeated', async () => {
    const body = { ...month, receipt: 'lost-answer:8' };
    expect((await buy(8, body)).status).toBe(503);
    expect(await ledger(8)).toEqual([]);
    expect((await buy(8, body)).status).toBe(200);
    expect(await billing.charged(8)).toMatchObject({ held: 3000 });
    expect(await ledger(8)).toHaveLength(1);
  });

  it('finds the charge of a lost response in the periodic job', async () => {
    expect((await buy(9, { ...month, receipt: 'lost-answer:9' })).status).toBe(503);
    await billing.moveTo('2026-06-15T12:02:00Z');
    expect(await ledger(9)).toHaveLength(1);
    expect(await billing.context.memberships.find(9)).toMatchObject({ status: 'active' });
  });

  it('keeps a delayed payment pending, blocks other purchases, and then applies it', async () => {
    const body = { ...month, receipt: 'delay:10' };
    const pending = await buy(10, body);
    expect(pending.body).toMatchObject({ status: 'pending', membership_status: 'none' });
    expect(seen(await buy(10, quarter, 'other'))).toEqual([403, { fail: 'Payment Pending' }]);
    expect((await buy(10, body)).body).toMatchObject({ status: 'paid', membership_status: 'active' });
    expect((await billing.charged(10)).held).toBe(3000);
  });

  it.each([
    ['an unknown package', { package_id: 9, rate_id: 11 }],
    ['a rate of another package', { package_id: 1, rate_id: 21 }],
    ['a rate of another site', { package_id: 1, rate_id: 13 }],
    ['no rate', { package_id: 1 }],
    ['a package that is none', { package_id: { $gt: 0 }, rate_id: 11 }],
    ['an unknown code', { ...month, promo_code: 'NONE' }],
    ['a code of another site', { ...month, promo_code: 'SITE3' }],
    ['a trial of another rate', { ...month, promo_code: 'TRIAL' }],
    [
      'an app without the product',
      { package_id: 2, rate_id: 21, app_platform: 'app_ios', app_id: '1500000001' },
    ],
    ['an app alone', { ...month, app_id: 'com.test' }],
  ])('refuses %s without a code', async (_case, body) => {
    expect(seen(await buy(11, body))).toEqual(invalid);
    expect((await billing.charged(11)).charges).toEqual([]);
  });

  it('requires a member, and a key of at most 255 characters', async () => {
    expect((await billing.request.post('/packages/purchase').send(month)).status).toBe(401);
    expect((await buy(12, month, 'x'.repeat(256))).status).toBe(403);
  });

  it('extends a membership that is no longer renewed', async () => {
    await buy(13);
    expect((await billing.post('/packages/cancel', {}, { id: 13 })).body).toMatchObject({
      membership_status: 'active',
      autorenew: false,
    });
    const first = await billing.context.memberships.find(13);
    const begun = billing.time.now;
    billing.time.now = new Date('2026-06-20T12:00:00Z');
    await buy(13, quarter);
    billing.time.now = begun;
    const second = await billing.context.memberships.find(13);
    const days = (Number(second?.expires_at) - Number(first?.expires_at)) / 86_400_000;
    expect([days, second?.autorenew, second?.package_id]).toEqual([90, true, 2]);
    expect(second?.started_at).toEqual(first?.started_at);
  });
});

/** A member takes the last use of a code just before the member who buys with it now. */
const whileQuicker = (member: number, work: () => Promise<void>) => {
  const { redemptions } = billing.context;
  const takenFirst = (own: RedemptionStore): Partial<RedemptionStore> => ({
    async redeem(redeeming) {
      Object.assign(redemptions, own);
      expect((await buy(member, { ...month, promo_code: 'LAST' })).status).toBe(200);
      return own.redeem(redeeming);
    },
  });
  return replacing(redemptions, takenFirst, work);
};

describe('the price that the app has shown', () => {
  const changed = [403, { fail: 'Price Changed' }];
  const shown = { expected_amount: 27, expected_currency: 'usd', promo_code: 'ONCE' };

  it('is charged, and no other one', async () => {
    for (const wrong of [{ expected_amount: 30 }, { expected_amount: 26.99 }, { expected_currency: 'EUR' }])
      expect(seen(await buy(90, { ...month, ...shown, ...wrong }))).toEqual(changed);
    expect((await billing.charged(90)).charges).toEqual([]);
    for (const wrong of [
      { ...shown, expected_amount: 'cheap' },
      { expected_amount: 30 },
      { expected_currency: 'USD' },
    ])
      expect(seen(await buy(90, { ...month, ...wrong }))).toEqual(invalid);
    expect((await buy(90, { ...month, ...shown })).body).toMatchObject({ status: 'paid', amount: 27 });
  });
});

describe('a promo code', () => {
  it('reduces the price and counts as used', async () => {
    expect((await buy(20, { ...month, promo_code: 'once' })).body).toMatchObject({ amount: 27 });
    expect(await billing.charged(20)).toMatchObject({ held: 2700 });
    await billing.post('/packages/cancel', {}, { id: 20 });
    expect(seen(await buy(20, { ...month, promo_code: 'ONCE' }))).toEqual(invalid);
    expect((await billing.charged(20)).held).toBe(2700);
  });

  it('that was used before spends no receipt', async () => {
    await buy(23, { ...month, promo_code: 'ONCE' });
    await billing.post('/packages/cancel', {}, { id: 23 });
    const body = { ...month, receipt: 'store:23' };
    expect(seen(await buy(23, { ...body, promo_code: 'ONCE' }))).toEqual(invalid);
    expect((await buy(23, body)).status).toBe(200);
  });

  it('is released by a declined payment', async () => {
    expect(seen(await buy(21, { ...month, promo_code: 'ONCE', receipt: 'decline:21' }))).toEqual(declined);
    expect((await buy(21, { ...month, promo_code: 'ONCE', receipt: 'good:21' })).status).toBe(200);
    expect(
      seen(await buy(22, { ...month, promo_code: 'ONCE', receipt: 'delay-decline:22' }))[1],
    ).toMatchObject({ status: 'pending' });
    await billing.hook((await keyOf(22)) ?? '').expect(200);
    expect((await buy(22, { ...month, promo_code: 'ONCE' })).status).toBe(200);
  });

  it('does not exceed its total uses in concurrent purchases', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => buy(30 + index, { ...month, promo_code: 'FEW' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  });

  it('spends no receipt when another member takes its last use', async () => {
    const body = { ...month, receipt: 'store:24' };
    const lost = { ...body, promo_code: 'LAST' };
    await whileQuicker(25, async () => expect(seen(await buy(24, lost))).toEqual(invalid));
    expect(seen(await buy(24, lost))).toEqual(invalid);
    expect((await buy(24, body)).body).toMatchObject({ status: 'paid', amount: 30 });
    expect((await buy(24, body)).status).toBe(200);
    expect(seen(await buy(26, body))).toEqual(invalid);
    expect((await billing.charged(24)).charges).toHaveLength(1);
  });

  it('is refused again under the same key, and the receipt works under another one', async () => {
    const body = { ...month, receipt: 'store:27', promo_code: 'LAST' };
    const { redemptions, payments } = billing.context;
    await redemptions.release('LAST', (await payments.of(25))[0]?.key ?? '');
    await whileQuicker(28, async () => expect(seen(await buy(27, body, 'one'))).toEqual(invalid));
    expect(seen(await buy(27, body, 'one'))).toEqual(invalid);
    expect((await buy(27, { ...month, receipt: 'store:27' }, 'two')).status).toBe(200);
  });

  it('of a free trial is free for its days, and is then renewed at the full rate', async () => {
    const trial = await buy(40, { ...quarter, promo_code: 'TRIAL' });
    expect(trial.body).toMatchObject({ amount: 0, days: 7, membership_status: 'active', autorenew: true });
    const { expires_at } = (await billing.context.memberships.find(40)) ?? {};
    expect(expires_at && (Number(expires_at) - Number(billing.time.now)) / 86_400_000).toBe(7);
    await billing.moveTo('2026-06-22T12:00:00Z');
    expect(await billing.charged(40)).toMatchObject({ held: 6000 });
    expect((await ledger(40)).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['purchase', 0],
      ['renewal', 6000],
    ]);
  });
});

async function keyOf(member: number): Promise<string | undefined> {
  const found = await billing.context.connection
    .collection<{ _id: string; member: number; state: string }>('payments')
    .findOne({ member, state: 'open' });
  return found?._id;
}
