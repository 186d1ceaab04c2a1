import { invalidArgument } from '@covalence/contract/failure';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import request from 'supertest';
import { jpegOf } from '../../support/images.ts';
import { manual, path, startModeration, type Moderation, why } from '../../support/moderation.ts';
import type { TestMember, TestStaff } from '../../harness.ts';

let service: Moderation['service'];
let ann: Moderation['ann'];
let bob: Moderation['bob'];
let own: Moderation['own'];
let entries: Moderation['entries'];
let entryOf: Moderation['entryOf'];
let notifiedOf: Moderation['notifiedOf'];
let image: Buffer;
beforeAll(async () => {
  ({ service, ann, bob, own, entries, entryOf, notifiedOf } = await startModeration('undo'));
  image = await jpegOf(60, 60);
});
afterAll(() => service.close());

const about_me = 'x'.repeat(100);

const decide = async (url: string, body: object = why): Promise<string> =>
  (await ann.post(url, body).expect(200)).body.decision_id as string;
const undo = (decision: string, staff: TestStaff = ann) => staff.post(`/staff/decisions/${decision}/undo`);
/** The parts of the stored member that a decision may change. */
const stored = async ({ id }: TestMember) => {
  const found = await service.context.members.store.byId(id);
  const {
    userstatus,
    fields,
    pending,
    pending_place,
    approved_answers = {},
    flags = {},
    waiting,
  } = found ?? {};
  const photos = found?.photos.map((photo) => ({
    id: photo.id,
    status: photo.status,
    primary: photo.primary,
  }));
  return { userstatus, fields, pending, pending_place, approved_answers, flags, waiting, photos };
};
/** Decides, undoes it a little later, and expects the member as before. */
const decideAndUndo = async (member: TestMember, url: string, body: object = why) => {
  const before = await stored(member);
  const decision = await decide(url, body);
  const between = await stored(member);
  expect(between).not.toEqual(before);
  service.advance(20_000);
  await undo(decision).expect(200, { id: member.id });
  expect(await stored(member)).toEqual(before);
  return { decision, between };
};
const statusOf = async (address: string) =>
  (await request(service.app).get(new URL(address).pathname)).status;
const approved = async (fields: object = {}): Promise<TestMember> => {
  const member = await service.register({ ...manual, ...fields });
  await ann.post(path(member, 'approve')).expect(200);
  return member;
};

