import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { staffRoles, type StaffRole } from '@covalence/contract/staff-roles';
import { until } from '@covalence/testing/until';
import type { TestMember, TestStaff } from '../harness.ts';
import { eraseMembers } from '../../src/privacy/erase-member.ts';
import { jpegOf } from '../support/images.ts';
import { manual, path, startModeration, type Entry, type Moderation } from '../support/moderation.ts';

let service: Moderation['service'];
let ann: Moderation['ann'];
let bob: Moderation['bob'];
beforeAll(async () => {
  ({ service, ann, bob } = await startModeration('staff-roles'));
});
afterAll(() => service.close());

/** Every call about a member of site 2, the photo and the report of whom are given. */
interface Subject {
  readonly member: TestMember;
  readonly photo: number;
  readonly report: string;
  readonly evidence: string;
}

type Call = (staff: TestStaff, subject: Subject) => Promise<{ readonly status: number }>;

/** Statuses, none of which is a refusal. */
const done = [200, 404, 409];

const calls: readonly (readonly [title: string, roles: readonly StaffRole[], call: Call])[] = [
  [
    'shows a member',
    ['moderator', 'support'],
    (staff, { member }) => staff.get(`/staff/members/${member.id}`),
  ],
  ['shows the history', ['moderator', 'support'], (staff, { member }) => staff.get(path(member, 'history'))],
  ['lists bans', ['moderator'], (staff) => staff.get('/staff/bans?siteid=2')],
  ['lists evidence', ['moderator'], (staff, { member }) => staff.get(path(member, 'evidence'))],
  ['shows evidence', ['moderator'], (staff, { evidence }) => staff.get(`/staff/evidence/${evidence}`)],
  [
    'approves a text',
    ['moderator'],
    (staff, { member }) => staff.post(path(member, 'texts/headline/approve'), {}),
  ],
  [
    'rejects a text',
    ['moderator'],
    (staff, { member }) => staff.post(path(member, 'texts/headline/reject'), {}),
  ],
  ['approves a photo', ['moderator'], (staff, { photo }) => staff.post(`/staff/photos/${photo}/approve`, {})],
  ['rejects a photo', ['moderator'], (staff, { photo }) => staff.post(`/staff/photos/${photo}/reject`, {})],
  ['closes a report', ['moderator'], (staff, { report }) => staff.post(`/staff/reports/${report}/close`, {})],
  ['approves', ['moderator'], (staff, { member }) => staff.post(path(member, 'approve'), {})],
  ['rejects', ['moderator'], (staff, { member }) => staff.post(path(member, 'reject'), { reason: 'No' })],
  ['suspends', ['moderator'], (staff, { member }) => staff.post(path(member, 'suspend'), {})],
  ['ends a suspension', ['moderator'], (staff, { member }) => staff.post(path(member, 'unsuspend'), {})],
  ['deletes', ['moderator'], (staff, { member }) => staff.post(path(member, 'delete'), {})],
  ['undoes a deletion', ['moderator'], (staff, { member }) => staff.post(path(member, 'undelete'), {})],
];

async function subjectOf(siteid: number): Promise<Subject> {
  const member = await service.register({ siteid, headline: 'By the sea' });
  const other = await service.register({ siteid, gender: 'Female', genderpreference: 'Male' });
  const image = await jpegOf(60, 60);
  const { body } = await member.upload(image, 'me.jpg', {}).expect(200);
  await ann.post(path(member, 'approve'), {}).expect(200);
  await other.post('/report', { profileid: member.id }).expect(200);
  const listed = await ann.get(path(member, 'evidence')).expect(200);
  return {
    member,
    photo: body.id,
    report: `${member.id}:${other.id}`,
    evidence: listed.body.entries[0].evidence_id,
  };
}

/** A member with a photo that waits. */
async function withPhoto(siteid: number): Promise<TestMember> {
  const member = await service.register({ siteid });
  await member.upload(await jpegOf(60, 60), 'me.jpg', { caption: 'ann@mail.example' }).expect(200);
  return member;
}

