import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findTraces } from '@covalence/testing/find-traces';
import type { PaymentProvider } from '../../src/payments/provider.ts';
import { replacing, startService, type ServiceUnderTest } from '../harness.ts';

let billing: ServiceUnderTest;
beforeAll(async () => {
  billing = await startService('erased');
});
afterAll(() => billing.close());

const month = { package_id: 1, rate_id: 11 };
const buy = async (id: number, body: object) => {
  const { status, body: answer } = await billing.post(
    '/packages/purchase',
    { ...month, ...body },
    { id, siteid: 1 },
  );
  return [status, answer as unknown] as const;
};
const subject = (id: number) => ({ id, member_id: '0190a000-0000-7000-8000-000000000001' });
const erase = (id: number) => billing.internal('/internal/members/erase', subject(id)).expect(200, {});
const everything = (name: string) => billing.context.connection.collection(name).find().toArray();
const seats = async () =>
  (await everything('redemptions')).filter(({ code }) => code === 'FEW').map(({ seat }) => String(seat));
const booked = async () =>
  (await everything('ledger')).map(({ amount, kind, reference }) =>
    JSON.stringify([amount, kind, reference]),
  );

/** The provider's answer comes once the member is erased. */
const erasedThen = (own: PaymentProvider): Partial<PaymentProvider> => ({
  async find(key) {
    const charge = await own.find(key);
    await erase(7_000_007);
    return charge;
  },
});

describe('a member who is deleted', () => {
  it('exports membership, payments, ledger and codes without receipts', async () => {
    expect((await buy(7_000_002, { promo_code: 'few', receipt: 'paper' }))[0]).toBe(200);
    const { body, text } = await billing.internal('/internal/members/export', subject(7_000_002)).expect(200);
    expect(body).toMatchObject({
      membership: { membership_status: 'active', autorenew: true, rate_id: 11 },
      payments: [{ kind: 'purchase', amount: 2700, state: 'paid', promo_code: 'FEW' }],
      ledger: [{ kind: 'purchase', amount: 2700, currency: 'USD' }],
      promo_codes: [{ code: 'FEW' }],
    });
    expect(text).not.toContain('receipt_hash');
  });

  it('keeps amounts in the ledger, spent receipts and used codes, without personal data', async () => {
    const [before, seated] = [await booked(), await seats()];
    // A crash on the way: the original knows its copy, and both are there.
    const redemptions = billing.context.connection.collection('redemptions');
    const used = await redemptions.findOne({ member: 7_000_002 });
    if (!used) throw new Error('the code was not used');
    await redemptions.updateOne({ _id: used._id }, { $set: { anonymized_as: 'erased:half' } });
    const half = { code: 'FEW', at: new Date(), purchase: 'erased', member: 0, left: used['seat'] as string };
    await redemptions.insertOne({ _id: 'erased:half' as never, ...half });

    await erase(7_000_002);
    await erase(7_000_002);
    expect((await booked()).toSorted()).toEqual(before.toSorted());
    expect((await seats()).toSorted()).toEqual(seated.toSorted());
    const traces = await findTraces({ namespace: billing.namespace, of: [7_000_002] });
    expect(traces).toEqual([]);
    expect(await buy(7_000_003, { receipt: 'paper' })).toEqual([403, { fail: 'Invalid Argument' }]);
    await erase(7_000_009);
  });

  it('is not charged by a job that read the pending purchase before', async () => {
    const members = [7_000_005, 7_000_006] as const;
    await billing.whileAway(async () => {
      for (const id of members) await buy(id, {});
    });
    const { provider } = billing;
    // While the job is at one of the two, the other is erased.
    const whileBusy = (own: PaymentProvider): Partial<PaymentProvider> => ({
      async find(key) {
        Object.assign(provider, own);
        await erase(members.find((id) => !key.startsWith(`${id}:`)) ?? 0);
        return own.find(key);
      },
    });
    await replacing(provider, whileBusy, () => billing.moveTo('2026-06-15T12:02:00Z'));
    const charged = await Promise.all(members.map(async (id) => (await billing.charged(id)).held));
    expect(charged.toSorted((one, other) => one - other)).toEqual([0, 3000]);
  });

  it('gets no membership from a concurrent payment, which stays in the ledger', async () => {
    expect((await buy(7_000_007, { receipt: 'delay:7' }))[0]).toBe(200);
    const { length } = await booked();
    await replacing(billing.provider, erasedThen, () => billing.moveTo('2026-06-15T12:04:00Z'));
    expect(await findTraces({ namespace: billing.namespace, of: [7_000_007] })).toEqual([]);
    expect(await booked()).toHaveLength(length + 1);
  });

  it('leaves no renewal behind when one process drops it while another one charges it', async () => {
    expect((await buy(7_000_008, { receipt: 'good:8' }))[0]).toBe(200);
    const given: Partial<PaymentProvider> = {
      async charge(asked) {
        Object.assign(billing.provider, own);
        await billing.context.payments.drop(asked.key);
        return own.charge(asked);
      },
    };
    const own = { ...billing.provider };
    await replacing(
      billing.provider,
      () => given,
      () => billing.moveTo('2026-07-15T11:30:00Z'),
    );
    expect(await billing.charged(7_000_008)).toMatchObject({ held: 6000 });
    const found = await billing.context.memberships.find(7_000_008);
    expect(found?.expires_at).toEqual(new Date('2026-08-14T12:04:00Z'));
    expect(await billing.context.ledger.of(7_000_008)).toHaveLength(2);
  });

  it('is in the ledger once after two concurrent erasures', async () => {
    expect((await buy(7_000_004, { receipt: 'twice' }))[0]).toBe(200);
    const before = (await booked()).toSorted();
    const { length } = await everything('payments');
    await Promise.all([erase(7_000_004), erase(7_000_004), erase(7_000_004)]);
    expect((await booked()).toSorted()).toEqual(before);
    expect(await everything('payments')).toHaveLength(length);
  });
});
