import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { endRetention } from '../../../src/moderation/end-retention.ts';
import { appealing, text } from '../../support/appealing.ts';
import { jpegOf as pictureOf } from '../../support/banned.ts';
import { jpegOf } from '../../support/images.ts';
import { path, startModeration, type Moderation, why } from '../../support/moderation.ts';
import type { TestMember, TestStaff } from '../../harness.ts';

const dayMs = 86_400_000;

let service: Moderation['service'];
let ann: Moderation['ann'];
let bob: Moderation['bob'];
let actions: Moderation['actions'];
let image: Buffer;
let started: Moderation;
beforeAll(async () => {
  started = await startModeration('appeals');
  ({ service, ann, bob, actions } = started);
  image = await jpegOf(60, 60);
});
afterAll(() => service.close());

const {
  newest,
  appeal,
  appealOnPage,
  readOnPage,
  waiting,
  waitingOf,
  appealOf,
  decide,
  stored,
  approved,
  mailsTo,
} = appealing(() => started);

interface Own {
  readonly decision_id: string;
  readonly reversed: boolean;
  readonly appeal: { readonly state: string; readonly until: string; readonly answer: string | null };
}

const decisionsOf = async (member: TestMember) =>
  (await member.get('/members/self/decisions').expect(200)).body.decisions as Own[];
const appealsOn = async (siteid: number, staff: TestStaff = bob) => {
  const { body } = await staff.get(`/staff/queue/summary?siteid=${siteid}`).expect(200);
  return body.appeals as object[];
};

describe('an appeal', () => {
  it('can be filed once, within six months, by the member of the decision only', async () => {
    const [adam, thief] = [await approved(), await approved()];
    await ann.post(path(adam, 'reject'), { reason: 'No' }).expect(200);
    const id = await newest(adam);
    expect(await decisionsOf(adam)).toMatchObject([
      { decision_id: id, appeal: { state: 'open', answer: null } },
    ]);
    expect((await appeal(thief, id)).status).toBe(404);
    expect((await appealOnPage(thief, id)).status).toBe(404);
    expect((await readOnPage(thief, id)).status).toBe(404);
    expect((await appeal(adam, id, { text: ' ' })).status).toBe(403);
    expect((await appeal(adam, id, { text: 'x'.repeat(4_001) })).status).toBe(403);
    expect((await appeal(adam, '019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77')).status).toBe(404);
    const answers = await Promise.all([appeal(adam, id), appeal(adam, id), appealOnPage(adam, id)]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409, 409,
    ]);
    expect(await decisionsOf(adam)).toMatchObject([{ appeal: { state: 'waiting' } }]);
    const late = await approved();
    await ann.post(path(late, 'reject'), { reason: 'No' }).expect(200);
    const clock = service.context.clock();
    const spy = jest.spyOn(service.context.moderation.decisions, 'find').mockImplementation(async (of) => {
      const [found] = await service.context.moderation.decisions.statementsTo(late.id, undefined, 1);
      return found?.id === of ? { ...found, at: new Date(clock.getTime() - 184 * dayMs) } : undefined;
    });
    expect((await appeal(late)).status).toBe(409);
    spy.mockRestore();
    expect((await appeal(late)).status).toBe(200);
  });

  it('is decided by another person than who made the decision, whatever role that one has', async () => {
    const adam = await approved();
    await ann.post(path(adam, 'reject'), { reason: 'No' }).expect(200);
    await appeal(adam);
    expect((await waiting(ann)).find(({ id }) => id === adam.id)).toMatchObject({ own: true });
    expect((await waiting(bob)).find(({ id }) => id === adam.id)).toMatchObject({
      username: adam.username,
      own: false,
      text,
      decision: { action: 'reject', staff_id: ann.memberId, statement: { ground: 'terms' } },
    });
    for (const outcome of ['grant', 'refuse'] as const)
      expect((await decide(adam, outcome, ann)).status).toBe(403);
    const grace = await service.staff({ 1: ['moderator'] });
    expect((await waiting(grace)).some(({ id }) => id === adam.id)).toBe(false);
    expect((await decide(adam, 'grant', grace)).status).toBe(403);
    expect((await stored(adam))?.userstatus).toBe('rejected');
    const id = await appealOf(adam);
    expect((await bob.post(`/staff/appeals/${id}/refuse`)).status).toBe(403);
    expect((await decide(adam, 'grant')).status).toBe(200);
    expect(await waiting()).not.toContainEqual(expect.objectContaining({ id: adam.id }));
    // Repeated by the same person it completes; nobody changes it.
    await bob.post(`/staff/appeals/${id}/grant`).expect(200);
    await bob.post(`/staff/appeals/${id}/refuse`, { answer: 'No' }).expect(409);
    await (await service.staff()).post(`/staff/appeals/${id}/grant`).expect(409);
    expect(await actions(adam)).toEqual(['grant-appeal', 'reject', 'approve']);
  });

  it('that is refused leaves everything, and tells the member the answer', async () => {
    const adam = await approved();
    await ann.post(path(adam, 'reject'), { reason: 'No' }).expect(200);
    await appeal(adam);
    expect((await decide(adam, 'refuse')).status).toBe(200);
    expect((await stored(adam))?.userstatus).toBe('rejected');
    expect(await decisionsOf(adam)).toMatchObject([
      { reversed: false, appeal: { state: 'refused', answer: 'We looked at it again.' } },
    ]);
    expect(await mailsTo(adam)).toMatchObject([{ outcome: 'refused', answer: 'We looked at it again.' }]);
    expect(await mailsTo(adam)).toHaveLength(1);
    expect((await appeal(adam)).status).toBe(409);
    expect(await actions(adam)).toEqual(['refuse-appeal', 'reject', 'approve']);
    const { body } = await adam.get('/members/self/export').expect(200);
    expect(body.moderation.appeals).toMatchObject([{ text, outcome: 'refused' }]);
  });
});

