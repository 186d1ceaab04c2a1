import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { TestMember } from '../../harness.ts';
import { runApprovals } from '../../../src/moderation/approvals/run-approval.ts';
import { notifyDecisions } from '../../../src/moderation/notifications/notify-decisions.ts';
import { eraseMembers } from '../../../src/privacy/erase-member.ts';
import { banned, photoOf, type BannedMember } from '../../support/banned.ts';
import { path, startModeration, type Moderation, why } from '../../support/moderation.ts';

const automatic = 1;
const manual = 2;

let all: Moderation;
let service: Moderation['service'];
let ann: Moderation['ann'];
let grifter: BannedMember;
let copy: Buffer;
beforeAll(async () => {
  all = await startModeration('undo-withheld');
  ({ service, ann } = all);
  grifter = await banned(all, { siteid: automatic }, { ban: true, all_sites: true });
  copy = await photoOf(grifter.seed).jpeg({ quality: 70 }).toBuffer();
});
afterAll(() => service.close());

const undo = (decision: string) => ann.post(`/staff/decisions/${decision}/undo`).expect(200);

/** The member as staff see it, and as others can find it. */
async function seen(member: TestMember) {
  const { body } = await ann.get(`/staff/members/${member.id}`).expect(200);
  const { body: found } = await service.internal('/internal/projections', { ids: [member.id] }).expect(200);
  const { visible, photo } = found.projections[0];
  return {
    ...body,
    photos: body.photos.map(({ urlstem: _urlstem, ...each }: object & { urlstem: string }) => each),
    visible,
    photo,
  };
}

/** Decides, undoes it, and expects everything as before. */
async function decideAndUndo(member: TestMember, url: string, kind: string) {
  const before = await seen(member);
  const { body } = await ann.post(url, { reason: 'No' }).expect(200);
  expect(await seen(member)).not.toEqual(before);
  service.advance(10_000);
  await undo(body.decision_id);
  expect(await seen(member)).toEqual(before);
  expect(await all.entryOf(kind, member)).toMatchObject({ since: before.waiting[kind], flagged: true });
}

describe.each([automatic, manual])(
  'the undo of a decision on what the ban list matched, on site %i',
  (siteid) => {
    it.each(['approve', 'reject'])('withholds the photo again: %s', async (decision) => {
      const member = await service.register({ siteid });
      if (siteid === manual) await ann.post(path(member, 'approve')).expect(200);
      const { body: photo } = await member.upload(copy).expect(200);
      service.advance(60_000);
      await decideAndUndo(member, `/staff/photos/${photo.id}/${decision}`, 'photo');
      expect(await seen(member)).toMatchObject({ photos: [{ flagged: true }], photo: false });
    });

    it.each(['approve', 'reject'])('withholds the profile again: %s', async (decision) => {
      const member = await service.register({ siteid, email: grifter.spelling() });
      service.advance(60_000);
      await decideAndUndo(member, path(member, decision), 'profile');
      expect(await seen(member)).toMatchObject({ flags: { email: ['banned'] }, visible: false });
    });
  },
);

it('the undo of a release is not told to the member, who was not told of the release', async () => {
  const [dirty, clean] = [
    await service.register({ email: grifter.spelling() }),
    await service.register({ siteid: manual }),
  ];
  const { body: photo } = await dirty.upload(copy).expect(200);
  for (const url of [path(dirty, 'approve'), `/staff/photos/${photo.id}/approve`, path(clean, 'approve')]) {
    const { body } = await ann.post(url).expect(200);
    await undo(body.decision_id);
  }
  await until('the last undo is told', () => all.notifiedOf(clean).length === 2);
  expect(all.notifiedOf(dirty)).toEqual([]);
});

const dayMs = 86_400_000;
const later = async <Result>(ms: number, work: () => Promise<Result>): Promise<Result> => {
  service.advance(ms);
  return work().finally(() => service.advance(-ms));
};
const stored = async ({ id }: TestMember) => service.context.members.store.byId(id);
/** Undoes a deletion after some days. */
const undoAfter = (days: number, member: TestMember) =>
  later(days * dayMs, async () => ann.post(path(member, 'undelete')));
