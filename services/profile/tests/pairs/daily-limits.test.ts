import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import assert from 'node:assert/strict';
import type request from 'supertest';
import type { Member } from '../../src/members/document/member.ts';
import { localDayOf, tooManyToday, withinDailyLimit } from '../../src/pairs/daily-limit.ts';
import { toNoon } from '../support/noon.ts';
import { messaging, platinum, say } from '../support/messaging.ts';
import { startService, type TestMember, type ServiceUnderTest } from '../harness.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService('daily-limits');
});
afterAll(() => service.close());

const dayMs = 86_400_000;
const { woman, patch } = messaging(() => service);
const women = (count: number, siteid: number) =>
  Promise.all(Array.from({ length: count }, () => woman({ siteid })));
const tooMany = ({ status, body, headers }: request.Response) => {
  expect([status, body]).toEqual([429, { fail: 'Too Many Requests' }]);
  const seconds = Number(headers['retry-after']);
  // From noon on: until the member's midnight.
  expect(seconds).toBeGreaterThan(11 * 3_600);
  expect(seconds).toBeLessThanOrEqual(12 * 3_600);
};

beforeEach(() => toNoon(service));

const view = (viewer: TestMember, other: TestMember) => viewer.get(`/users/${other.id}`);
const photos = (viewer: TestMember, other: TestMember) => viewer.get(`/photo?profileid=${other.id}`);

describe('a site that limits views', () => {
  it('answers 429 beyond the daily limit, in parallel and in sequence, until the member’s midnight', async () => {
    const viewer = await service.register({ siteid: 5 });
    const seen = await women(4, 5);
    const answers = await Promise.all(seen.map((other) => view(viewer, other)));
    const opened = answers.map(({ status }) => status === 200);
    expect(opened.filter(Boolean)).toHaveLength(3);
    for (const [index, other] of seen.entries()) {
      // A profile opened today is already counted.
      if (opened[index]) await view(viewer, other).expect(200);
      else for (let turn = 0; turn < 2; turn += 1) tooMany(await view(viewer, other));
    }
    // The own record is no view, and others have their own share.
    await viewer.get('/users/self').expect(200);
    await viewer.get(`/users/${viewer.id}`).expect(200);
    const [first] = seen;
    if (first) await view(first, viewer).expect(200);
    service.advance(dayMs);
    await view(viewer, seen[0] ?? viewer).expect(200);
  });

  it('does not count refused views', async () => {
    const viewer = await service.register({ siteid: 5 });
    for (let turn = 0; turn < 5; turn += 1) await viewer.get('/users/999999999').expect(403);
    for (const other of await women(3, 5)) expect((await view(viewer, other)).status).toBe(200);
  });

  it('counts a member once a day for profile and photos together, also in parallel', async () => {
    const viewer = await service.register({ siteid: 5 });
    const [first, second, third, fourth] = await women(4, 5);
    assert(first && second && third && fourth);
    const both = Array.from({ length: 4 }, () => [view(viewer, first), photos(viewer, first)]).flat();
    for (const { status } of await Promise.all(both)) expect(status).toBe(200);
    await photos(viewer, second).expect(200);
    await view(viewer, second).expect(200);
    await photos(viewer, third).expect(200);
    tooMany(await photos(viewer, fourth));
    tooMany(await view(viewer, fourth));
    for (const other of [first, second, third]) await photos(viewer, other).expect(200);
    await viewer.get('/photo').expect(200);
    await photos(viewer, viewer).expect(200);
    service.advance(dayMs);
    for (const other of [fourth, third, second]) await photos(viewer, other).expect(200);
    tooMany(await photos(viewer, first));
  });

  it('keeps no id of an erased member', async () => {
    const viewer = await service.register({ siteid: 5 });
    const [other] = await women(1, 5);
    assert(other);
    await photos(viewer, other).expect(200);
    await service.context.pairs.quotas.views.erase(other.id);
    const { collection } = service.context.connection.model('view_quotas');
    await expect(collection.findOne({ _id: viewer.id as never })).resolves.toMatchObject({ others: [] });
  });

  it('has no effect on sites without the setting', async () => {
    const viewer = await service.register();
    const other = await woman();
    for (let turn = 0; turn < 8; turn += 1) await view(viewer, other).expect(200);
    await photos(viewer, other).expect(200);
    await expect(service.context.pairs.quotas.views.read(viewer.id)).resolves.toBeUndefined();
  });
});

const page = (viewer: TestMember, ids: readonly number[]) =>
  service.internal('/internal/records', { viewer: viewer.id, ids });

