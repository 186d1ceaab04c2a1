import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { replacing } from '../harness.ts';
import { startWithAppStore, type AppStoreBilling } from './app-store-harness.ts';

let billing: AppStoreBilling;
beforeAll(async () => {
  billing = await startWithAppStore('app-store-life', {
    config: { FAMILY_SHARING: true, RECEIPT_POLICY: 'move' },
  });
});
afterAll(() => billing.closeAll());

const staff = { id: 0, siteid: 0, scope: 'staff' };
/** The body that services send about a member. */
const subject = (id: number) => ({ id, member_id: '0190a000-0000-7000-8000-000000000001' });

const seen = (id: number) => billing.seen(id);
const booked = (id: number) => billing.booked(id);

/** A member with a subscription that began on June 15, 2026 and was bought in the app. */
const subscribed = async (id: number): Promise<string> => {
  billing.time.now = new Date('2026-06-15T12:00:00Z');
  const original = await billing.buy(id);
  expect((await billing.purchase(id, await billing.store.receipt(original))).status).toBe(200);
  return original;
};

const moveTo = (day: string) => void (billing.time.now = new Date(`${day}T12:00:00Z`));

describe('a notification of the App Store', () => {
  it('gives a member what the app bought but never handed in', async () => {
    await billing.buy(1);
    expect(await seen(1)).toEqual(['none', false, null, null]);
    await billing.deliver().expect(200, {});
    expect(await seen(1)).toEqual(['active', true, '2026-07-15', 11]);
  });

  it('renews the membership and books the charge', async () => {
    const original = await subscribed(2);
    moveTo('2026-07-15');
    await billing.store.renew(original);
    await billing.deliver().expect(200);
    expect(await seen(2)).toEqual(['active', true, '2026-08-14', 11]);
    expect(await booked(2)).toEqual([
      ['renewal', 29.99],
      ['purchase', 29.99],
    ]);
  });

  it('keeps the membership in the grace period, and makes it inactive while the store retries', async () => {
    const original = await subscribed(3);
    moveTo('2026-07-15');
    await billing.store.failRenewal(original, 6);
    await billing.deliver().expect(200);
    expect(await seen(3)).toEqual(['active', true, '2026-07-21', 11]);
    moveTo('2026-07-21');
    await billing.store.endGrace(original);
    await billing.deliver().expect(200);
    expect((await seen(3)).slice(0, 2)).toEqual(['inactive', true]);
    // A purchase would pay twice: the store may still succeed.
    expect((await billing.packages({}, { id: 3 })).body.can_purchase).toBe(false);
    moveTo('2026-07-25');
    await billing.store.renew(original);
    await billing.deliver().expect(200);
    expect(await seen(3)).toEqual(['active', true, '2026-08-24', 11]);
  });

  it('ends a canceled membership at its end, and a resubscription revives it', async () => {
    const original = await subscribed(4);
    await billing.store.switchRenewal(original, false);
    await billing.deliver().expect(200);
    expect(await seen(4)).toEqual(['active', false, '2026-07-15', 11]);
    await billing.moveTo('2026-07-15T12:00:01Z');
    expect(await seen(4)).toEqual(['none', false, null, null]);
    await billing.store.expire(original);
    await billing.deliver().expect(200);
    expect(await seen(4)).toEqual(['none', false, null, null]);
    await billing.store.resubscribe(original);
    await billing.deliver().expect(200);
    expect(await seen(4)).toEqual(['active', true, '2026-08-14', 11]);
  });

  it('upgrades at once with a refund of the rest, and downgrades at the renewal', async () => {
    const original = await subscribed(5);
    moveTo('2026-06-30');
    await billing.store.change(original, 'ios.6', { days: 180, price: 89_990 });
    await billing.deliver().expect(200);
    expect(await seen(5)).toEqual(['active', true, '2026-12-27', 31]);
    expect(await booked(5)).toEqual([
      ['renewal', 89.99],
      ['refund', -15],
      ['purchase', 29.99],
    ]);
    await billing.store.change(original, 'ios.1', { isUpgrade: false });
    await billing.deliver().expect(200);
    expect(await seen(5)).toEqual(['active', true, '2026-12-27', 31]);
    moveTo('2026-12-27');
    await billing.store.renew(original);
    await billing.deliver().expect(200);
    expect(await seen(5)).toEqual(['active', true, '2027-01-26', 11]);
  });

  it('ends the membership at a refund, which a reversal takes back', async () => {
    const original = await subscribed(6);
    moveTo('2026-06-20');
    await billing.store.refund(original);
    await billing.deliver().expect(200);
    expect(await seen(6)).toEqual(['none', false, null, null]);
    expect(await booked(6)).toEqual([
      ['refund', -29.99],
      ['purchase', 29.99],
    ]);
    await billing.store.reverseRefund(original);
    await billing.deliver().expect(200);
    expect(await seen(6)).toEqual(['active', true, '2026-07-15', 11]);
    expect(await booked(6)).toEqual([
      ['refund', 29.99],
      ['refund', -29.99],
      ['purchase', 29.99],
    ]);
    await billing.store.refund(original);
    await billing.deliver().expect(200);
    expect((await booked(6)).map(([, amount]) => amount)).toEqual([-29.99, 29.99, -29.99, 29.99]);
  });

  it.each([
    ['known', 90, subscribed],
    ['new', 91, (id: number) => billing.buy(id)],
  ])(
    'is asked about again (%s) after a minute and after ten: a store may answer late',
    async (_, id, begin) => {
      moveTo('2026-06-15');
      const original = await begin(id);
      const store = billing.context.stores.find('app_store');
      const stale = await store?.ask(`com.test.ios:Production:${original}`);
      if (!store || !stale) throw new Error('the store does not know it');
      await billing.store.refund(original);
      const asked: string[] = [];
      const late = (own: typeof store) => ({
        ask(reference: string) {
          if (!reference.endsWith(original)) return own.ask(reference);
          asked.push(billing.time.now.toISOString());
          return Promise.resolve(stale);
        },
      });
      await replacing(store, late, async () => {
        await billing.deliver().expect(200);
        await billing.moveTo('2026-06-15T12:01:00Z');
        await billing.moveTo('2026-06-15T12:09:59Z');
      });
      expect(asked).toEqual(['2026-06-15T12:00:00.000Z', '2026-06-15T12:01:00.000Z']);
      expect((await seen(id))[0]).toBe('active');
      await billing.moveTo('2026-06-15T12:10:00Z');
      expect((await seen(id))[0]).toBe('none');
    },
  );

  it('extends the membership that the store has extended', async () => {
    const original = await subscribed(7);
    await billing.store.extend(original, 10);
    await billing.deliver().expect(200);
    expect(await seen(7)).toEqual(['active', true, '2026-07-25', 11]);
  });

  it('is 403 unless the store signed it, and changes nothing if it is a test', async () => {
    const original = await subscribed(8);
    await billing.store.refund(original);
    const { signedPayload } = billing.store.notices.at(-1)?.body ?? { signedPayload: '' };
    const [head, , signature] = signedPayload.split('.');
    const forged = `${head}.${Buffer.from('{}').toString('base64url')}.${signature}`;
    for (const body of [{ signedPayload: forged }, { signedPayload: 'x' }, {}, { signedPayload: 1 }])
      expect((await billing.notify('app_store', body)).status).toBe(403);
    expect((await seen(8))[0]).toBe('active');
    await billing.deliver(await billing.store.notice(original, 'TEST')).expect(200);
    expect((await seen(8))[0]).toBe('active');
    await billing.deliver(await billing.store.notice(original, 'A_TYPE_OF_NEXT_YEAR')).expect(200);
    expect((await seen(8))[0]).toBe('none');
  });

  it('is 503 while the store is unavailable, so that the store repeats it', async () => {
    const original = await subscribed(9);
    await billing.store.refund(original);
    billing.store.failWith('away');
    expect((await billing.deliver()).status).toBe(503);
    billing.store.failWith(undefined);
    expect((await seen(9))[0]).toBe('active');
    // Also without a repetition: the job asks a minute later.
    await billing.moveTo('2026-06-15T12:01:01Z');
    expect((await seen(9))[0]).toBe('none');
  });
});

