import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PaymentProvider } from '../../src/payments/provider.ts';
import { replacing, startService, type ServiceUnderTest } from '../harness.ts';

let billing: ServiceUnderTest;
beforeAll(async () => {
  billing = await startService('refunds');
});
afterAll(() => billing.close());

const month = { package_id: 1, rate_id: 11 };
const staff = { id: 0, siteid: 0, scope: 'staff' };
const buyOn = async (when: string, id: number, body: object = {}) => {
  billing.time.now = new Date(when);
  await billing.post('/packages/cancel', {}, { id });
  return billing.post('/packages/purchase', { ...month, ...body }, { id });
};
const keys = async (member: number) =>
  (await billing.charged(member)).charges.map(({ _id }) => String(_id)).toSorted();
const giveBack = async (member: number, refund: string) =>
  (await billing.post(`/staff/memberships/${member}/correct`, { refund, reason: 'x' }, staff)).body;

/** The provider says of every charge that it is paid. */
const paidAfterAll = (own: PaymentProvider): Partial<PaymentProvider> => ({
  async find(key) {
    const charge = await own.find(key);
    return charge && { ...charge, status: 'paid' };
  },
});

describe('a refunded payment', () => {
  it('removes its remaining days, and none of later payments', async () => {
    await buyOn('2026-06-15T12:00:00Z', 1);
    const [first = ''] = await keys(1);
    const both = await buyOn('2026-06-15T12:00:00Z', 1);
    expect(both.body).toMatchObject({ expirationdate: '2026-08-14T12:00:00.000Z' });
    billing.time.now = new Date('2026-06-25T12:00:00Z');
    expect(await giveBack(1, first)).toMatchObject({
      membership_status: 'active',
      autorenew: false,
      expirationdate: '2026-07-25T12:00:00.000Z',
    });
    const second = (await keys(1)).find((key) => key !== first) ?? '';
    expect(await giveBack(1, second)).toMatchObject({ membership_status: 'none', balance: { USD: 0 } });
  });

  it('removes nothing of later purchases when its days are over', async () => {
    await buyOn('2026-06-15T12:00:00Z', 2, { receipt: 'chargeback:2' });
    const [first = ''] = await keys(2);
    await billing.post('/packages/cancel', {}, { id: 2 });
    await billing.moveTo('2026-07-16T12:00:00Z');
    await buyOn('2026-08-01T12:00:00Z', 2);
    await billing.hook(first).expect(200);
    expect((await billing.get('/staff/memberships/2', staff)).body).toMatchObject({
      membership_status: 'active',
      expirationdate: '2026-08-31T12:00:00.000Z',
      balance: { USD: 3000 },
    });
  });
});

describe('a payment that is declined and then paid', () => {
  it('uses its promo code', async () => {
    const declined = await buyOn('2026-06-15T12:00:00Z', 3, { receipt: 'decline:3', promo_code: 'ONCE' });
    expect(declined.body).toEqual({ fail: 'Payment Declined' });
    const [key = ''] = await keys(3);
    await replacing(billing.provider, paidAfterAll, async () => void (await billing.hook(key).expect(200)));
    const again = await buyOn('2026-06-16T12:00:00Z', 3, { promo_code: 'ONCE' });
    expect([again.status, again.body]).toEqual([403, { fail: 'Invalid Argument' }]);
  });
});
