import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@covalence/testing/until';
import type { LedgerStore } from '../../src/ledger/ledger-store.ts';
import type { PaymentProvider } from '../../src/payments/provider.ts';
import type { MembershipStore } from '../../src/memberships/membership-store.ts';
import { imported, replacing, startService, type ServiceUnderTest } from '../harness.ts';

let billing: ServiceUnderTest;
beforeAll(async () => {
  billing = await startService('life');
});
afterAll(() => billing.close());

const begin = '2026-06-15T12:00:00Z';
const buy = async (id: number, receipt: string) => {
  billing.time.now = new Date(begin);
  const bought = await billing.post('/packages/purchase', { package_id: 1, rate_id: 11, receipt }, { id });
  expect(bought.status).toBe(200);
};
const cancel = (id: number) => billing.post('/packages/cancel', {}, { id });

const staff = { id: 0, siteid: 0, scope: 'staff' };

const state = async (member: number) => {
  const found = await billing.context.memberships.find(member);
  return found && [found.status, found.autorenew, found.expires_at.toISOString().slice(0, 16)];
};

/** The latest event that the others received of a member, once it is what is stored. */
const told = (member: number) =>
  until('the latest event', async () => {
    const stored = await billing.context.memberships.find(member);
    const event = billing.told.find((one) => one.member === member && one.version === stored?.version);
    return event?.data;
  });