describe('answers that overtake each other', () => {
  it('count in the order of the questions, and book a refund once', async () => {
    const original = await subscribed(41);
    const [release, isHeld] = billing.store.holdNext();
    const early = billing
      .deliver(await billing.store.notice(original, 'DID_RENEW'))
      .then(({ status }) => status);
    await isHeld;
    await billing.store.refund(original);
    await billing.deliver().expect(200);
    release();
    expect(await early).toBe(200);
    expect((await seen(41))[0]).toBe('none');
    expect(await booked(41)).toEqual([
      ['refund', -29.99],
      ['purchase', 29.99],
    ]);
  });
});

describe('a subscription whose notifications are lost', () => {
  it('is asked about daily and at its end', async () => {
    const original = await subscribed(11);
    await billing.store.refund(original);
    await billing.moveTo('2026-06-16T12:00:01Z');
    expect((await seen(11))[0]).toBe('none');
    const late = await subscribed(12);
    await billing.moveTo('2026-07-15T11:00:00Z');
    await billing.store.renew(late);
    await billing.moveTo('2026-07-15T12:00:01Z');
    expect(await seen(12)).toEqual(['active', true, '2026-08-14', 11]);
  });

  it('is found in the history of the notifications that did not arrive', async () => {
    moveTo('2026-06-15');
    await billing.buy(13);
    await billing.missed();
    expect(await seen(13)).toEqual(['active', true, '2026-07-15', 11]);
  });
});