const queue = async (roles: Record<string, string[]>, query = '') =>
  (await service.staff(roles)).get(`/staff/queue?kind=photo&pagesize=100${query}`);

describe('roles of staff', () => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await subjectOf(manual.siteid);
  });

  it.each(calls)('%s: needs the role on the site of the member', async (_title, roles, call) => {
    const others = staffRoles.filter((role) => role !== 'admin' && !roles.includes(role));
    const wrong = await service.staff({ '*': others, 1: ['admin'] });
    expect((await call(wrong, subject)).status).toBe(403);
    for (const role of roles) {
      const right = await service.staff({ 2: [role] });
      expect(done).toContain((await call(right, subject)).status);
    }
  });

  it('show the queue of their sites only', async () => {
    const [here, there] = [await withPhoto(2), await withPhoto(3)];
    const ids = async (roles: Record<string, string[]>, query?: string) => {
      const { entries } = (await queue(roles, query)).body as { entries: Entry[] };
      return [here, there].map(({ id }) => entries.some((entry) => entry.id === id));
    };
    expect(await ids({ '*': ['moderator'] })).toEqual([true, true]);
    expect(await ids({ 2: ['moderator'], 3: ['support'] })).toEqual([true, false]);
    expect(await ids({ 2: ['moderator'], 3: ['moderator'] }, '&siteid=3')).toEqual([false, true]);
    expect((await queue({ 2: ['moderator'] }, '&siteid=3')).status).toBe(403);
    expect((await queue({ '*': ['support'] })).status).toBe(403);
  });

  it('count on every site for the evidence about a member who was erased', async () => {
    const erased = 900_000_001;
    const statusOf = async (roles: Record<string, string[]>) =>
      (await (await service.staff(roles)).get(`/staff/members/${erased}/evidence`)).status;
    expect(await statusOf({ 2: ['moderator'] })).toBe(403);
    expect(await statusOf({ '*': ['moderator'] })).toBe(200);
  });

  it('decide nothing while the audit log is away, and are in it before they decide', async () => {
    const member = await service.register(manual);
    const { auth } = service;
    auth.failNext('audit');
    await ann.post(path(member, 'approve')).expect(503);
    expect((await member.get('/users/self')).body.userstatus).toBe('new');
    await ann.post(path(member, 'approve')).expect(200);
    await ann.post('/staff/queue/decide', {
      decisions: [{ kind: 'profile', id: member.id, decision: 'approve', revision: 'x' }],
    });
    const about = [String(member.id)];
    expect(auth.audited.filter((entry) => entry.about.includes(String(member.id)))).toEqual([
      { staff: expect.any(String), call: 'POST /staff/members/:id/approve', about },
      { staff: expect.any(String), call: 'POST /staff/queue/decide', about },
    ]);
  });
});

const why = { reason: 'Scam', ban: true };
const register = () => service.register({ siteid: 7 });
const stored = async ({ id }: TestMember) => service.context.members.store.byId(id);
const ask = async (member: TestMember, staff = ann, body: object = why): Promise<string> =>
  (await staff.post(path(member, 'delete'), body).expect(202)).body.approval_id;
const approve = (id: string, staff: TestStaff, body: object = {}) =>
  staff.post(`/staff/approvals/${id}/approve`, body);
const refuse = (id: string, staff: TestStaff) => staff.post(`/staff/approvals/${id}/refuse`);
const waiting = async (staff: TestStaff, query = '') =>
  (await staff.get(`/staff/approvals?pagesize=100${query}`).expect(200)).body.entries as {
    approval_id: string;
    action: string;
    revision: string;
  }[];
const isListed = async (id: string, staff: TestStaff) =>
  (await waiting(staff)).some(({ approval_id }) => approval_id === id);
const refundOf = async ({ id: member }: TestMember, staff: TestStaff, refund: string, more: object = {}) =>
  service.internal('/internal/approvals/refund', {
    staff: staff.memberId,
    request: { member, reason: 'Double', refund, ...more },
    amount: 9_900,
    currency: 'USD',
  });