describe('a membership', () => {
  it('is renewed before its end without a gap, until it is canceled and ends', async () => {
    await buy(1, 'good:1');
    await billing.moveTo('2026-07-15T10:59:00Z');
    expect(await state(1)).toEqual(['active', true, '2026-07-15T12:00']);
    await billing.moveTo('2026-07-15T11:00:00Z');
    expect(await state(1)).toEqual(['active', true, '2026-08-14T12:00']);
    await billing.moveTo('2026-07-15T11:01:00Z');
    expect(await billing.charged(1)).toMatchObject({ held: 6000 });
    await billing.moveTo('2026-08-14T11:30:00Z');
    expect(await state(1)).toEqual(['active', true, '2026-09-13T12:00']);
    expect((await cancel(1)).body).toEqual({
      membership_status: 'active',
      autorenew: false,
      expirationdate: '2026-09-13T12:00:00.000Z',
    });
    expect(await told(1)).toMatchObject({ status: 'active', autorenew: false });
    await billing.moveTo('2026-09-13T11:59:00Z');
    expect(await state(1)).toEqual(['active', false, '2026-09-13T12:00']);
    await billing.moveTo('2026-09-13T12:00:00Z');
    expect((await state(1))?.[0]).toBe('none');
    expect(await told(1)).toEqual({ status: 'none', autorenew: false, expires_at: null });
    expect(await billing.charged(1)).toMatchObject({ held: 9000 });
    expect((await billing.packages({}, { id: 1 })).body.can_purchase).toBe(true);
  });

  it('that cannot be renewed is inactive and retried daily in its grace period, and then ends', async () => {
    await buy(2, 'decline-renewal:2');
    await billing.moveTo('2026-07-15T11:00:00Z');
    expect((await state(2))?.[0]).toBe('active');
    await billing.moveTo('2026-07-15T12:00:00Z');
    expect((await state(2))?.[0]).toBe('inactive');
    expect(await told(2)).toMatchObject({ status: 'inactive', autorenew: true });
    expect((await billing.packages({}, { id: 2 })).body.can_purchase).toBe(false);
    for (let hour = 13; hour < 24; hour += 1) await billing.moveTo(`2026-07-15T${hour}:00:00Z`);
    expect((await billing.charged(2)).charges).toHaveLength(2);
    await billing.moveTo('2026-07-16T11:00:00Z');
    expect((await billing.charged(2)).charges).toHaveLength(3);
    await billing.moveTo('2026-07-29T12:00:00Z');
    expect((await state(2))?.[0]).toBe('none');
    expect(await told(2)).toEqual({ status: 'none', autorenew: false, expires_at: null });
    expect(await billing.charged(2)).toMatchObject({ held: 3000 });
    await billing.moveTo('2026-08-29T12:00:00Z');
    expect((await state(2))?.[0]).toBe('none');
  });

  it('becomes active again when the renewal is paid in the grace period', async () => {
    await buy(3, 'delay-renewal:3');
    await billing.moveTo('2026-07-15T11:00:00Z');
    // Asked again a minute later, the provider has decided.
    await billing.moveTo('2026-07-15T11:02:00Z');
    expect(await state(3)).toEqual(['active', true, '2026-08-14T12:00']);
    expect(await billing.context.ledger.of(3)).toHaveLength(2);
  });

  it('ends when it is canceled in its grace period, and can be bought again', async () => {
    await buy(4, 'decline-renewal:4');
    await billing.moveTo('2026-07-15T11:00:00Z');
    await billing.moveTo('2026-07-16T12:00:00Z');
    expect((await cancel(4)).body).toMatchObject({ membership_status: 'none' });
    const again = await billing.post('/packages/purchase', { package_id: 1, rate_id: 11 }, { id: 4 });
    expect(again.body).toMatchObject({
      membership_status: 'active',
      expirationdate: '2026-08-15T12:00:00.000Z',
    });
    const { started_at } = (await billing.context.memberships.find(4)) ?? {};
    expect(started_at).toEqual(new Date('2026-07-16T12:00:00Z'));
  });

  it('whose package is no longer sold ends without renewal, and the member may buy another at once', async () => {
    await buy(16, 'good:16');
    const packageData = { ...billing.context.packageData, packages: [] };
    await replacing(
      billing.context,
      () => ({ packageData }),
      async () => {
        await billing.moveTo('2026-07-15T11:00:00Z');
        expect(await state(16)).toEqual(['active', false, '2026-07-15T12:00']);
        expect((await billing.packages({}, { id: 16 })).body.can_purchase).toBe(true);
        await billing.moveTo('2026-07-15T12:00:00Z');
        expect((await state(16))?.[0]).toBe('none');
      },
    );
    expect((await billing.charged(16)).held).toBe(3000);
  });

  it('that was not processed for days is renewed from now', async () => {
    await buy(5, 'good:5');
    await billing.moveTo('2026-07-18T12:00:00Z');
    expect(await state(5)).toEqual(['active', true, '2026-08-17T12:00']);
  });

  it('is not charged again after a restore from a backup before its renewal', async () => {
    await buy(27, 'good:27');
    const { connection } = billing.context;
    const stored = ['memberships', 'payments', 'ledger'].map((name) => connection.collection(name));
    const own = { $or: [{ _id: 27 as never }, { member: 27 }] };
    const backup = await Promise.all(stored.map((collection) => collection.find(own).toArray()));
    await billing.moveTo('2026-07-15T11:00:00Z');
    expect(await billing.charged(27)).toMatchObject({ held: 6000 });
    for (const [index, collection] of stored.entries()) {
      await collection.deleteMany(own);
      await collection.insertMany(backup[index] ?? []);
    }
    await billing.moveTo('2026-07-17T20:00:00Z');
    expect(await billing.charged(27)).toMatchObject({ held: 6000 });
    expect(await state(27)).toEqual(['active', true, '2026-08-16T20:00']);
    expect(await billing.context.ledger.of(27)).toHaveLength(2);
  });

  it('whose renewal is paid hours after its end gets all its days from then', async () => {
    await buy(8, 'good:8');
    await billing.whileAway(async () => {
      await billing.moveTo('2026-07-15T11:00:00Z');
      await billing.moveTo('2026-07-15T12:00:00Z');
      expect((await state(8))?.[0]).toBe('inactive');
    });
    await billing.moveTo('2026-07-15T18:00:00Z');
    expect(await state(8)).toEqual(['active', true, '2026-08-14T18:00']);
  });

  it('whose end was moved during its renewal is renewed at the new end', async () => {
    await buy(9, 'good:9');
    await billing.whileAway(async () => {
      await billing.moveTo('2026-07-15T12:00:00Z');
      const body = { expires_at: '2026-08-01T12:00:00Z', reason: 'Outage' };
      await billing.post('/staff/memberships/9/correct', body, staff);
    });
    await billing.moveTo('2026-07-15T18:00:00Z');
    expect(await billing.charged(9)).toMatchObject({ held: 3000 });
    await billing.moveTo('2026-08-01T11:00:00Z');
    expect(await billing.charged(9)).toMatchObject({ held: 6000 });
    expect(await state(9)).toEqual(['active', true, '2026-08-31T12:00']);
  });

  it('that staff correct in its grace period is still retried daily', async () => {
    await buy(10, 'decline-renewal:10');
    await billing.moveTo('2026-07-15T11:00:00Z');
    await billing.moveTo('2026-07-15T12:00:00Z');
    await billing.post('/staff/memberships/10/correct', { rate_id: 21, reason: 'Wished for' }, staff);
    expect((await state(10))?.[0]).toBe('inactive');
    await billing.moveTo('2026-07-15T12:01:00Z');
    await billing.moveTo('2026-07-16T12:01:00Z');
    const { charges } = await billing.charged(10);
    expect(charges.map(({ amount }) => amount)).toEqual([3000, 3000, 6000]);
  });

  it('keeps the rate that staff set while a renewal at the former rate is pending', async () => {
    await buy(13, 'delay-renewal:13');
    await billing.moveTo('2026-07-15T11:00:00Z');
    await billing.post('/staff/memberships/13/correct', { rate_id: 21, reason: 'Wished for' }, staff);
    await billing.moveTo('2026-07-15T11:02:00Z');
    expect(await state(13)).toEqual(['active', true, '2026-08-14T12:00']);
    expect(await billing.context.memberships.find(13)).toMatchObject({ package_id: 2, rate_id: 21 });
  });

  it('is renewed at the rate that staff set when a renewal at the former rate never reached the provider', async () => {
    await buy(15, 'good:15');
    await billing.whileAway(async () => {
      await billing.moveTo('2026-07-15T11:00:00Z');
      await billing.post('/staff/memberships/15/correct', { rate_id: 21, reason: 'Wished for' }, staff);
      await billing.moveTo('2026-07-15T11:02:00Z');
    });
    await billing.moveTo('2026-07-15T11:04:00Z');
    expect(await billing.charged(15)).toMatchObject({ held: 9000 });
    expect(await state(15)).toEqual(['active', true, '2026-10-13T12:00']);
    expect((await billing.get('/staff/memberships/15', staff)).body.balance).toEqual({ USD: 9000 });
  });

  it('keeps fields that a correction does not name when it is renewed meanwhile', async () => {
    await buy(12, 'good:12');
    const renewedFirst = (own: LedgerStore): Partial<LedgerStore> => ({
      async append(entry) {
        Object.assign(billing.context.ledger, own);
        await billing.moveTo('2026-07-15T11:00:00Z');
        return own.append(entry);
      },
    });
    await replacing(billing.context.ledger, renewedFirst, async () => {
      const body = { autorenew: false, reason: 'Asked for' };
      const { status } = await billing.post('/staff/memberships/12/correct', body, staff);
      expect([status, await state(12)]).toEqual([200, ['active', false, '2026-08-14T12:00']]);
    });
  });

  it('that an import replaces has nothing to charge', async () => {
    await buy(26, 'good:26');
    await billing.import([imported(26, { expires_at: '2026-07-20T12:00:00Z' })]);
    await billing.moveTo('2026-07-20T12:00:00Z');
    expect((await state(26))?.[0]).toBe('inactive');
    expect((await billing.charged(26)).held).toBe(3000);
  });

  it('whose renewal is pending for days is charged once, and gets all its days from then', async () => {
    await buy(25, 'delay-renewal:25');
    const undecided = (): Partial<PaymentProvider> => ({
      async find(key) {
        const { charges } = await billing.charged(25);
        const begun = charges.find(({ _id }) => String(_id) === key);
        return begun && { key, reference: String(begun['reference']), status: 'pending', refunded: 0 };
      },
    });
    await replacing(billing.provider, undecided, async () => {
      for (const day of [15, 16, 17]) await billing.moveTo(`2026-07-${day}T12:00:00Z`);
      expect((await state(25))?.[0]).toBe('inactive');
    });
    expect((await billing.charged(25)).charges).toHaveLength(2);
    await billing.moveTo('2026-07-18T12:00:00Z');
    expect(await billing.charged(25)).toMatchObject({ held: 6000 });
    expect(await state(25)).toEqual(['active', true, '2026-08-17T12:00']);
  });

  it('is not charged when its grace period ended while the provider was down', async () => {
    await buy(14, 'good:14');
    await billing.whileAway(async () => {
      await billing.moveTo('2026-07-15T11:00:00Z');
      await billing.moveTo('2026-07-29T12:00:00Z');
      expect((await state(14))?.[0]).toBe('none');
    });
    await billing.moveTo('2026-07-29T18:00:00Z');
    expect(await billing.charged(14)).toMatchObject({ held: 3000 });
    expect((await state(14))?.[0]).toBe('none');
  });

  it('that has ended stays ended, even before the job has run', async () => {
    await buy(11, 'good:11');
    await cancel(11);
    billing.time.now = new Date('2026-07-15T12:00:00Z');
    await switchTo(11, true);
    await billing.moveTo('2026-07-15T12:00:01Z');
    expect(await state(11)).toEqual(['none', false, '2026-07-15T12:00']);
    expect(await billing.charged(11)).toMatchObject({ held: 3000 });
  });

  it('is not changed by a repeated cancellation, or by one without a membership', async () => {
    expect((await cancel(6)).body).toEqual({
      membership_status: 'none',
      autorenew: false,
      expirationdate: null,
    });
    await buy(7, 'good:7');
    await cancel(7);
    const once = await billing.context.memberships.find(7);
    await cancel(7);
    expect(await billing.context.memberships.find(7)).toEqual(once);
  });
});

