import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { jpegOf } from '../support/images.ts';
import { manual, path, startModeration, why, type Moderation } from '../support/moderation.ts';
import type { TestMember, TestStaff } from '../harness.ts';

let service: Moderation['service'];
let ann: Moderation['ann'];
let bob: Moderation['bob'];
beforeAll(async () => {
  ({ service, ann, bob } = await startModeration('audited-calls'));
});
afterAll(() => service.close());

/** A call as it is in the audit log, and whether that names both members. */
const audited = (call: string, ...named: TestMember[]) => [
  call,
  expect.arrayContaining(named.map(({ id }) => String(id))),
];

/** The entries of the audit log that an act adds. */
async function entriesOf(act: () => PromiseLike<{ readonly status: number }>) {
  const { audited: all } = service.auth;
  const before = all.length;
  expect((await act()).status).toBe(200);
  return all.slice(before).map(({ call, about }) => [call, about]);
}

const post = (to: string, body?: object, staff: TestStaff = ann) =>
  entriesOf(() => staff.post(`/staff/${to}`, body));
const get = (from: string) => entriesOf(() => ann.get(`/staff/${from}`));

it('calls of staff are in the audit log with the members whom they show or decide on', async () => {
  const adam = await service.register(manual);
  const eve = await service.register({ ...manual, gender: 'Female', genderpreference: 'Male' });
  const { body: photo } = await adam.upload(await jpegOf(60, 60)).expect(200);
  await eve.post('/report', { profileid: adam.id }).expect(200);
  const report = `${adam.id}:${eve.id}`;

  expect(await get('queue?kind=report')).toEqual([audited('GET /staff/queue', adam, eve)]);
  expect(await get('queue?kind=photo')).toEqual([audited('GET /staff/queue', adam)]);
  const claim = audited('POST /staff/queue/claim', adam, eve);
  expect(await post('queue/claim', { kind: 'report' })).toEqual([['POST /staff/queue/claim', []], claim]);
  expect(await post('queue/claim', { kind: 'report', id: report })).toEqual([claim]);
  const release = audited('POST /staff/queue/release', adam, eve);
  expect(await post('queue/release', { kind: 'report', id: report })).toEqual([release]);
  const search = audited('POST /staff/members/search', adam);
  expect(await post('members/search', { by: 'username', value: adam.username })).toEqual([
    ['POST /staff/members/search', []],
    search,
  ]);
  const { body: listed } = await ann.get(path(adam, 'evidence')).expect(200);
  const evidence = audited('GET /staff/evidence/:evidenceid', adam, eve);
  expect(await get(`evidence/${listed.entries[0].evidence_id}`)).toEqual([evidence]);
  const close = audited('POST /staff/reports/:reportid/close', adam, eve);
  expect(await post(`reports/${report}/close`)).toEqual([close]);

  const reject = audited('POST /staff/photos/:photoid/reject', adam);
  expect(await post(`photos/${photo.id}/reject`, why)).toEqual([reject]);
  const decision = { kind: 'photo', id: photo.id, decision: 'approve', revision: 'x' };
  const several = audited('POST /staff/queue/decide', adam);
  expect(await post('queue/decide', { decisions: [decision] })).toEqual([several]);
  const { body: approved } = await ann.post(path(adam, 'approve')).expect(200);
  const undo = audited('POST /staff/decisions/:decisionid/undo', adam);
  expect(await post(`decisions/${approved.decision_id}/undo`)).toEqual([undo]);

  await ann.post(path(adam, 'suspend'), { ...why, ban: true }).expect(200);
  const { body: bans } = await ann.get(`/staff/bans?member=${adam.id}`).expect(200);
  const listing = audited('GET /staff/bans', adam);
  expect(await get('bans?siteid=2')).toEqual([listing]);
  expect(await get(`bans?matches=${adam.id}`)).toEqual([listing]);
  const unban = audited('DELETE /staff/bans/:banid', adam);
  expect(await entriesOf(() => ann.delete(`/staff/bans/${bans.entries[0].ban_id}`))).toEqual([unban]);

  const [suspension] = await service.context.moderation.decisions.statementsTo(adam.id, undefined, 1);
  const appeal = { member_id: adam.memberId, decision_id: suspension?.id, text: 'A mistake' };
  await service.internal('/internal/decisions/appeal', appeal).expect(200);
  expect(await get('appeals')).toEqual([audited('GET /staff/appeals', adam)]);
  const { body: appeals } = await ann.get('/staff/appeals').expect(200);
  const refuse = audited('POST /staff/appeals/:appealid/refuse', adam);
  expect(await post(`appeals/${appeals.entries[0].appeal_id}/refuse`, { answer: 'No' }, bob)).toEqual([
    refuse,
  ]);
});

it('nobody is shown in the queue, and nothing is claimed, while the audit log is unavailable', async () => {
  const adam = await service.register(manual);
  for (const call of [
    () => ann.get('/staff/queue?kind=profile'),
    () => ann.post('/staff/queue/claim', { kind: 'profile', id: adam.id }),
  ]) {
    service.auth.failNext('audit');
    expect(JSON.stringify((await call().expect(503)).body)).not.toContain(adam.username);
  }
  const claims = await service.context.moderation.claims.live(['profile'], service.context.clock());
  expect(claims.filter(({ key }) => key === adam.id)).toEqual([]);
});
