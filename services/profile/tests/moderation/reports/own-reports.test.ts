import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 } from 'uuid';
import { manual, path, startModeration, type Moderation, why } from '../../support/moderation.ts';
import type { TestMember } from '../../harness.ts';

let service: Moderation['service'];
let ann: Moderation['ann'];
let all: Moderation['all'];
let entryOf: Moderation['entryOf'];
beforeAll(async () => {
  ({ service, ann, all, entryOf } = await startModeration('own-reports'));
});
afterAll(() => service.close());

const woman = () => service.register({ gender: 'Female', genderpreference: 'Male' });
const report = (reporter: TestMember, other: TestMember, more: object = {}) =>
  reporter.post('/report', { profileid: other.id, ...more });
const own = async (reporter: TestMember, query = '') =>
  (await reporter.get(`/members/self/reports${query}`).expect(200)).body;
const close = (reporter: TestMember, other: TestMember, body: object = {}) =>
  ann.post(`/staff/reports/${other.id}:${reporter.id}/close`, body).expect(200);
const today = () => service.context.clock().toISOString().slice(0, 10);

describe('the category of a report', () => {
  it('is kept with the evidence and the queue entry; older clients send none', async () => {
    const [eve, adam] = [await woman(), await service.register()];
    await report(eve, adam).expect(200);
    expect(await entryOf('report', adam)).toMatchObject({ category: null });
    await report(eve, adam, { category: 'harassment', reason: 'Threatens me' }).expect(200);
    await report(eve, adam, { category: '' }).expect(200);
    expect(await entryOf('report', adam)).toMatchObject({ category: 'harassment', reason: 'Threatens me' });
    const { body } = await ann.get(path(adam, 'evidence')).expect(200);
    expect(body.entries).toMatchObject([{ category: null }]);
    await adam.post('/members/self', { headline: 'Another one' }).expect(200);
    await report(eve, adam, { category: 'hate' }).expect(200);
    const [newest] = (await ann.get(path(adam, 'evidence')).expect(200)).body.entries;
    const evidence = await ann.get(`/staff/evidence/${newest.evidence_id}`).expect(200);
    expect(evidence.body).toMatchObject({ category: 'hate' });
  });

  it('is one of the list', async () => {
    const [eve, adam] = [await woman(), await service.register()];
    await report(eve, adam, { category: 'ugly' }).expect(403, { fail: 'Invalid Argument' });
    await report(eve, adam, { category: ['scam'] }).expect(403);
    expect(await entryOf('report', adam)).toBeUndefined();
  });

  it('narrows the queue and the next claim, and of other kinds it is refused', async () => {
    const [eve, adam, bert] = [await woman(), await service.register(), await service.register()];
    await report(eve, adam, { category: 'violence' }).expect(200);
    await report(eve, bert).expect(200);
    const found = await all('report', { category: 'violence' });
    expect(found.map(({ id }) => id)).toEqual([adam.id]);
    await ann.get('/staff/queue?kind=text&category=violence').expect(403);
    await ann.get('/staff/queue?kind=report&category=ugly').expect(403);
    const claim = (body: object) => ann.post('/staff/queue/claim', body);
    const { body } = await claim({ kind: 'report', category: 'violence' }).expect(200);
    expect(body.entry).toMatchObject({ id: adam.id, category: 'violence' });
    expect((await claim({ kind: 'report', category: 'violence' })).body.entry).toBeNull();
    await claim({ kind: 'text', category: 'violence' }).expect(403);
    await ann.post('/staff/queue/release').expect(200);
  });

  it('underage and scam come first, page by page, and to the next claim', async () => {
    const eve = await service.register({ ...manual, gender: 'Female', genderpreference: 'Male' });
    const members: TestMember[] = [];
    for (const category of ['other', 'underage', 'hate', 'scam', 'fake_profile', 'underage']) {
      const member = await service.register(manual);
      members.push(member);
      await report(eve, member, { category }).expect(200);
      service.advance(2);
    }
    const ids = [1, 3, 5, 0, 2, 4].map((index) => members[index]?.id);
    for (const pagesize of [1, 2, 3, 4, 100]) {
      const found = await all('report', { siteid: '2' }, pagesize);
      expect(found.map(({ id }) => id)).toEqual(ids);
    }
    const { body } = await ann.post('/staff/queue/claim', { kind: 'report', siteid: 2 }).expect(200);
    expect(body.entry.id).toBe(ids[0]);
    await ann.post('/staff/queue/release').expect(200);
  });
});

