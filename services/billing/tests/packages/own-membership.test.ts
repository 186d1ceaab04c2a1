import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type ServiceUnderTest } from '../harness.ts';

let billing: ServiceUnderTest;
beforeAll(async () => {
  billing = await startService('own-membership');
});
afterAll(() => billing.close());

const staff = { id: 0, siteid: 0, scope: 'staff' };
const buy = (id: number, body: object = {}) =>
  billing.post('/packages/purchase', { package_id: 1, rate_id: 11, ...body }, { id });
const own = (id: number) => billing.own(id);

describe('GET /memberships/self', () => {
  it('shows a member without a membership nothing', async () => {
    expect(await own(1)).toEqual({
      membership_status: 'none',
      autorenew: false,
      expirationdate: null,
      account_token: null,
      store: null,
      entitlements: [],
      package: null,
      next_package: null,
      is_pending: false,
      history: [],
    });
  });

  it('shows what was bought, renewed and refunded, newest first, in the language of the member', async () => {
    await billing.at('2026-06-15T12:00:00Z', async () => {
      billing.profile.locales.set(2, 'de_DE');
      await buy(2, { receipt: 'ok:2' });
      await buy(3);
    });
    const package1 = { package_id: 1, rate_id: 11, name: '1 Monat' };
    const bought = {
      ...package1,
      kind: 'purchase',
      at: '2026-06-15T12:00:00.000Z',
      amount: 30,
      amount_fmt: expect.stringMatching(/^30,00\s\$$/),
      currency_code: 'USD',
    };
    expect(await own(2)).toEqual({
      account_token: null,
      store: null,
      membership_status: 'active',
      autorenew: true,
      expirationdate: '2026-07-15T12:00:00.000Z',
      entitlements: ['platinum'],
      package: package1,
      next_package: null,
      is_pending: false,
      history: [bought],
    });
    await billing.moveTo('2026-07-15T11:30:00Z');
    const { body: report } = await billing.get('/staff/memberships/2', staff);
    const [first] = (report as { ledger: { payment: string }[] }).ledger;
    billing.time.now = new Date('2026-07-16T12:00:00Z');
    const correction = { refund: first?.payment, reason: 'as she asked' };
    expect((await billing.post('/staff/memberships/2/correct', correction, staff)).status).toBe(200);
    const { history, ...now } = await own(2);
    expect(now).toMatchObject({ autorenew: false, package: package1 });
    expect(history).toMatchObject([
      { kind: 'refund', amount: -30, at: '2026-07-16T12:00:00.000Z' },
      { kind: 'renewal', amount: 30, at: '2026-07-15T11:30:00.000Z' },
      bought,
    ]);
    // Nothing of staff, providers or receipts.
    for (const line of history) expect(Object.keys(line)).toHaveLength(8);
    await billing.moveTo('2026-09-30T12:00:00Z');
    expect(await own(2)).toMatchObject({ membership_status: 'none', entitlements: [], package: null });
  });

  it('shows that a payment is not decided, and a grace period without entitlement', async () => {
    billing.time.now = new Date('2026-06-15T12:00:00Z');
    await buy(4, { receipt: 'delay:4' });
    expect(await own(4)).toMatchObject({ is_pending: true, entitlements: [], history: [] });
    await buy(5, { receipt: 'decline-renewal:5' });
    await billing.moveTo('2026-07-16T12:00:00Z');
    expect(await own(5)).toMatchObject({
      membership_status: 'inactive',
      entitlements: [],
      package: { name: '1 month' },
    });
  });
});