/** Erases who is due in 30 days; a member with events to publish is left to the next round. */
const erased = (member: TestMember) =>
  until('the member is erased', async () => {
    await later(30.1 * dayMs, () => eraseMembers(service.context));
    return (await stored(member)) === undefined;
  });
/** Counts the mails about the deletion of a member and about its end. */
async function mails({ memberId }: TestMember) {
  await notifyDecisions(service.context);
  const { decisions, restored } = service.auth;
  const deleted = decisions.filter(({ member_id, action }) => member_id === memberId && action === 'delete');
  return { deleted: deleted.length, restored: restored.filter((id) => id === memberId).length };
}
const deletedMember = async (body: object = { reason: 'Scam', ban: true }) => {
  const member = await service.register({ siteid: automatic });
  await ann.post(path(member, 'delete'), body).expect(200);
  return member;
};

describe('the undo of a deletion', () => {
  it('restores what the member was, reopens reports, lifts the ban, and tells the member once', async () => {
    const member = await service.register({ siteid: automatic });
    const other = await service.register({ gender: 'Female', genderpreference: 'Male' });
    await other.post('/report', { profileid: member.id }).expect(200);
    const before = await seen(member);
    await ann.post(path(member, 'delete'), { reason: 'Scam', ban: true }).expect(200);
    expect(await all.entryOf('report', member)).toBeUndefined();
    await notifyDecisions(service.context);
    const { body } = await all.bob.post(path(member, 'undelete'), { reason: 'Mistaken' }).expect(200);
    expect(body).toMatchObject({ changed: true, deleted: false, userstatus: 'approved' });
    expect(await seen(member)).toMatchObject({ userstatus: before.userstatus, visible: before.visible });
    expect((await stored(member))?.erase_at).toBeUndefined();
    expect(await all.entryOf('report', member)).toBeDefined();
    const bans = await ann.get(`/staff/bans?member=${member.id}`).expect(200);
    expect(bans.body.entries).toEqual([]);
    const actions = (await all.actions(member)).filter((action) => action !== 'view-member');
    expect(actions).toEqual(['unban', 'undelete', 'ban', 'delete']);
    const again = await all.bob.post(path(member, 'undelete'));
    expect(again.body).toMatchObject({ changed: false, deleted: false });
    for (let rounds = 0; rounds < 2; rounds += 1)
      expect(await mails(member)).toEqual({ deleted: 1, restored: 1 });
    const deletion = await service.context.moderation.decisions.latest(member.id, 'delete');
    const decision = { member_id: member.memberId, decision_id: deletion?.id };
    await service
      .internal('/internal/decisions/appeal/read', decision)
      .expect(200, { siteid: automatic, state: 'ended', erased: false });
  });

  it('is possible until the erasure begins, not after', async () => {
    const [soon, late] = [await deletedMember(), await deletedMember()];
    expect((await undoAfter(30.1, late)).status).toBe(409);
    expect((await undoAfter(29.9, soon)).status).toBe(200);
    await erased(late);
    expect(await stored(soon)).toBeDefined();
    expect((await undoAfter(30.1, late)).status).toBe(404);
  });

  it('does not keep a member who deleted the own profile, before or after', async () => {
    const member = await service.register({ siteid: automatic });
    await member.delete('/members/self').expect(200);
    const { erase_at } = (await stored(member)) ?? {};
    expect((await ann.post(path(member, 'undelete'))).body).toMatchObject({ changed: false });
    expect((await stored(member))?.erase_at).toEqual(erase_at);
    await later(9 * dayMs, async () => ann.post(path(member, 'delete'), why).expect(200));
    await later(9 * dayMs, () => mails(member));
    await ann.post(path(member, 'undelete')).expect(200);
    expect(await stored(member)).toMatchObject({ deleted: false, deactivated: true, erase_at });
    expect(await mails(member)).toEqual({ deleted: 1, restored: 0 });
    await erased(member);
  });

  it('keeps a member who had only paused the profile', async () => {
    const member = await service.register({ siteid: automatic });
    await member.post('/members/self', { deactivated: true }).expect(200);
    await ann.post(path(member, 'delete'), why).expect(200);
    await ann.post(path(member, 'undelete')).expect(200);
    expect(await stored(member)).toMatchObject({ deleted: false, deactivated: true });
    expect((await stored(member))?.erase_at).toBeUndefined();
  });

  it('is not told to a member who was not told of the deletion, or is deleted again', async () => {
    const [briefly, again] = [await deletedMember(), await deletedMember()];
    await ann.post(path(briefly, 'undelete')).expect(200);
    const { deleted, restored } = await mails(briefly);
    expect(restored).toBe(deleted);
    await ann.post(path(again, 'undelete')).expect(200);
    await ann.post(path(again, 'delete'), why).expect(200);
    expect(await mails(again)).toEqual({ deleted: 2, restored: 0 });
  });

  it('leaves a suspension and its ban, and lifts no ban of every site without the role there', async () => {
    const member = await service.register({ siteid: automatic });
    await ann.post(path(member, 'suspend'), { ...why, ban: true, all_sites: true }).expect(200);
    await ann.post(path(member, 'delete'), why).expect(200);
    await mails(member);
    const here = await service.staff({ [automatic]: ['moderator'] });
    const { body } = await here.post(path(member, 'undelete')).expect(200);
    expect(body).toMatchObject({ changed: true, deleted: false, suspended: true });
    expect(await mails(member)).toEqual({ deleted: 1, restored: 0 });
    expect((await ann.get(`/staff/bans?member=${member.id}`)).body.entries.length).toBeGreaterThan(0);
    const widely = await deletedMember({ ...why, ban: true, all_sites: true });
    expect((await here.post(path(widely, 'undelete'))).status).toBe(403);
    expect((await stored(widely))?.deleted).toBe(true);
  });
});