const switchTo = async (member: number, autorenew: boolean) =>
  (await billing.internal('/internal/memberships/renewal', { member, autorenew })).body.membership;

describe('POST /internal/memberships/renewal', () => {
  it('switches renewal off and on, publishes one event, and returns the membership', async () => {
    await billing.post('/packages/purchase', { package_id: 1, rate_id: 11 }, { id: 901 });
    const off = await switchTo(901, false);
    expect(off).toMatchObject({ status: 'active', autorenew: false, expires_at: expect.any(String) });
    expect(await switchTo(901, false)).toEqual(off);
    const on = await switchTo(901, true);
    expect(on).toMatchObject({ status: 'active', autorenew: true, expires_at: off.expires_at });
    expect(on.version).toBeGreaterThan(off.version);
  });

  it('also applies to a pending purchase', async () => {
    billing.time.now = new Date(begin);
    const body = { package_id: 1, rate_id: 11, receipt: 'delay:903' };
    await billing.post('/packages/purchase', body, { id: 903 });
    expect(await switchTo(903, false)).toBeNull();
    await billing.moveTo('2026-06-15T12:02:00Z');
    expect(await state(903)).toEqual(['active', false, '2026-07-15T12:02']);
    await billing.moveTo('2026-07-16T12:00:00Z');
    expect([(await state(903))?.[0], (await billing.charged(903)).held]).toEqual(['none', 3000]);
    // The next purchase is one of its own.
    await buy(903, 'good:903');
    expect((await state(903))?.[1]).toBe(true);
  });

  it('also applies just before a purchase becomes a membership', async () => {
    const { memberships } = billing.context;
    const switchedFirst = (own: MembershipStore): Partial<MembershipStore> => ({
      async write(changes) {
        Object.assign(memberships, own);
        await switchTo(24, false);
        return own.write(changes);
      },
    });
    await replacing(memberships, switchedFirst, () => buy(24, 'good:24'));
    expect(await state(24)).toEqual(['active', false, '2026-07-15T12:00']);
  });

  it('changes nothing without a membership, and is for services only', async () => {
    expect(await switchTo(902, true)).toBeNull();
    await billing.request
      .post('/internal/memberships/renewal')
      .send({ member: 901, autorenew: true })
      .expect(401);
  });
});
