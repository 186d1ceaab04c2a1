import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { runAppeals } from '../../../src/moderation/appeals/reverse-decision.ts';
import { endRetention } from '../../../src/moderation/end-retention.ts';
import { eraseMembers } from '../../../src/privacy/erase-member.ts';
import { appealing, text } from '../../support/appealing.ts';
import { path, startModeration, type Moderation } from '../../support/moderation.ts';
import type { TestMember } from '../../harness.ts';

const dayMs = 86_400_000;
const scam = { reason_id: 'scam' };

let started: Moderation;
let service: Moderation['service'];
let ann: Moderation['ann'];
beforeAll(async () => {
  started = await startModeration('appeal-effects');
  ({ service, ann } = started);
});
afterAll(() => service.close());

const { newest, appeal, appealOnPage, readOnPage, waitingOf, decide, stored, approved, mailsTo } = appealing(
  () => started,
);
const bansOf = async ({ id }: TestMember) => service.context.members.bans.store.of(id);
/** Grants the appeal of a member, and fails before it takes anything back. */
async function grantInterrupted(member: TestMember) {
  const { bans } = service.context.members;
  const failing = jest
    .spyOn(service.context.moderation.decisions, 'granting')
    .mockRejectedValue(new Error('the database is away'));
  expect((await decide(member, 'grant')).status).toBe(500);
  failing.mockRestore();
  expect(await bans.store.of(member.id)).not.toEqual([]);
}
const erased = (member: TestMember) =>
  until('erased', async () => !(await eraseMembers(service.context)) && !(await stored(member)));

describe('a granted appeal', () => {
  it('leaves a later suspension, names it before and after, and lets it be appealed', async () => {
    const adam = await approved();
    await ann.post(path(adam, 'suspend'), scam).expect(200);
    await appealOnPage(adam, await newest(adam));
    expect(await waitingOf(adam)).toMatchObject({ in_force: true, later: null });
    await ann.post(path(adam, 'unsuspend')).expect(200);
    await ann.post(path(adam, 'suspend'), { ...scam, ban: true }).expect(200);
    const second = await newest(adam);
    const later = { decision_id: second, action: 'suspend', staff_id: ann.memberId };
    expect(await waitingOf(adam)).toMatchObject({ in_force: false, later });
    const { status, body } = await decide(adam, 'grant');
    expect([status, body]).toMatchObject([200, { taken_back: false, later }]);
    expect(await stored(adam)).toMatchObject({ suspended: true });
    expect(await bansOf(adam)).not.toEqual([]);
    expect(await mailsTo(adam)).toMatchObject([
      { outcome: 'granted', restored: false, later: { decision_id: second, action: 'suspend' } },
    ]);
    expect((await readOnPage(adam, second)).body).toMatchObject({ state: 'open' });
  });

  it('says that nothing is taken back where the member edited, or somebody else has the name', async () => {
    const eve = await approved();
    await ann.post(path(eve, 'reject'), { reason: 'No' }).expect(200);
    await appeal(eve);
    await eve.post('/members/self', { headline: 'Buy my pills at' }).expect(200);
    expect(await waitingOf(eve)).toMatchObject({ in_force: false, later: null });
    expect((await decide(eve, 'grant')).body).toMatchObject({ taken_back: false, later: null });
    expect(await stored(eve)).toMatchObject({ userstatus: 'new' });
    expect(await mailsTo(eve)).toMatchObject([{ outcome: 'granted', restored: false }]);

    const adam = await approved();
    const wanted = `Wanted${adam.id}`;
    await adam.post('/members/self', { username: wanted }).expect(200);
    await ann.post(path(adam, 'texts/username/reject'), { reason_id: 'insulting' }).expect(200);
    await appeal(adam);
    await approved({ username: wanted });
    expect((await decide(adam, 'grant')).body).toMatchObject({ taken_back: false });
    expect(await mailsTo(adam)).toMatchObject([{ outcome: 'granted', restored: false }]);
  });

  it('against a suspension ends it also while a deletion stands', async () => {
    const adam = await approved();
    await ann.post(path(adam, 'suspend'), { ...scam, ban: true, ban_email: false }).expect(200);
    const suspension = await newest(adam);
    await ann.post(path(adam, 'delete'), { ...scam, ban: true }).expect(200);
    const deletion = await newest(adam);
    await appealOnPage(adam, suspension);
    expect((await decide(adam, 'grant')).body).toMatchObject({
      taken_back: true,
      later: { decision_id: deletion, action: 'delete' },
    });
    expect(await stored(adam)).toMatchObject({ suspended: false, deleted: true });
    // The address came with the deletion.
    expect(await bansOf(adam)).toMatchObject([{ kind: 'email' }]);
  });

  it('against a deletion takes back its ban, also where a suspension without a ban stands', async () => {
    const adam = await approved();
    await ann.post(path(adam, 'suspend'), scam).expect(200);
    const suspension = await newest(adam);
    await ann.post(path(adam, 'delete'), { ...scam, ban: true }).expect(200);
    await appealOnPage(adam, await newest(adam));
    expect(await bansOf(adam)).toMatchObject([{ kind: 'email' }]);
    expect((await decide(adam, 'grant')).body).toMatchObject({
      taken_back: true,
      later: { decision_id: suspension },
    });
    expect(await stored(adam)).toMatchObject({ suspended: true, deleted: false });
    expect(await bansOf(adam)).toEqual([]);
  });
});