describe('the answer to an appeal', () => {
  const told = {
    de_AT: 'Es wirbt für etwas',
    nl_NL: 'It advertises something',
  };
  it.each(Object.entries(told))(
    'is a saved reason in the language of the member (%s)',
    async (locale, text) => {
      const adam = await approved();
      await service.context.members.store.change(adam.id, ({ fields }) => ({
        fields: { ...fields, locale },
      }));
      await ann.post(path(adam, 'reject'), { reason_id: 'advertising' }).expect(200);
      await appeal(adam);
      const call = `/staff/appeals/${await appealOf(adam)}/refuse`;
      for (const wrong of [
        {},
        { reason_id: 'nothing' },
        { reason_id: 'photo_of_others' },
        { reason_id: 'advertising', answer: 'No' },
      ])
        expect([wrong, (await bob.post(call, wrong)).status]).toEqual([wrong, 403]);
      expect(await decisionsOf(adam)).toMatchObject([{ appeal: { state: 'waiting' } }]);
      await bob.post(call, { reason_id: 'advertising' }).expect(200);
      expect(await mailsTo(adam)).toMatchObject([
        { outcome: 'refused', answer: expect.stringContaining(text) },
      ]);
    },
  );
});

describe('appeals that wait', () => {
  it('are counted by site, and show the photo that was rejected', async () => {
    const adam = await approved({ siteid: 3 });
    const { body: photo } = await adam.upload(image).expect(200);
    expect(await appealsOn(3)).toEqual([{ siteid: 3, waiting: 0, oldest: null }]);
    await ann.post(`/staff/photos/${photo.id}/reject`, why).expect(200);
    await appeal(adam);
    expect((await waiting()).find(({ id }) => id === adam.id)).toMatchObject({
      decision: { action: 'reject-photo', photoid: photo.id, photo: { id: photo.id } },
    });
    const [line] = (await bob.get('/staff/appeals?siteid=3').expect(200)).body.entries;
    expect(await appealsOn(3)).toEqual([{ siteid: 3, waiting: 1, oldest: line.filed_at }]);
    const grace = await service.staff({ 1: ['moderator'] });
    expect(await appealsOn(1, grace)).toMatchObject([{ siteid: 1 }]);
    expect((await decide(adam, 'grant')).status).toBe(200);
    expect(await appealsOn(3)).toEqual([{ siteid: 3, waiting: 0, oldest: null }]);
  });
});