describe('POST /staff/decisions/{decisionid}/undo', () => {
  it.each(['approve', 'reject'])(
    'takes back: %s a profile, which waits again in its former place',
    async (action) => {
      const member = await service.register({ ...manual, headline: 'Write me: ann@mail.example' });
      const since = (await entryOf('profile', member))?.since;
      const { decision } = await decideAndUndo(member, path(member, action), { reason: 'No' });
      expect(await entryOf('profile', member)).toMatchObject({ since, claimed_by: ann.memberId });
      const history = await entries(member);
      expect(history).toMatchObject([
        { action: 'undo', undoes: decision, staff_id: ann.memberId },
        { action },
      ]);
      await until('the member is told twice', () => notifiedOf(member).length === 2);
      expect(notifiedOf(member)[1]).toEqual({ subject: 'profile', decision: 'undone' });
    },
  );

  it('takes back the rejection of a published profile', async () => {
    const member = await approved();
    await decideAndUndo(member, path(member, 'reject'), { reason: 'No' });
    expect(await own(member)).toMatchObject({ userstatus: 'approved' });
  });

  it.each(['approve', 'reject'])(
    'takes back: %s a text, whatever happened to other texts meanwhile',
    async (action) => {
      const member = await approved({ headline: 'The first one' });
      await member.post('/members/self', { headline: 'The second one', about_me }).expect(200);
      const decision = await decide(path(member, `texts/headline/${action}`));
      await bob.post(path(member, 'texts/about_me/approve')).expect(200);
      await undo(decision).expect(200);
      const { fields, pending } = await stored(member);
      expect([fields?.['headline'], fields?.['about_me'], pending]).toEqual([
        'The first one',
        about_me,
        { headline: 'The second one' },
      ]);
    },
  );

  it.each(['approve', 'reject'])('takes back: %s a city with its place, and an answer', async (action) => {
    const member = await approved();
    await member.post('/members/self', { city: 'Dallas', f_book: 'Momo' }).expect(200);
    await decideAndUndo(member, path(member, `texts/city/${action}`));
    const { between } = await decideAndUndo(member, path(member, `texts/f_book/${action}`));
    expect(between.approved_answers).toEqual(action === 'approve' ? { f_book: 'Momo' } : {});
  });

  it.each(['approve', 'reject'])('takes back: %s a username, with the login name', async (action) => {
    const member = await approved();
    const username = `${member.username}b`;
    await member.post('/members/self', { username }).expect(200);
    const { calls, accounts } = service.auth;
    calls.length = 0;
    await decideAndUndo(member, path(member, `texts/username/${action}`));
    expect(accounts.get(member.memberId)?.username).toBe(member.username);
    expect(calls.at(-1)).toBe('claim-username');
  });

  it('keeps a decision on a username whose former name somebody else has by now', async () => {
    const member = await approved();
    const username = `${member.username}b`;
    await member.post('/members/self', { username }).expect(200);
    const decision = await decide(path(member, 'texts/username/approve'));
    jest.spyOn(service.context.auth, 'applyUsername').mockRejectedValueOnce(invalidArgument(10101));
    await undo(decision).expect(403, { fail: 'Invalid Argument', failcode: [10101] });
    expect(await own(member)).toMatchObject({ username });
    expect(service.auth.accounts.get(member.memberId)?.username).toBe(username);
  });

  it('takes back the approval and the rejection of photos; addresses end, and return under another name', async () => {
    const member = await approved();
    const [first, second] = [
      (await member.upload(image).expect(200)).body.id as number,
      (await member.upload(image).expect(200)).body.id as number,
    ];
    const addressOf = async () => {
      const { body } = await ann.get(`/staff/members/${member.id}`).expect(200);
      const { urlstem, max800, extension } = body.photos[0];
      return `${urlstem}${max800}${extension}`;
    };
    await decideAndUndo(member, `/staff/photos/${first}/approve`);
    await ann.post(`/staff/photos/${first}/approve`).expect(200);
    const shown = await addressOf();
    expect(await statusOf(shown)).toBe(200);
    // The second one becomes primary in between.
    await ann.post(`/staff/photos/${second}/approve`).expect(200);
    await decideAndUndo(member, `/staff/photos/${first}/reject`);
    expect(await statusOf(shown)).toBe(404);
    expect(await statusOf(await addressOf())).toBe(200);
    expect((await stored(member)).photos).toMatchObject([{ primary: true }, { primary: false }]);
    // In any order.
    const [one, two] = [
      await decide(`/staff/photos/${first}/reject`),
      await decide(`/staff/photos/${second}/reject`),
    ];
    await undo(one).expect(200);
    await undo(two).expect(200);
    expect((await stored(member)).photos).toMatchObject([
      { status: 'approved', primary: true },
      { status: 'approved', primary: false },
    ]);
  });

  it('works for 30 seconds, once, for the account that decided and for admin', async () => {
    const member = await service.register(manual);
    const grace = await service.staff({ 2: ['moderator'] });
    const late = await decide(path(member, 'approve'));
    service.advance(30_001);
    await undo(late).expect(404);
    const decision = await decide(path(member, 'reject'), { reason: 'No' });
    await undo(decision, grace).expect(403);
    await undo(decision, await service.staff({ 1: ['admin'] })).expect(403);
    await undo(decision, bob).expect(200);
    await undo(decision).expect(404);
    await undo('019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77').expect(404);
    const repeated = await ann.post(path(member, 'approve')).expect(200);
    expect(repeated.body).toMatchObject({ changed: false });
    expect(repeated.body).not.toHaveProperty('decision_id');
  });

  it('is refused where what was decided on has changed since', async () => {
    const member = await approved();
    const rejected = await decide(path(member, 'reject'), { reason: 'No' });
    await member.post('/members/self', { headline: 'A better headline' }).expect(200);
    await undo(rejected).expect(409);
    expect((await stored(member)).userstatus).toBe('new');
    const accepted = await decide(path(member, 'approve'));
    await ann.post(path(member, 'delete'), why).expect(200);
    await undo(accepted).expect(409);
  });

  it('needs no note of the decision, which stands without it', async () => {
    const member = await service.register(manual);
    jest
      .spyOn(service.context.moderation.undoable, 'add')
      .mockRejectedValueOnce(new Error('the process ends here'));
    await undo(await decide(path(member, 'approve'))).expect(404);
    expect(await own(member)).toMatchObject({ userstatus: 'approved' });
  });
});