describe('GET /members/self/reports', () => {
  it('has the state of the own reports and nothing else, also after the report was closed', async () => {
    const [eve, adam, bert] = [await woman(), await service.register(), await service.register()];
    expect(await own(eve)).toEqual({ reports: [], next: null });
    await report(eve, adam, { category: 'scam', reason: 'Asks for money' }).expect(200);
    await report(eve, bert).expect(200);
    const received = {
      profileid: adam.id,
      category: 'scam',
      reason: 'Asks for money',
      filed_at: expect.any(String),
      state: 'received',
      outcome: null,
      decided_on: null,
      appeal: null,
    };
    const ofBert = { ...received, profileid: bert.id, category: null, reason: null };
    expect(await own(eve)).toEqual({ reports: [received, ofBert], next: null });
    await close(eve, adam);
    await close(eve, bert, { outcome: 'measures' });
    const decided = { state: 'decided', decided_on: today() };
    expect((await own(eve)).reports).toEqual([
      {
        ...received,
        ...decided,
        outcome: 'none',
        appeal: { state: 'open', until: expect.any(String), answer: null },
      },
      { ...ofBert, ...decided, outcome: 'measures' },
    ]);
    expect(await own(adam)).toEqual({ reports: [], next: null });
    await report(eve, adam).expect(200);
    expect((await own(eve)).reports[0]).toMatchObject({ state: 'received', outcome: null });
  });

  it('comes in pages, also to somebody who reports many', async () => {
    const eve = await woman();
    const reported: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      const member = await service.register();
      reported.push(member.id);
      await report(eve, member).expect(200);
    }
    const seen: number[] = [];
    let next: number | null = 0;
    while (next !== null) {
      const page = await own(eve, `?pagesize=2&cursor=${String(next)}`);
      expect(page.reports.length).toBeLessThanOrEqual(2);
      seen.push(...page.reports.map(({ profileid }: { profileid: number }) => profileid));
      next = page.next as number | null;
    }
    expect(seen).toEqual(reported);
    await eve.get('/members/self/reports?pagesize=101').expect(403);
    await eve.get('/members/self/reports?cursor=x').expect(403);
  });

  it('says by default whether something was restricted since the report, and not taken back', async () => {
    const [eve, adam] = [await woman(), await service.register(manual)];
    await ann.post(path(adam, 'reject'), { reason: 'Before' }).expect(200);
    await ann.post(path(adam, 'approve')).expect(200);
    service.advance(2);
    await report(eve, adam).expect(200);
    service.advance(2);
    const { body } = await ann.post(path(adam, 'reject'), { reason: 'By mistake' }).expect(200);
    await ann.post(`/staff/decisions/${body.decision_id}/undo`).expect(200);
    await close(eve, adam);
    expect((await own(eve)).reports).toMatchObject([{ outcome: 'none' }]);
    await report(eve, adam).expect(200);
    service.advance(2);
    await ann.post(path(adam, 'reject'), { reason: 'Not a person' }).expect(200);
    await close(eve, adam);
    expect((await own(eve)).reports).toMatchObject([{ outcome: 'measures' }]);
  });

  it('tells a stalker whom the member blocked no decision on other reports, and nobody the end of a suspension', async () => {
    const [victim, stalker, friend] = [await service.register(), await woman(), await woman()];
    for (const reporter of [stalker, friend]) await report(reporter, victim).expect(200);
    await victim.post('/block', { profileid: stalker.id }).expect(200);
    await ann.post(path(victim, 'suspend'), why).expect(200);
    const ofStalker = (await own(stalker)).reports;
    expect(ofStalker).toMatchObject([{ state: 'decided', outcome: null }]);
    expect((await own(friend)).reports).toMatchObject([{ state: 'decided', outcome: 'measures' }]);
    await ann.post(path(victim, 'unsuspend')).expect(200);
    expect(await entryOf('report', victim)).toBeDefined();
    expect((await own(stalker)).reports).toEqual(ofStalker);
    expect((await own(friend)).reports).toMatchObject([{ state: 'decided', outcome: 'measures' }]);
    // Closed without a word, it looks the same.
    await close(stalker, victim);
    expect((await own(stalker)).reports).toEqual(ofStalker);
    await report(stalker, victim).expect(200);
    await close(stalker, victim, { outcome: 'none' });
    expect((await own(stalker)).reports).toMatchObject([{ state: 'decided', outcome: 'none' }]);
  });

  it('is part of the export', async () => {
    const [eve, adam] = [await woman(), await service.register()];
    await report(eve, adam, { category: 'other' }).expect(200);
    const { body } = await eve.get('/members/self/export').expect(200);
    expect(body.moderation.reports_filed).toEqual((await own(eve)).reports);
  });
});

it('evidence of one reporter about one member is kept a hundred times', async () => {
  const [eve, adam] = [await woman(), await service.register()];
  await report(eve, adam).expect(200);
  const { evidence } = service.context.moderation;
  const [kept] = await evidence.about(adam.id, 1);
  if (!kept) throw new Error('nothing was kept');
  for (let days = 99; days > 0; days -= 1) {
    const at = new Date(kept.at.getTime() - days * 86_400_000);
    await evidence.add({ ...kept, id: v7(), at, digest: String(days) });
  }
  await adam.post('/members/self', { headline: 'Another one' }).expect(200);
  await report(eve, adam).expect(200);
  expect(await evidence.about(adam.id, 200)).toHaveLength(100);
});
