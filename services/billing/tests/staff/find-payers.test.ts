import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type ServiceUnderTest } from '../harness.ts';

describe('POST /internal/memberships/payers', () => {
  let billing: ServiceUnderTest;
  beforeAll(async () => {
    billing = await startService('payers');
  });
  afterAll(() => billing.close());

  const find = async (reference: string): Promise<number[]> => {
    const { body } = await billing.internal('/internal/memberships/payers', { reference, limit: 20 });
    return (body as { members: number[] }).members;
  };
  const buy = (id: number) => billing.post('/packages/purchase', { package_id: 1, rate_id: 11 }, { id });

  it('finds a payment by the reference of its provider, its key, and the id of its booking', async () => {
    await buy(1);
    await buy(2);
    const [entry] = await billing.context.ledger.of(1);
    const names = [entry?.reference, entry?.payment, entry?.id];
    const reference = entry?.reference ?? '';
    expect(await Promise.all(names.map((name) => find(name ?? '')))).toEqual([[1], [1], [1]]);
    expect(await find(reference.slice(0, -1))).toEqual([]);
    expect(await find('')).toEqual([]);
  });

  it('finds a subscription and a customer of a store, and the token by which stores know a member', async () => {
    const { subscriptions, customers, accountTokens } = billing.context;
    const now = new Date();
    const facts = { member: 3, package_id: 1, rate_id: 11, phase: 'running', started_at: now } as const;
    await subscriptions.create(
      { store: 'google_play', reference: 'token-of-a-purchase' },
      { ...facts, expires_at: now, autorenew: true, currency: 'USD' },
      now,
      undefined,
    );
    await customers.create('stripe', 4, 'cus_4');
    await customers.keep('stripe', 5, 'cus_5');
    expect(await find('token-of-a-purchase')).toEqual([3]);
    expect([await find('cus_4'), await find('cus_5')]).toEqual([[4], [5]]);
    expect(await find((await accountTokens.of(6)).toUpperCase())).toEqual([6]);
  });

  it('finds no member who was erased', async () => {
    await buy(7);
    const [entry] = await billing.context.ledger.of(7);
    const { reference = '', payment = '' } = entry ?? {};
    const subject = { member_id: '019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77', id: 7 };
    await billing.internal('/internal/members/erase', subject);
    expect([await find(reference), await find(payment)]).toEqual([[], []]);
  });
});