/** Asks for a deletion that needs a second person. */
const ask = async (member: TestMember, staff = ann): Promise<string> =>
  (await staff.post(path(member, 'delete'), { reason: 'Scam' }).expect(202)).body.approval_id;
/** Runs the job a minute later. */
async function soon() {
  const { calls } = service.auth;
  const before = calls.length;
  service.advance(61_000);
  try {
    return { failed: await runApprovals(service.context), calls: calls.slice(before) };
  } finally {
    service.advance(-61_000);
  }
}
/** The calls by which a deletion ends sessions and renewal. */
const ends = ['end-sessions', 'stop-renewal'];

describe('an approved deletion', () => {
  it('is done by a job when the process ends between approval and execution, and not again after an undo', async () => {
    const member = await service.register({ siteid: 7 });
    const id = await ask(member);
    const { approvals } = service.context.moderation;
    const decided = { at: service.context.clock(), staff: all.bob.memberId, as: randomUUID() };
    await approvals.decide(id, { ...decided, outcome: 'approved' });
    expect((await stored(member))?.deleted).toBe(false);
    jest.spyOn(approvals, 'end').mockRejectedValueOnce(new Error('the process ends here'));
    expect(await soon()).toEqual({ failed: 1, calls: expect.arrayContaining(ends) });
    expect((await stored(member))?.deleted).toBe(true);
    await ann.post(path(member, 'undelete')).expect(200);
    expect((await soon()).failed).toBe(0);
    expect((await stored(member))?.deleted).toBe(false);
    expect((await approvals.find(id))?.runs).toBeUndefined();
  });

  it('is completed once it began, also when who asked is disabled since', async () => {
    const thief = await service.staff({ 7: ['moderator'] });
    const id = await ask(await service.register({ siteid: 7 }), thief);
    service.auth.failNext('end-sessions');
    expect((await all.bob.post(`/staff/approvals/${id}/approve`)).status).toBe(503);
    service.auth.staff.delete(thief.memberId);
    expect(await soon()).toEqual({ failed: 0, calls: expect.arrayContaining(ends) });
    const { decided } = (await service.context.moderation.approvals.find(id)) ?? {};
    expect(decided?.outcome).toBe('approved');
  });
});
