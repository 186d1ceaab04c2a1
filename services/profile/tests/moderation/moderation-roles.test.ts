import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { staffRoles, type StaffRole } from '@covalence/contract/staff-roles';
import type { TestMember, TestStaff } from '../harness.ts';
import { jpegOf } from '../support/images.ts';
import { manual, path, startModeration, type Entry, type Moderation, why } from '../support/moderation.ts';
import { describeSecondPerson } from './approvals/second-person.ts';

let all: Moderation;
let service: Moderation['service'];
let ann: Moderation['ann'];
beforeAll(async () => {
  all = await startModeration('staff-roles');
  ({ service, ann } = all);
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
    (staff, { member }) => staff.post(path(member, 'texts/headline/reject'), why),
  ],
  ['approves a photo', ['moderator'], (staff, { photo }) => staff.post(`/staff/photos/${photo}/approve`, {})],
  ['rejects a photo', ['moderator'], (staff, { photo }) => staff.post(`/staff/photos/${photo}/reject`, why)],
  ['closes a report', ['moderator'], (staff, { report }) => staff.post(`/staff/reports/${report}/close`, {})],
  ['approves', ['moderator'], (staff, { member }) => staff.post(path(member, 'approve'), {})],
  ['rejects', ['moderator'], (staff, { member }) => staff.post(path(member, 'reject'), { reason: 'No' })],
  ['suspends', ['moderator'], (staff, { member }) => staff.post(path(member, 'suspend'), why)],
  ['ends a suspension', ['moderator'], (staff, { member }) => staff.post(path(member, 'unsuspend'), {})],
  ['deletes', ['moderator'], (staff, { member }) => staff.post(path(member, 'delete'), why)],
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

describeSecondPerson(() => all);