describe('a site that limits results of searches', () => {
  it('answers 429 after the daily number of shown records', async () => {
    const viewer = await service.register({ siteid: 5 });
    const ids = (await women(3, 5)).map(({ id }) => id);
    // Nobody is shown, so nothing counts.
    for (let turn = 0; turn < 5; turn += 1) await page(viewer, [viewer.id]).expect(200);
    // The page with the last one left is shown whole.
    for (let turn = 0; turn < 2; turn += 1) {
      const { body } = await page(viewer, ids).expect(200);
      expect(body.records).toHaveLength(3);
    }
    tooMany(await page(viewer, ids));
    // Opening one of them is another matter.
    await viewer.get(`/users/${ids[0]}`).expect(200);
    service.advance(dayMs);
    await page(viewer, ids).expect(200);
  });

  it('holds for parallel calls', async () => {
    const viewer = await service.register({ siteid: 5 });
    const ids = (await women(2, 5)).map(({ id }) => id);
    const answers = await Promise.all(Array.from({ length: 6 }, () => page(viewer, ids)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  });

  it('does not count what staff look at', async () => {
    const viewer = await service.register({ siteid: 5 });
    const ids = (await women(3, 5)).map(({ id }) => id);
    const forStaff = { viewer: viewer.id, ids, for_staff: true };
    for (let turn = 0; turn < 4; turn += 1) await service.internal('/internal/records', forStaff).expect(200);
    await expect(service.context.pairs.quotas.results.read(viewer.id)).resolves.toBeUndefined();
  });

  it('has no effect on sites without the setting', async () => {
    const viewer = await service.register();
    const { id } = await woman();
    for (let turn = 0; turn < 8; turn += 1) await page(viewer, [id]).expect(200);
    await expect(service.context.pairs.quotas.results.read(viewer.id)).resolves.toBeUndefined();
  });
});

/** A man of a site who may write to anyone. */
const writer = async (siteid: number) => {
  const man = await service.register({ siteid });
  const expires_at = new Date(service.context.clock().getTime() + 30 * dayMs);
  await patch(man, { membership: { ...platinum().membership, expires_at } });
  return man;
};

describe('a site that limits new conversations', () => {
  it('answers 429 for a further conversation, and lets existing ones continue', async () => {
    const man = await writer(5);
    const others = await women(4, 5);
    const answers = await Promise.all(others.map((other) => say(man, other, 'Hello')));
    const statusOf = (other: TestMember) => answers[others.indexOf(other)]?.status;
    const reached = others.filter((other) => statusOf(other) === 200);
    expect(reached).toHaveLength(2);
    for (const other of others) {
      const { status } = await say(man, other, 'Are you there?');
      expect(status).toBe(reached.includes(other) ? 200 : 429);
    }
    tooMany(await say(man, others.find((other) => !reached.includes(other)) ?? man, 'Hello?'));
    service.advance(dayMs);
    for (const other of reached) await say(man, other, 'Good morning').expect(200);
  });

  it('does not count replies and refused messages', async () => {
    const man = await writer(5);
    for (const other of await women(3, 5)) {
      // A connection, so that she may write first without platinum.
      await other.post('/like', { profileid: man.id }).expect(200);
      await man.post('/like', { profileid: other.id }).expect(200);
      await say(other, man, 'Hello').expect(200);
      await say(man, other, 'Hello too').expect(200);
    }
    for (let turn = 0; turn < 3; turn += 1) {
      await man.post('/messages', { profileid: 999_999_999, text: 'Hello' }).expect(403);
    }
    for (const other of await women(2, 5)) expect((await say(man, other, 'Hello')).status).toBe(200);
  });
});

describe('a site for confirmed addresses only', () => {
  const refused = { fail: 'E-Mail Address Not Confirmed' };

  it('refuses likes and messages with 403 without code until the address is confirmed', async () => {
    const man = await writer(6);
    const [one, other] = await Promise.all([woman({ siteid: 6 }), woman({ siteid: 6 })]);
    expect((await man.post('/like', { profileid: one.id }).expect(403)).body).toEqual(refused);
    expect((await say(man, one, 'Hello').expect(403)).body).toEqual(refused);
    const account = service.auth.accounts.get(man.memberId);
    if (account) account.addressConfirmed = true;
    await man.post('/like', { profileid: one.id }).expect(200);
    await say(man, other, 'Hello').expect(200);
  });

  it('answers 503 while the auth service is down', async () => {
    const man = await writer(6);
    const one = await woman({ siteid: 6 });
    service.auth.failNext('emails');
    expect((await man.post('/like', { profileid: one.id })).status).toBe(503);
    service.auth.failNext('emails');
    expect((await say(man, one, 'Hello')).status).toBe(503);
  });

  it('is no other site', async () => {
    const man = await writer(1);
    const one = await woman();
    expect((await man.post('/like', { profileid: one.id })).status).toBe(200);
    expect((await say(man, one, 'Hello')).status).toBe(200);
  });
});

const berlin = (_id: number) => ({ _id, fields: { timezone: 'Europe/Berlin' } }) as unknown as Member;

describe('the day of a daily limit', () => {
  it.each([
    ['begins in a day of 23 hours', '2027-03-27T23:30:00Z', '2027-03-28', 22.5],
    ['begins in a day of 25 hours', '2027-10-30T22:30:00Z', '2027-10-31', 24.5],
  ])('%s', (_name, now, day, hours) => {
    const at = new Date(now);
    expect([localDayOf(berlin(1), at), tooManyToday(berlin(1), at).headers]).toEqual([
      day,
      { 'Retry-After': String(hours * 3_600) },
    ]);
  });

  it('gets back what failed on it, and not the day after', async () => {
    const quota = service.context.pairs.quotas.likes;
    const member = berlin(987_001);
    const on = (day: number, work: () => Promise<boolean>) =>
      withinDailyLimit({ quota, member, now: new Date(Date.UTC(2027, 4, day)), limit: 2 }, work);
    await on(1, async () => {
      await on(2, () => Promise.resolve(true));
      return false;
    });
    expect(await quota.read(member._id)).toEqual({ day: '2027-05-02', used: 1 });
    await on(2, () => Promise.resolve(false));
    expect(await quota.read(member._id)).toEqual({ day: '2027-05-02', used: 1 });
  });
});