describe('a granted appeal whose call failed', () => {
  it('is carried out and told later, and the erasure waits until then', async () => {
    const adam = await approved();
    await ann.post(path(adam, 'delete'), { ...scam, ban: true }).expect(200);
    await appealOnPage(adam, await newest(adam));
    service.advance(31 * dayMs);
    await grantInterrupted(adam);
    await eraseMembers(service.context);
    expect(await stored(adam)).toMatchObject({ deleted: true });
    expect(await mailsTo(adam)).toEqual([]);
    service.advance(61_000);
    // The job of the service runs beside it.
    await until('carried out', async () => {
      await runAppeals(service.context);
      return !(await stored(adam))?.deleted;
    });
    await until('told', async () => (await mailsTo(adam)).length > 0);
    expect(await mailsTo(adam)).toMatchObject([{ outcome: 'granted', restored: true }]);
    expect(await bansOf(adam)).toEqual([]);
  });
});

describe('an appeal against a decision that staff restated as fraud', () => {
  it('takes nothing back, and says so', async () => {
    const adam = await approved();
    await ann.post(path(adam, 'suspend'), { reason: 'No' }).expect(200);
    await appealOnPage(adam, await newest(adam));
    await ann.post(path(adam, 'suspend'), scam).expect(200);
    const later = { decision_id: await newest(adam), action: 'suspend' };
    expect(await waitingOf(adam)).toMatchObject({ in_force: false, later });
    expect((await decide(adam, 'grant')).body).toMatchObject({ taken_back: false, later });
    expect(await stored(adam)).toMatchObject({ suspended: true });
    expect(await mailsTo(adam)).toMatchObject([{ outcome: 'granted', restored: false, later }]);
  });

  it('lets the erasure wait', async () => {
    const adam = await approved();
    await ann.post(path(adam, 'delete'), { reason: 'No' }).expect(200);
    await appealOnPage(adam, await newest(adam));
    await ann.post(path(adam, 'delete'), scam).expect(200);
    service.advance(31 * dayMs);
    await eraseMembers(service.context);
    expect(await stored(adam)).toMatchObject({ deleted: true });
    expect((await decide(adam, 'refuse')).body).toMatchObject({ taken_back: false });
    service.advance(2 * dayMs);
    await erased(adam);
  });
});

describe('an appeal against a decision that was undone', () => {
  it.each(['grant', 'refuse'] as const)('takes nothing back with a %s', async (outcome) => {
    const adam = await approved();
    const { body } = await ann.post(path(adam, 'reject'), { reason: 'No' }).expect(200);
    await appeal(adam);
    await ann.post(`/staff/decisions/${body.decision_id}/undo`).expect(200);
    expect(await waitingOf(adam)).toMatchObject({ in_force: false });
    expect((await decide(adam, outcome)).body).toMatchObject({ taken_back: false });
  });
});

describe('an appeal against a deletion', () => {
  it('lets the erasure wait until it is decided, and restores the member', async () => {
    const adam = await approved();
    await ann.post(path(adam, 'delete'), { ...scam, ban: true }).expect(200);
    service.advance(29 * dayMs);
    expect((await appealOnPage(adam, await newest(adam))).status).toBe(200);
    service.advance(200 * dayMs);
    await eraseMembers(service.context);
    service.advance(2 * dayMs);
    expect((await decide(adam, 'grant')).status).toBe(200);
    const after = await stored(adam);
    expect(after).toMatchObject({ deleted: false, userstatus: 'approved' });
    expect(after?.erase_at).toBeUndefined();
    expect(await bansOf(adam)).toEqual([]);
  });

  it('that is refused lets the erasure go on, and nothing of it is left', async () => {
    const adam = await approved();
    await ann.post(path(adam, 'delete'), scam).expect(200);
    const id = await newest(adam);
    await appealOnPage(adam, id);
    service.advance(31 * dayMs);
    await eraseMembers(service.context);
    expect(await stored(adam)).toBeDefined();
    expect((await decide(adam, 'refuse')).status).toBe(200);
    service.advance(2 * dayMs);
    await erased(adam);
    expect((await readOnPage(adam, id)).status).toBe(404);
    expect(await service.context.moderation.appeals.of(adam.id)).toEqual([]);
  });

  it('can be filed for six months, also after the erasure, and lifts the bans then', async () => {
    const adam = await approved();
    await ann.post(path(adam, 'delete'), { ...scam, ban: true }).expect(200);
    const id = await newest(adam);
    service.advance(31 * dayMs);
    await erased(adam);
    const { moderation } = service.context;
    expect(await moderation.decisions.of(adam.id, undefined, 10)).toMatchObject([{ id, action: 'delete' }]);
    service.advance(150 * dayMs);
    expect((await readOnPage(adam, id)).body).toMatchObject({ state: 'open', siteid: 2, erased: true });
    const thief = await approved();
    expect((await appealOnPage(thief, id)).status).toBe(404);
    expect((await appealOnPage(adam, id)).status).toBe(200);
    expect(await waitingOf(adam)).toMatchObject({ text, in_force: true, erased: true });
    expect((await decide(adam, 'grant', ann)).status).toBe(403);
    expect(await bansOf(adam)).not.toEqual([]);
    expect((await decide(adam, 'grant')).body).toMatchObject({ taken_back: true, later: null });
    expect(await bansOf(adam)).toEqual([]);
    expect((await readOnPage(adam, id)).body).toMatchObject({
      state: 'granted',
      answer: 'We looked at it again.',
    });
    service.advance(94 * dayMs);
    await endRetention(service.context);
    expect((await readOnPage(adam, id)).status).toBe(404);
    expect(await moderation.decisions.of(adam.id, undefined, 10)).toEqual([]);
    expect(await moderation.appeals.of(adam.id)).toEqual([]);
  });
});
