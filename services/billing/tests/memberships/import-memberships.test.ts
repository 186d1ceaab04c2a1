import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventOf } from '@covalence/contract/events';
import { allUp } from '@covalence/testing/all-up';
import { until } from '@covalence/testing/until';
import { membershipChanged, type Membership } from '../../src/memberships/membership.ts';
import { imported, startService, type ServiceUnderTest } from '../harness.ts';

let billing: ServiceUnderTest;
beforeAll(async () => {
  billing = await startService('memberships');
});
afterAll(() => billing.close());

/** Events about a member, each once: an event may repeat. */
const toldOf = (member: number) => {
  const events = billing.told.filter(
    (event): event is EventOf<'membership.changed'> =>
      event.type === 'membership.changed' && event.member === member,
  );
  return [...new Map(events.map((event) => [event.id, event])).values()];
};

const told = (member: number, count: number) =>
  until(`${count} events of member ${member}`, () => {
    const events = toldOf(member);
    return events.length >= count ? events : undefined;
  });

const nothingWaits = () =>
  until(
    'an empty outbox',
    async () => !(await billing.context.memberships.model.exists({ outboxAt: { $exists: true } })),
  );

describe('POST /internal/memberships/import', () => {
  it('stores memberships and publishes events', async () => {
    const response = await billing.import([imported(1), imported(2, { autorenew: false })]);
    expect([response.status, response.body]).toEqual([200, { imported: 2 }]);
    const [first] = await told(1, 1);
    expect(first).toMatchObject({
      type: 'membership.changed',
      member: 1,
      version: billing.time.now.getTime(),
      data: { status: 'active', autorenew: true, expires_at: '2026-07-01T00:00:00.000Z' },
    });
    const [second] = await told(2, 1);
    expect(second?.data).toMatchObject({ status: 'active', autorenew: false });
    expect(await billing.context.memberships.find(1)).toEqual({
      due_at: new Date('2026-07-01T00:00:00Z'),
      member: 1,
      package_id: 1,
      rate_id: 11,
      started_at: new Date('2026-06-01T00:00:00Z'),
      expires_at: new Date('2026-07-01T00:00:00Z'),
      autorenew: true,
      status: 'active',
      version: billing.time.now.getTime(),
    });
  });

  it('publishes nothing for an unchanged repetition, and replaces changed memberships', async () => {
    await billing.import([imported(3)]).expect(200);
    await billing.import([imported(3)]).expect(200, { imported: 1 });
    await billing.import([imported(3, { autorenew: false })]).expect(200);
    const events = await told(3, 2);
    await nothingWaits();
    expect(toldOf(3)).toHaveLength(2);
    expect(events.filter(({ data }) => data.autorenew)).toHaveLength(1);
    const [older, newer] = events.map(({ version }) => version).sort((a, b) => a - b);
    expect(newer).toBeGreaterThan(older ?? Infinity);
    expect(await billing.context.memberships.find(3)).toMatchObject({ autorenew: false, version: newer });
  });

  it.each([
    ['package and rate', { package_id: 2, rate_id: 21 }],
    ['beginning', { started_at: '2026-06-02T00:00:00Z' }],
    ['end', { expires_at: '2026-07-02T00:00:00Z' }],
  ])('replaces a membership when only its %s differs', async (_what, facts) => {
    await billing.import([imported(9)]).expect(200);
    await billing.import([imported(9, facts)]).expect(200);
    const { package_id, rate_id, started_at, expires_at } = imported(9, facts);
    const [begin, end] = [started_at, expires_at].map((time) => new Date(time));
    expect(await billing.context.memberships.find(9)).toMatchObject({
      package_id,
      rate_id,
      started_at: begin,
      expires_at: end,
    });
  });

  it('uses the last of two memberships of one member', async () => {
    await billing.import([imported(4), imported(4, { autorenew: false })]).expect(200, { imported: 1 });
    expect(await billing.context.memberships.find(4)).toMatchObject({ autorenew: false });
  });

  it.each([
    [{ autorenew: false }, { status: 'none', autorenew: false, expires_at: null }],
    [{ autorenew: true }, { status: 'inactive', autorenew: true, expires_at: '2026-06-10T00:00:00.000Z' }],
  ])('stores ended memberships as ended: %p', async (facts, data) => {
    const member = facts.autorenew ? 6 : 5;
    await billing.import([imported(member, { ...facts, expires_at: '2026-06-10T00:00:00Z' })]).expect(200);
    expect((await told(member, 1))[0]?.data).toEqual(data);
  });

  it('accepts 500 memberships in two concurrent calls, with one event for each', async () => {
    const batch = Array.from({ length: 500 }, (_, index) => imported(10_000 + index));
    const answers = await Promise.all([billing.import(batch), billing.import(batch)]);
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, { imported: 500 }],
      [200, { imported: 500 }],
    ]);
    await until('500 members told of', () => {
      const members = new Set(billing.told.map(({ member }) => member));
      return batch.every(({ member }) => members.has(member));
    });
    await nothingWaits();
    expect(await billing.context.memberships.findAll(batch.map(({ member }) => member))).toHaveLength(500);
  });

  it.each([
    ['an unknown package', { package_id: 9 }],
    ['a rate of another package', { rate_id: 21 }],
    ['an end before its start', { expires_at: '2026-05-01T00:00:00Z' }],
    ['a date that is none', { started_at: 'yesterday' }],
    ['no member', { member: 0 }],
  ])('refuses %s and stores nothing of the call', async (_case, facts) => {
    const { status, body } = await billing.import([imported(7), imported(8, facts)]);
    expect([status, body]).toEqual([403, { fail: 'Invalid Argument' }]);
    expect(await billing.context.memberships.find(7)).toBeUndefined();
  });

  it('refuses more than 500', async () => {
    const batch = Array.from({ length: 501 }, (_, index) => imported(20_000 + index));
    expect((await billing.import(batch)).status).toBe(403);
  });

  it('requires a service token and valid input', async () => {
    const nothing = await billing.import([]);
    expect([nothing.status, nothing.body]).toEqual([200, { imported: 0 }]);
    expect((await billing.import([imported(9)], 'profile')).status).toBe(403);
    expect(
      (await billing.request.post('/internal/memberships/import').send({ memberships: [] })).status,
    ).toBe(401);
  });
});