describe('a granted appeal', () => {
  it('approves the profile, the text and the photo again', async () => {
    const adam = await approved({ headline: 'The first headline' });
    const { body: photo } = await adam.upload(image).expect(200);
    await ann.post(`/staff/photos/${photo.id}/approve`).expect(200);
    await adam.post('/members/self', { headline: 'The second headline', f_book: 'Momo' }).expect(200);
    const steps: [string, object][] = [
      [`/staff/photos/${photo.id}/reject`, why],
      [path(adam, 'texts/headline/reject'), why],
      [path(adam, 'texts/f_book/reject'), why],
      [path(adam, 'reject'), { reason: 'No' }],
    ];
    for (const [url, body] of steps) {
      await ann.post(url, body).expect(200);
      expect((await appeal(adam)).status).toBe(200);
      expect((await decide(adam, 'grant')).status).toBe(200);
    }
    const after = await stored(adam);
    expect(after).toMatchObject({
      userstatus: 'approved',
      fields: { headline: 'The second headline', f_book: 'Momo' },
      approved_answers: { f_book: 'Momo' },
      photos: [{ status: 'approved', primary: true }],
    });
    expect((await decisionsOf(adam)).every(({ reversed }) => reversed)).toBe(true);
    expect(await mailsTo(adam)).toHaveLength(4);
  });

  it('ends a suspension with its ban, for a member who can appeal on the page only', async () => {
    const adam = await approved();
    await adam.upload(image).expect(200);
    await ann.post(path(adam, 'suspend'), { reason_id: 'scam', ban: true }).expect(200);
    const id = await newest(adam);
    expect((await appeal(adam, id)).status).toBe(401);
    expect((await readOnPage(adam, id)).body).toMatchObject({ state: 'open' });
    expect((await appealOnPage(adam, id)).status).toBe(200);
    expect((await readOnPage(adam, id)).body).toMatchObject({ state: 'waiting' });
    expect(await service.context.members.bans.store.of(adam.id)).not.toEqual([]);
    expect((await decide(adam, 'grant')).status).toBe(200);
    expect((await readOnPage(adam, id)).body).toMatchObject({ state: 'granted' });
    expect(await stored(adam)).toMatchObject({ suspended: false });
    expect(await service.context.members.bans.store.of(adam.id)).toEqual([]);
    expect(await actions(adam)).toEqual(['unban', 'grant-appeal', 'ban', 'suspend', 'approve']);
  });

  it('of a ban of every site needs the role on every site', async () => {
    const adam = await approved();
    await ann.post(path(adam, 'suspend'), { ...why, ban: true, all_sites: true }).expect(200);
    await appealOnPage(adam, await newest(adam));
    const grace = await service.staff({ 2: ['moderator'] });
    expect((await decide(adam, 'grant', grace)).status).toBe(403);
    expect(await stored(adam)).toMatchObject({ suspended: true });
    expect((await decide(adam, 'grant')).status).toBe(200);
    expect(await service.context.members.bans.store.of(adam.id)).toEqual([]);
  });

  it('of a ban alone removes its entries, and leaves the suspension', async () => {
    const adam = await approved();
    await ann.post(path(adam, 'suspend'), why).expect(200);
    await ann.post(path(adam, 'suspend'), { ...why, ban: true }).expect(200);
    await appealOnPage(adam, await newest(adam));
    expect((await decide(adam, 'grant')).status).toBe(200);
    expect(await stored(adam)).toMatchObject({ suspended: true });
    expect(await service.context.members.bans.store.of(adam.id)).toEqual([]);
  });

  it('of a ban of which entries are left removes these', async () => {
    const adam = await approved();
    await adam.upload(await pictureOf(30_001)).expect(200);
    await ann.post(path(adam, 'suspend'), why).expect(200);
    await ann.post(path(adam, 'suspend'), { ...why, ban: true }).expect(200);
    await appealOnPage(adam, await newest(adam));
    const { store } = service.context.members.bans;
    const [first] = await store.of(adam.id);
    await ann.delete(`/staff/bans/${first?.id}`).expect(200);
    expect(await store.of(adam.id)).toHaveLength(1);
    expect(await waitingOf(adam)).toMatchObject({ in_force: true });
    const appealed = await appealOf(adam);
    const failing = jest.spyOn(store, 'remove').mockRejectedValue(new Error('the database is away'));
    expect((await decide(adam, 'grant')).status).toBe(500);
    failing.mockRestore();
    const { status, body } = await bob.post(`/staff/appeals/${appealed}/grant`);
    expect([status, body]).toMatchObject([200, { taken_back: true }]);
    expect(await store.of(adam.id)).toEqual([]);
  });

  it('is granted with the end of a mistaken suspension or a deletion that staff undo', async () => {
    const [adam, eve] = [await approved(), await approved()];
    await ann.post(path(adam, 'suspend'), why).expect(200);
    await ann.post(path(eve, 'delete'), why).expect(200);
    const ids = [await newest(adam), await newest(eve)] as const;
    await appealOnPage(adam, ids[0]);
    await appealOnPage(eve, ids[1]);
    await ann.post(path(adam, 'unsuspend'), { mistaken: true }).expect(200);
    await ann.post(path(eve, 'undelete')).expect(200);
    expect((await readOnPage(adam, ids[0])).body).toMatchObject({ state: 'granted' });
    expect((await readOnPage(eve, ids[1])).body).toMatchObject({ state: 'granted' });
    expect(await mailsTo(eve)).toMatchObject([{ outcome: 'granted' }]);
  });

  it('keeps a rejected photo beyond its retention while it waits', async () => {
    const adam = await approved();
    const { body: photo } = await adam.upload(image).expect(200);
    await ann.post(`/staff/photos/${photo.id}/reject`, why).expect(200);
    service.advance(100 * dayMs);
    expect((await appeal(adam)).status).toBe(200);
    service.advance(100 * dayMs);
    await endRetention(service.context);
    expect((await decide(adam, 'grant')).status).toBe(200);
    expect((await stored(adam))?.photos).toMatchObject([{ id: photo.id, status: 'approved' }]);
  });

  it('does not release what the ban list withholds', async () => {
    const adam = await approved();
    await ann.post(path(adam, 'reject'), { reason: 'No' }).expect(200);
    await service.context.members.store.change(adam.id, () => ({ suspected: true, ban_matches: [] }));
    await appeal(adam);
    expect((await decide(adam, 'grant')).status).toBe(200);
    expect(await stored(adam)).toMatchObject({ userstatus: 'approved', suspected: true });
  });
});
