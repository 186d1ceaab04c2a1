import { Subtype } from '@apple/app-store-server-library';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { notificationTypes } from '../../src/stores/app-store/notification-types.ts';
import { startWithAppStore, type AppStoreBilling } from './app-store-harness.ts';

let billing: AppStoreBilling;
beforeAll(async () => {
  billing = await startWithAppStore('app-store-notifications', { config: { FAMILY_SHARING: true } });
});
beforeEach(() => {
  billing.time.now = new Date('2026-06-15T12:00:00Z');
});
afterAll(() => billing.closeAll());

let members = 100;
const all = Object.entries(notificationTypes);
const each = all.flatMap(([type, { effect, subtypes = [] }]) =>
  [undefined, ...subtypes].map((subtype) => [type, subtype, effect] as const),
);

describe('the table of notifications', () => {
  it('has every subtype', () => {
    const named = all.flatMap(([, { subtypes = [] }]) => subtypes);
    expect(new Set(named)).toEqual(new Set<string>(Object.values(Subtype)));
  });

  it.each(each)('%s (%s) is taken, and its effect is: %s', async (type, subtype, effect) => {
    const original = await billing.buy((members += 1));
    const before = billing.store.asked();
    await billing.deliver(await billing.store.notice(original, type, subtype)).expect(200, {});
    const isAsked = billing.store.asked() > before;
    expect([isAsked, (await billing.seen(members))[0]]).toEqual(
      effect === 'ask' ? [true, 'active'] : [false, 'none'],
    );
  });
});

const paid = [['purchase', 29.99]];
const active = ['active', true, '2026-07-15', 11];
const none = ['none', false, null, null];

/** Rows of the documented table: how it was bought, what happens on the next day, what the member sees, and the bookings. */
const rows: readonly (readonly [
  string,
  object,
  (store: AppStoreBilling['store'], original: string) => Promise<unknown>,
  readonly unknown[],
  readonly unknown[],
])[] = [
  [
    'a free trial',
    { price: 0, offer: 'FREE_TRIAL' },
    (store, id) => store.notice(id, 'DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_ENABLED'),
    active,
    [['purchase', 0]],
  ],
  [
    'an introductory offer',
    { price: 9_990, offer: 'PAY_AS_YOU_GO' },
    (store, id) => store.notice(id, 'OFFER_REDEEMED'),
    active,
    [['purchase', 9.99]],
  ],
  [
    'a price increase that the buyer has not agreed to yet',
    {},
    (store, id) => store.raisePrice(id, false),
    active,
    paid,
  ],
  ['a price increase that the buyer agrees to', {}, (store, id) => store.raisePrice(id, true), active, paid],
  [
    'a price increase that the buyer refuses',
    {},
    (store, id) => store.expire(id, 'PRICE_INCREASE'),
    none,
    paid,
  ],
  ['the end of what the family shares', { isShared: true }, (store, id) => store.revoke(id), none, []],
  ['a refund', {}, (store, id) => store.refund(id), none, [['refund', -29.99], ...paid]],
];

describe('a subscription of the App Store', () => {
  it.each(rows)('with %s is a membership as documented', async (_row, purchase, act, seen, booked) => {
    const member = (members += 1);
    const original = await billing.buy(member, purchase);
    await billing.deliver().expect(200);
    const before = await billing.own(member);
    expect([before.membership_status, before.entitlements]).toEqual(['active', ['platinum']]);
    billing.time.now = new Date('2026-06-16T12:00:00Z');
    await act(billing.store, original);
    // All of it before the answer, also what profile shows: `daysremaining` and `platinum` follow from it.
    await billing.deliver().expect(200);
    const [status, autorenew, day] = seen;
    const shown = billing.profile.shown.findLast((one) => one.member === member)?.membership;
    expect([shown?.status, shown?.autorenew, shown?.expires_at?.slice(0, 10) ?? null]).toEqual([
      status,
      autorenew,
      day,
    ]);
    expect(await billing.seen(member)).toEqual(seen);
    expect(await billing.booked(member)).toEqual(booked);
    expect((await billing.own(member)).entitlements).toEqual(status === 'active' ? ['platinum'] : []);
  });
});
