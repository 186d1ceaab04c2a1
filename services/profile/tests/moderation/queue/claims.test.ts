import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { TestStaff } from '../../harness.ts';
import { manual, path, startModeration, type Moderation, why } from '../../support/moderation.ts';
import { nextProfile as next, profileQueue } from '../../support/profile-queue.ts';

const minute = 60_000;

let service: Moderation['service'];
let ann: Moderation['ann'];
let bob: Moderation['bob'];
let actions: Moderation['actions'];
let entryOf: Moderation['entryOf'];
beforeAll(async () => {
  ({ service, ann, bob, actions, entryOf } = await startModeration('claims'));
});
afterAll(() => service.close());

it('an id that no entry can have is refused', async () => {
  for (const call of ['claim', 'release']) {
    const { status } = await ann.post(`/staff/queue/${call}`, { kind: 'report', id: ':'.repeat(300) });
    expect(status).toBe(403);
  }
});

const claim = (staff: TestStaff, body: object) => staff.post('/staff/queue/claim', body);
const { wait, drain } = profileQueue(() => ({ service, ann }));
const release = (staff: TestStaff, body: object = {}) =>
  staff.post('/staff/queue/release', body).expect(200, {});

describe('POST /staff/queue/claim', () => {
  beforeAll(drain);
  afterAll(drain);

  it('gives each of the staff another entry, the oldest first, and nothing when all is claimed', async () => {
    const [one, two, three] = [await wait(), await wait(), await wait()];
    expect(await next(ann)).toMatchObject({
      kind: 'profile',
      id: one.id,
      texts: { username: one.username },
      claimed_by: ann.memberId,
    });
    expect(await next(bob)).toMatchObject({ id: two.id });
    expect(await next(ann)).toMatchObject({ id: three.id });
    expect(await next(bob)).toBeNull();
    expect(await entryOf('profile', one)).toMatchObject({ claimed_by: ann.memberId });
    await release(ann, { kind: 'profile', id: one.id });
    expect(await next(bob)).toMatchObject({ id: one.id });
    await release(ann, { kind: 'profile', id: one.id });
    expect(await next(ann)).toBeNull();
    await release(bob);
    expect(await next(ann)).toMatchObject({ id: one.id });
    expect(await next(ann)).toMatchObject({ id: two.id });
    await release(ann);
  });

  it('gives the flagged ones first where `sort` is `risk`, as the queue lists them', async () => {
    await drain();
    const plain = await wait();
    const flagged = await service.register({ ...manual, headline: 'Write me: ann@mail.example' });
    expect(await next(ann, { sort: 'risk' })).toMatchObject({ id: flagged.id });
    expect(await next(ann, { sort: 'risk' })).toMatchObject({ id: plain.id });
    expect(await next(bob, { sort: 'risk' })).toBeNull();
  });

  it('gives only entries that have waited as long as the queue is narrowed to', async () => {
    await drain();
    const early = await wait();
    service.advance(60 * minute);
    const late = await wait();
    for (const [filter, member] of [
      [{ newer_than: 3_000 }, late],
      [{ older_than: 3_000 }, early],
    ] as const) {
      const listed = await ann.get('/staff/queue').query({ kind: 'profile', siteid: 2, ...filter });
      expect(listed.body.entries.map(({ id }: { readonly id: number }) => id)).toEqual([member.id]);
      expect(await next(ann, filter)).toMatchObject({ id: member.id });
      expect(await next(bob, filter)).toBeNull();
    }
    const reporter = await service.register(manual);
    for (const member of [early, reporter]) await ann.post(path(member, 'approve')).expect(200);
    await reporter.post('/report', { profileid: early.id }).expect(200);
    expect(await next(ann, { kind: 'report', older_than: 3_000 })).toBeNull();
    expect(await next(ann, { kind: 'report', newer_than: 3_000 })).toMatchObject({ id: early.id });
    await ann.post(`/staff/reports/${early.id}:${reporter.id}/close`).expect(200);
    await release(ann);
  });

  it('never gives one entry to two, however many ask at once', async () => {
    await drain();
    const members: number[] = [];
    for (let count = 0; count < 12; count += 1) members.push((await wait()).id);
    const staff = await Promise.all(Array.from({ length: 6 }, () => service.staff()));
    const given = await Promise.all(staff.flatMap((one) => [next(one), next(one)]));
    expect(given.map((entry) => entry?.id ?? 0).toSorted((a, b) => a - b)).toEqual(members);
  });

  it('lasts five minutes after the last activity of its holder', async () => {
    await drain();
    const member = await wait();
    expect(await next(ann)).toMatchObject({ id: member.id });
    service.advance(4 * minute);
    await ann.get(`/staff/members/${member.id}`).expect(200);
    service.advance(4 * minute);
    await bob.get(`/staff/members/${member.id}`).expect(200);
    await claim(bob, { kind: 'profile', id: member.id }).expect(409);
    await claim(ann, { kind: 'profile', id: member.memberId }).expect(200);
    service.advance(4 * minute);
    expect(await next(bob)).toBeNull();
    service.advance(1.1 * minute);
    expect(await next(bob)).toMatchObject({ id: member.id, claimed_by: bob.memberId });
    await ann.post(path(member, 'approve')).expect(409, { fail: 'Claimed' });
    await bob.post(path(member, 'approve')).expect(200);
    expect(await actions(member)).toEqual(['approve', 'view-member']);
  });

  it('keeps others from deciding, until admin takes it over', async () => {
    const member = await wait();
    const [grace, root] = [await service.staff({ 2: ['moderator'] }), await service.staff({ 2: ['admin'] })];
    await claim(grace, { kind: 'profile', id: member.id }).expect(200);
    for (const decision of ['approve', 'reject'])
      await root.post(path(member, decision), { reason: 'No' }).expect(409, { fail: 'Claimed' });
    await claim(bob, { kind: 'profile', id: member.id }).expect(409, { fail: 'Claimed' });
    const other = await service.staff({ '*': ['moderator'], 1: ['admin'] });
    await claim(other, { kind: 'profile', id: member.id, take_over: true }).expect(403);
    await claim(root, { kind: 'profile', id: member.id, take_over: true }).expect(200);
    await grace.post(path(member, 'approve')).expect(409);
    await root.post(path(member, 'approve')).expect(200);
    // A suspension does not wait for a claim.
    const urgent = await wait();
    await claim(grace, { kind: 'profile', id: urgent.id }).expect(200);
    await bob.post(path(urgent, 'suspend'), why).expect(200);
    expect([await actions(member), await actions(urgent)]).toEqual([['approve'], ['suspend']]);
  });

  it('covers texts and photos of a member one by one, and reports', async () => {
    const member = await wait();
    const reporter = await service.register(manual);
    await ann.post(path(member, 'approve')).expect(200);
    await ann.post(path(reporter, 'approve')).expect(200);
    await member.post('/members/self', { headline: 'The first text', about_me: 'x'.repeat(100) }).expect(200);
    expect(await next(ann, { kind: 'text' })).toMatchObject({ id: member.id });
    await bob.post(path(member, 'texts/headline/approve')).expect(409);
    await ann.post(path(member, 'texts/headline/approve')).expect(200);
    await bob.post(path(member, 'texts/about_me/approve')).expect(409);
    await ann.post(path(member, 'texts/about_me/reject'), why).expect(200);
    expect(await next(bob, { kind: 'text' })).toBeNull();
    await reporter.post('/report', { profileid: member.id }).expect(200);
    const report = `${member.id}:${reporter.id}`;
    expect(await next(ann, { kind: 'report' })).toMatchObject({
      report_id: report,
      id: member.id,
      reporter_username: reporter.username,
    });
    await bob.post(`/staff/reports/${report}/close`).expect(409);
    await release(ann, { kind: 'report', id: report });
    await claim(bob, { kind: 'report', id: report }).expect(200);
    await bob.post(`/staff/reports/${report}/close`).expect(200);
    await claim(bob, { kind: 'report', id: report }).expect(404);
  });

  it('refuses entries of other sites and what does not wait, and hoarding', async () => {
    await drain();
    const member = await wait();
    const elsewhere = await service.staff({ 1: ['moderator'], 2: ['support'] });
    expect(await next(elsewhere, { siteid: undefined })).toBeNull();
    await claim(elsewhere, { kind: 'profile', siteid: 2 }).expect(403);
    await claim(elsewhere, { kind: 'profile', id: member.id }).expect(404);
    await claim(ann, { kind: 'report', flagged: true }).expect(403);
    await claim(ann, { kind: 'photo', id: member.id }).expect(404);
    await claim(ann, { kind: 'profile', id: 999_999_999 }).expect(404);
    await ann.post('/staff/queue/release', { kind: 'profile' }).expect(403);
    const hoarder = await service.staff();
    const { claims } = service.context.moderation;
    const now = new Date(Date.now() + 1e9);
    for (let key = 1; key <= 60; key += 1) {
      const entry = { kind: 'profile', key: -key, siteid: 2, about: [] } as const;
      await claims.take({ ...entry, staff: hoarder.memberId, until: now }, new Date());
    }
    for (const wanted of [{}, { id: member.id }]) {
      const { headers } = await claim(hoarder, { kind: 'profile', ...wanted }).expect(429);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(await claims.of(hoarder.memberId, new Date())).toHaveLength(60);
    await release(hoarder);
    expect(await next(hoarder)).toMatchObject({ id: member.id });
  });

  it('never passes 60 claims, however many calls are made at once', async () => {
    await drain();
    const { claims } = service.context.moderation;
    const [hoarder, until] = [await service.staff(), new Date(Date.now() + 1e9)];
    for (let key = 1; key <= 59; key += 1) {
      const entry = { kind: 'profile', key: -1_000 - key, siteid: 2, about: [] } as const;
      await claims.take({ ...entry, staff: hoarder.memberId, until }, new Date());
    }
    const members = [await wait(), await wait(), await wait()];
    await Promise.all(members.map(({ id }) => claim(hoarder, { kind: 'profile', id })));
    expect((await claims.of(hoarder.memberId, new Date())).length).toBeLessThanOrEqual(60);
    await release(hoarder);
  });

  it('passes over reports about nobody, and members who cannot be shown', async () => {
    const [reporter, erased, broken] = [await wait(), await wait(), await wait()];
    await ann.post(path(reporter, 'approve')).expect(200);
    await service.context.moderation.reports.file(
      { reported: 999_999_998, reporter: reporter.id, siteid: 2 },
      new Date(0),
    );
    await reporter.post('/report', { profileid: broken.id }).expect(200);
    expect(await next(ann, { kind: 'report' })).toMatchObject({ id: broken.id });
    expect(await next(ann, { kind: 'report' })).toBeNull();
    await release(ann);
    const members = service.context.connection.collection('members');
    await members.updateOne({ _id: broken.id as never }, { $unset: { joined: 1 } });
    expect(await next(ann, { kind: 'report' })).toBeNull();
    await drain();
    expect(await service.context.moderation.claims.of(ann.memberId, new Date())).toEqual([]);
    await claim(ann, { kind: 'profile', id: broken.id }).expect(404);
    await members.updateOne({ _id: broken.id as never }, { $set: { joined: new Date() } });
    // A report by a call that read the member before the erasure.
    const { reports } = service.context.moderation;
    const file = reports.file.bind(reports);
    jest.spyOn(reports, 'file').mockImplementationOnce(async (...input) => {
      // Its last event may wait for the broker.
      await until('the member erased', () => service.context.members.store.erase(erased.id));
      await file(...input);
    });
    await reporter.post('/report', { profileid: erased.id }).expect(200);
    expect(await reports.about(erased.id)).toEqual([]);
  });

  it('is released by number or UUID', async () => {
    await drain();
    const member = await wait();
    for (const id of [member.memberId, member.id, String(member.id)]) {
      await claim(ann, { kind: 'profile', id: member.id }).expect(200);
      await release(ann, { kind: 'profile', id });
      expect(await next(bob)).toMatchObject({ id: member.id });
      await release(bob);
    }
    await ann.post('/staff/queue/release', { kind: 'profile', id: 'abc' }).expect(404);
  });

  it('is given to others at once when its entry was decided meanwhile', async () => {
    await drain();
    const [gone, left] = [await wait(), await wait()];
    const { queue } = service.context.moderation;
    const page = queue.page.bind(queue);
    jest.spyOn(queue, 'page').mockImplementationOnce(async (...args) => {
      const found = await page(...args);
      await bob.post(path(gone, 'approve')).expect(200);
      return found;
    });
    expect(await next(ann)).toMatchObject({ id: left.id });
    expect(await service.context.moderation.claims.live(['profile'], service.context.clock())).toMatchObject([
      { key: left.id },
    ]);
  });
});