describe('concurrent writers', () => {
  it.each([
    ['to a new membership', undefined],
    ['to one that both have read', 1],
  ])('%s: the first one succeeds, the second one gets a conflict', async (_case, previous) => {
    const { memberships } = billing.context;
    const next = (version: number): Membership => ({
      member: previous ? 52 : 51,
      package_id: 1,
      rate_id: 11,
      started_at: billing.time.now,
      expires_at: new Date('2026-07-01T00:00:00Z'),
      autorenew: true,
      status: 'active',
      version,
    });
    const change = (from: number | undefined, version: number) => ({
      previous: from,
      next: next(version),
      event: membershipChanged(next(version), billing.time.now),
    });
    if (previous) await memberships.write([change(undefined, previous)]);
    const [first, second] = [change(previous, 10), change(previous, 11)];
    expect(await memberships.write([first])).toMatchObject([first]);
    expect(await memberships.write([second])).toEqual([]);
    expect(await memberships.find(first.next.member)).toEqual(first.next);
    await billing.context.membershipOutbox.relayOnce(new Date(Date.now() + 1_000));
  });

  it('every change has its own version, and the newest event matches the stored membership', async () => {
    const days = Array.from({ length: 8 }, (_, index) => `2026-07-0${index + 1}T00:00:00.000Z`);
    const answers = await Promise.all(days.map((day) => billing.import([imported(53, { expires_at: day })])));
    const accepted = answers.filter(({ status }) => status === 200).length;
    expect(accepted).toBeGreaterThan(0);
    await nothingWaits();
    const events = await told(53, accepted);
    const versions = events.map(({ version }) => version);
    expect(new Set(versions).size).toBe(events.length);
    const newest = events.find(({ version }) => version === Math.max(...versions));
    const stored = await billing.context.memberships.find(53);
    expect(stored?.version).toBe(newest?.version);
    expect(stored?.expires_at.toISOString()).toBe(newest?.data.expires_at);
  });

  it('waiting events are published before later ones', async () => {
    billing.events.cut();
    await until('the broker lost', async () => !(await allUp(billing.context.health)));
    await billing.import([imported(54)]);
    billing.events.restore();
    await until('the broker again', () => allUp(billing.context.health));
    await billing.import([imported(54, { autorenew: false })]);
    expect((await told(54, 2)).map(({ data }) => data.autorenew)).toEqual([true, false]);
  });
});

describe('the expiry job', () => {
  it('ends expired memberships once with an event, even if another document is invalid', async () => {
    await billing.import([imported(30)]).expect(200);
    await billing.context.memberships.model.collection.updateOne(
      { _id: 30 as never },
      { $unset: { expires_at: 1 } },
    );
    await billing
      .import([
        imported(31),
        imported(32, { autorenew: false }),
        imported(33, { expires_at: '2026-09-01T00:00:00Z' }),
      ])
      .expect(200);
    await Promise.all([told(31, 1), told(32, 1), told(33, 1)]);
    billing.time.now = new Date('2026-07-01T00:00:00Z');
    billing.start();
    const renewing = await told(31, 2);
    const ending = await told(32, 2);
    expect(renewing.at(-1)?.data).toEqual({
      status: 'inactive',
      autorenew: true,
      expires_at: '2026-07-01T00:00:00.000Z',
    });
    expect(ending.at(-1)?.data).toEqual({ status: 'none', autorenew: false, expires_at: null });
    expect(ending.at(-1)?.version).toBeGreaterThan(ending[0]?.version ?? Infinity);
    expect(await billing.context.memberships.find(31)).toMatchObject({ status: 'inactive' });
    expect(await billing.context.memberships.find(32)).toMatchObject({ status: 'none', autorenew: false });
    await until(
      'all others expired',
      async () => !(await billing.context.memberships.findDue(billing.time.now, 1)).length,
    );
    expect(await billing.context.memberships.find(33)).toMatchObject({ status: 'active' });
    await nothingWaits();
    expect([toldOf(31).length, toldOf(32).length, toldOf(33).length]).toEqual([2, 2, 1]);
    expect((await billing.packages({}, { id: 31 })).body.can_purchase).toBe(false);
    expect((await billing.packages({}, { id: 32 })).body.can_purchase).toBe(true);
  });

  it('does not change a renewed membership', async () => {
    billing.time.now = new Date('2026-07-10T00:00:00Z');
    await billing.import([imported(34, { expires_at: '2026-07-20T00:00:00Z' })]).expect(200);
    await billing.import([imported(34, { expires_at: '2026-08-20T00:00:00Z' })]).expect(200);
    billing.time.now = new Date('2026-07-25T00:00:00Z');
    await billing.import([imported(35, { expires_at: '2026-07-24T00:00:00Z' })]).expect(200);
    await told(35, 1);
    expect(await billing.context.memberships.find(34)).toMatchObject({ status: 'active' });
  });
});