describe('a membership of a store', () => {
  it('is canceled and changed in the store only', async () => {
    await subscribed(21);
    const cancel = await billing.post('/packages/cancel', {}, { id: 21 });
    expect(cancel).toMatchObject({ status: 403, body: { fail: 'Managed By Store' } });
    expect(await seen(21)).toEqual(['active', true, '2026-07-15', 11]);
    const correct = (body: object) =>
      billing.post('/staff/memberships/21/correct', { reason: 'sorry', ...body }, staff);
    for (const body of [{ autorenew: false }, { rate_id: 31 }, { expires_at: 'now' }])
      expect(await correct(body)).toMatchObject({ status: 403, body: { fail: 'Managed By Store' } });
    expect((await correct({ expires_at: '2026-08-01T00:00:00Z' })).status).toBe(200);
    expect(await seen(21)).toEqual(['active', true, '2026-08-01', 11]);
  });

  it('stops the renewal of one that was bought here, so that nobody pays twice', async () => {
    moveTo('2026-06-15');
    const web = { package_id: 3, rate_id: 31, receipt: 'web:22' };
    expect((await billing.post('/packages/purchase', web, { id: 22 })).status).toBe(200);
    expect(await seen(22)).toEqual(['active', true, '2026-12-12', 31]);
    const original = await billing.buy(22);
    await billing.deliver().expect(200);
    expect((await seen(22)).slice(0, 2)).toEqual(['active', true]);
    await billing.store.refund(original);
    await billing.deliver().expect(200);
    // The purchase made here remains, without renewal.
    expect(await seen(22)).toEqual(['active', false, '2026-12-12', 31]);
    await billing.moveTo('2026-12-12T12:00:01Z');
    expect((await billing.charged(22)).charges).toHaveLength(1);
  });

  it('that was canceled is continued by what is bought here', async () => {
    const original = await subscribed(27);
    await billing.store.switchRenewal(original, false);
    await billing.deliver().expect(200);
    moveTo('2026-06-25');
    const web = { package_id: 1, rate_id: 11, receipt: 'web:27' };
    expect((await billing.post('/packages/purchase', web, { id: 27 })).status).toBe(200);
    expect((await seen(27)).slice(0, 3)).toEqual(['active', true, '2026-08-14']);
  });

  it('that has ended is corrected by staff as any other', async () => {
    const original = await subscribed(28);
    await billing.store.refund(original);
    await billing.deliver().expect(200);
    const grant = { expires_at: '2026-08-01T00:00:00Z', rate_id: 31, reason: 'sorry' };
    expect((await billing.post('/staff/memberships/28/correct', grant, staff)).status).toBe(200);
    expect(await seen(28)).toEqual(['active', expect.anything(), '2026-08-01', 31]);
  });

  it('that its store no longer knows ends at its end', async () => {
    const original = await subscribed(29);
    billing.store.forget(original);
    await billing.moveTo('2026-06-20T12:00:00Z');
    expect((await seen(29))[0]).toBe('active');
    await billing.moveTo('2026-07-15T12:00:01Z');
    expect(await seen(29)).toEqual(['none', false, null, null]);
  });

  it('moves to the member who hands in its receipt, where the operator allows it', async () => {
    const original = await subscribed(23);
    const answer = await billing.purchase(24, await billing.store.receipt(original));
    expect(answer.status).toBe(200);
    expect((await seen(24))[0]).toBe('active');
    expect((await seen(23))[0]).toBe('none');
    await billing.store.refund(original);
    await billing.deliver().expect(200);
    expect((await seen(24))[0]).toBe('none');
    // Given back to the member who had paid.
    expect((await booked(23)).map(([, amount]) => amount)).toEqual([-29.99, 29.99]);
    expect(await booked(24)).toEqual([]);
  });

  it('is taken from a family where the operator allows it', async () => {
    moveTo('2026-06-15');
    const shared = await billing.store.buy({ product: 'ios.1', isShared: true });
    expect((await billing.purchase(25, await billing.store.receipt(shared))).status).toBe(200);
    // Another person has paid.
    expect((await billing.own(25)).history).toEqual([]);
  });

  it('is part of the export and of the report to staff, and is erased with the member', async () => {
    const original = await subscribed(26);
    const line = { store: 'app_store', rate_id: 11 };
    const exported = await billing.internal('/internal/members/export', subject(26));
    expect(exported.body.subscriptions).toEqual([
      expect.objectContaining({ ...line, reference: `com.test.ios:Production:${original}` }),
    ]);
    const report = await billing.get('/staff/memberships/26', staff);
    expect(report.body.subscriptions).toEqual([expect.objectContaining({ ...line, phase: 'running' })]);
    await billing.internal('/internal/members/erase', subject(26));
    expect(await billing.context.subscriptions.findOf([26])).toEqual([]);
  });
});