describe('what needs a second person', () => {
  it('is deleted once another account with the role approves, once, by both of them', async () => {
    const member = await register();
    const id = await ask(member);
    expect(await ask(member)).toBe(id);
    expect((await stored(member))?.deleted).toBe(false);
    expect(await waiting(ann)).toContainEqual(
      expect.objectContaining({ approval_id: id, action: 'delete', id: member.id, own: true, ban: 'site' }),
    );
    expect((await approve(id, ann)).status).toBe(403);
    const [one, two] = await Promise.all([approve(id, bob), approve(id, await service.staff())]);
    expect([one.status, two.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await stored(member)).toMatchObject({ deleted: true, erase_at: expect.any(Date) });
    const { body } = await ann.get(path(member, 'history')).expect(200);
    const made = body.entries.filter(({ action }: { action: string }) => action === 'delete');
    expect(made).toMatchObject([{ staff_id: ann.memberId, approved_by: expect.any(String) }]);
    expect(made[0].approved_by).not.toBe(ann.memberId);
    const banned = body.entries.filter(({ action }: { action: string }) => action === 'ban');
    expect(banned).toMatchObject([{ staff_id: ann.memberId, approved_by: made[0].approved_by }]);
    const bans = await ann.get(`/staff/bans?member=${member.id}`).expect(200);
    expect(bans.body.entries.length).toBeGreaterThan(0);
    expect(await isListed(id, ann)).toBe(false);
    const told = service.auth.audited.filter((entry) => entry.about.includes(String(member.id)));
    expect(told).toContainEqual({
      staff: made[0].approved_by,
      call: 'POST /staff/approvals/:approvalid/approve',
      about: [id, String(member.id), ann.memberId],
    });
    const asked = { staff: ann.memberId, call: 'POST /staff/members/:id/delete' };
    expect(told).toContainEqual(expect.objectContaining({ ...asked, status: 202 }));
  });

  it('cannot be approved by an account without the role, there or at all, nor with a wider ban than theirs', async () => {
    const member = await register();
    const id = await ask(member, ann, { ...why, all_sites: true });
    const others: Record<string, string[]>[] = [
      { '*': ['support'] },
      { 1: ['moderator'] },
      { 7: ['support'], 1: ['moderator'] },
    ];
    for (const roles of others) {
      const staff = await service.staff(roles);
      expect(await isListed(id, staff)).toBe(false);
      expect((await approve(id, staff)).status).toBe(403);
      expect((await refuse(id, staff)).status).toBe(403);
    }
    const here = await service.staff({ 7: ['moderator'] });
    expect(await isListed(id, here)).toBe(true);
    expect((await approve(id, here)).status).toBe(403);
    expect((await here.get('/staff/approvals?siteid=1')).status).toBe(403);
    expect((await approve(randomUUID(), bob)).status).toBe(404);
    expect((await stored(member))?.deleted).toBe(false);
  });

  it('ends with a refusal, also by who asked, and can be asked for again', async () => {
    const member = await register();
    const first = await ask(member);
    expect((await bob.post(path(member, 'delete'), { reason: 'Also' })).status).toBe(409);
    expect((await ann.post(path(member, 'delete'), { reason: 'Other' })).status).toBe(409);
    await refuse(first, bob).expect(200);
    await refuse(first, bob).expect(200);
    expect((await approve(first, bob)).status).toBe(409);
    const second = await ask(member, bob);
    expect(second).not.toBe(first);
    await refuse(second, bob).expect(200);
    expect((await approve(second, ann)).status).toBe(409);
    expect((await stored(member))?.deleted).toBe(false);
  });

  it('is void when who asked is disabled or lost the role, as after the theft of a session', async () => {
    const roles: (Record<string, string[]> | undefined)[] = [
      undefined,
      { '*': ['support'] },
      { 1: ['moderator'] },
    ];
    for (const now of roles) {
      const thief = await service.staff({ 7: ['moderator'] });
      const member = await register();
      const id = await ask(member, thief);
      if (now) service.auth.staff.set(thief.memberId, now);
      else service.auth.staff.delete(thief.memberId);
      expect((await approve(id, bob)).status).toBe(409);
      service.auth.staff.set(thief.memberId, { 7: ['moderator'] });
      expect((await approve(id, bob)).status).toBe(409);
      expect((await stored(member))?.deleted).toBe(false);
    }
  });

  it('does not wait longer for a member who edits, but shows the approver the member as they are', async () => {
    const member = await register();
    const { body: photo } = await member.upload(await jpegOf(60, 60), 'me.jpg', {}).expect(200);
    const id = await ask(member, ann, { ...why, ban_photos: [photo.id] });
    const [asked] = (await waiting(bob)).filter(({ approval_id }) => approval_id === id);
    expect(asked).toMatchObject({ ban: 'site', ban_email: true, ban_photos: [photo.id], payment: null });
    const seen = (await waiting(bob)).find(({ approval_id }) => approval_id === id)?.revision;
    await member.post('/members/self', { headline: 'Somebody else entirely' }).expect(200);
    await member.delete(`/photo/${photo.id}`).expect(200);
    expect((await approve(id, bob, { revision: seen })).status).toBe(409);
    const now = (await waiting(bob)).find(({ approval_id }) => approval_id === id)?.revision;
    await approve(id, bob, { revision: now }).expect(200);
    expect((await stored(member))?.deleted).toBe(true);
  });

  it('is void once a suspension began since, and expires after seven days', async () => {
    const [suspended, late] = [await register(), await register()];
    const ids = [await ask(suspended), await ask(late)];
    await bob.post(path(suspended, 'suspend')).expect(200);
    expect((await approve(ids[0] ?? '', bob)).status).toBe(409);
    service.advance(7 * 86_400_000);
    try {
      expect(await isListed(ids[1] ?? '', bob)).toBe(false);
      expect((await approve(ids[1] ?? '', bob)).status).toBe(409);
      expect(await ask(late)).not.toBe(ids[1]);
    } finally {
      service.advance(-7 * 86_400_000);
    }
    expect((await stored(late))?.deleted).toBe(false);
  });

  it('is forgotten with a member who is erased meanwhile', async () => {
    const member = await register();
    const id = await ask(member);
    await member.delete('/members/self').expect(200);
    await until('the member is erased', async () => {
      service.advance(31 * 86_400_000);
      await eraseMembers(service.context).finally(() => service.advance(-31 * 86_400_000));
      return (await stored(member)) === undefined;
    });
    expect((await approve(id, bob)).status).toBe(404);
  });

  it('refunds with the role support only, once, and tells billing both accounts', async () => {
    const [grace, heidi] = [await service.staff({ 7: ['support'] }), await service.staff({ 7: ['support'] })];
    const member = await register();
    const { body } = await refundOf(member, grace, 'one');
    expect((await refundOf(member, grace, 'one')).body).toEqual(body);
    expect((await refundOf(member, heidi, 'one')).status).toBe(409);
    const id = body.approval_id as string;
    expect(await waiting(heidi)).toEqual([
      expect.objectContaining({ approval_id: id, payment: 'one', amount: 9_900, correction: null }),
    ]);
    expect((await approve(id, await service.staff({ 7: ['moderator'] }))).status).toBe(403);
    expect((await approve(id, grace)).status).toBe(403);
    service.auth.failNext('refund');
    expect((await approve(id, heidi)).status).toBe(503);
    await approve(id, heidi).expect(200);
    await approve(id, heidi).expect(200);
    const [made, ...more] = service.auth.refunds.filter(({ request }) => request.member === member.id);
    expect([made, more]).toMatchObject([{ staff: grace.memberId, approved_by: heidi.memberId }, []]);
    await refundOf(member, heidi, 'more', { expires_at: 'now' });
    expect(await waiting(grace)).toMatchObject([
      { correction: { expires_at: 'now', autorenew: null, rate_id: null } },
    ]);
    await refuse((await waiting(grace))[0]?.approval_id ?? '', grace).expect(200);
    const refused = (await refundOf(member, grace, 'refused')).body.approval_id as string;
    const answer = await approve(refused, heidi);
    expect([answer.status, answer.body]).toEqual([409, { fail: 'Payment Cannot Be Refunded' }]);
    expect(await waiting(heidi)).toEqual([]);
  });
});
