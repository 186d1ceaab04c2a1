import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { TestStaff } from '../../harness.ts';
import { jpegOf } from '../../support/images.ts';
import { banned, photoOf } from '../../support/banned.ts';
import { manual, path, startModeration, type Moderation, why } from '../../support/moderation.ts';

let service: Moderation['service'];
let ann: Moderation['ann'];
let bob: Moderation['bob'];
let entryOf: Moderation['entryOf'];
let actions: Moderation['actions'];
beforeAll(async () => {
  ({ service, ann, bob, entryOf, actions } = await startModeration('decide-many'));
});
afterAll(() => service.close());

interface Text {
  readonly field: string;
  readonly revision: string;
}

const send = (decisions: readonly object[], staff = ann) => staff.post('/staff/queue/decide', { decisions });
const revisionOf = async (member: Parameters<typeof entryOf>[1]) =>
  (await entryOf('profile', member))?.revision ?? '';

describe('POST /staff/queue/decide', () => {
  it('decides on profiles, texts and photos, each with its own outcome', async () => {
    const [one, two, three, four] = [
      await service.register(manual),
      await service.register(manual),
      await service.register(manual),
      await service.register(manual),
    ];
    for (const member of [three, four]) await ann.post(path(member, 'approve')).expect(200);
    await three.post('/members/self', { headline: 'The second one' }).expect(200);
    const photo = (await three.upload(await jpegOf(60, 60)).expect(200)).body as { id: number };
    const texts = (await entryOf('text', three))?.['texts_to_review'] as Text[];
    const photos = (await entryOf('photo', three))?.['photos'] as { revision: string }[];
    const revision = await revisionOf(two);
    await two.post('/members/self', { i_art: 20 }).expect(200);
    await bob.post('/staff/queue/claim', { kind: 'profile', id: one.id }).expect(200);
    const approve = { decision: 'approve', revision: '' };
    const decisions = [
      { kind: 'profile', id: one.id, decision: 'approve', revision: await revisionOf(one) },
      { kind: 'profile', id: two.id, decision: 'reject', revision, reason: 'No person' },
      { kind: 'text', id: three.id, field: 'headline', decision: 'approve', revision: texts[0]?.revision },
      { kind: 'photo', id: photo.id, decision: 'reject', revision: photos[0]?.revision, ...why },
      { ...approve, kind: 'profile', id: 999_999_999 },
      { ...approve, kind: 'photo', id: 999_999_999 },
      { ...approve, kind: 'text', id: four.id, field: 'nothing' },
    ];
    const { body } = await send(decisions).expect(200);
    expect(body.outcomes).toEqual([
      { status: 409, fail: 'Claimed' },
      { status: 409, fail: 'Conflict' },
      { status: 200, changed: true, decision_id: expect.any(String) },
      { status: 200, changed: true, decision_id: expect.any(String) },
      { status: 404, fail: 'Not Found' },
      { status: 404, fail: 'Not Found' },
      { status: 404, fail: 'Not Found' },
    ]);
    expect(await actions(three)).toEqual(['reject-photo', 'approve-text', 'approve']);
    const { body: undone } = await ann
      .post(`/staff/decisions/${body.outcomes[2].decision_id}/undo`)
      .expect(200);
    expect(undone).toEqual({ id: three.id });
    // The answer may have been lost: by who decided, the same decision with the revision from before it.
    const { body: again } = await send(decisions.slice(2, 4)).expect(200);
    const { decision_id } = body.outcomes[3];
    expect(again.outcomes).toEqual([
      { status: 200, changed: true, decision_id: expect.any(String) },
      { status: 200, changed: false, decision_id },
    ]);
    const repeated = async (decision: object, staff?: TestStaff) =>
      (await send([{ ...decisions[3], ...decision }], staff)).body.outcomes[0].status;
    expect(await repeated({ decision: 'approve' })).toBe(409);
    expect(await repeated({ revision: 'another' })).toBe(409);
    expect(await repeated({}, await service.staff())).toBe(409);
    for (const [url, outcome] of [
      [`/staff/photos/${photo.id}/reject`, 3],
      [path(three, 'texts/headline/approve'), 2],
    ] as const) {
      const { revision: before } = decisions[outcome] ?? {};
      const { body: single } = await ann.post(url, { ...why, revision: before }).expect(200);
      expect(single).toMatchObject({ changed: false, decision_id: again.outcomes[outcome - 2].decision_id });
    }
    service.advance(30_001);
    expect(await repeated({})).toBe(409);
  });

  it('decides on members of the sites of the role only', async () => {
    const [here, there] = [await service.register(manual), await service.register(manual)];
    const decisions = [here, there].map(({ id }) => ({
      kind: 'profile',
      id,
      decision: 'approve',
      revision: 'x',
    }));
    const elsewhere = await service.staff({ 1: ['moderator'], 2: ['support'] });
    const record = jest.spyOn(service.context.security, 'record');
    const { body } = await send(decisions, elsewhere).expect(200);
    expect(body.outcomes).toEqual([
      { status: 403, fail: 'Forbidden' },
      { status: 403, fail: 'Forbidden' },
    ]);
    const refused = { address: expect.any(String), staff: elsewhere.memberId, reason: 'role' };
    expect(record.mock.calls).toEqual([
      ['staff_call_refused', refused],
      ['staff_call_refused', refused],
    ]);
    record.mockRestore();
    expect(await actions(here)).toEqual([]);
  });

  it('clears a member and a photo that the ban list held, with the entries that matched', async () => {
    const grifter = await banned({ service, ann }, {});
    const eve = await service.register({ email: grifter.spelling() });
    const { body: photo } = await eve.upload(await photoOf(grifter.seed).jpeg().toBuffer()).expect(200);
    const profile = { kind: 'profile', id: eve.id, revision: await revisionOf(eve) };
    const photos = (await entryOf('photo', eve))?.['photos'] as { revision: string }[];
    const decisions = [profile, { kind: 'photo', id: photo.id, revision: photos[0]?.revision }];
    const { body } = await send(
      decisions.map((each) => ({ ...each, decision: 'approve', remove_bans: true })),
    ).expect(200);
    expect(body.outcomes).toMatchObject([{ changed: true }, { changed: true }]);
    const left = await ann.get(`/staff/bans?member=${grifter.member.id}`).expect(200);
    expect(left.body.entries).toEqual([]);
  });

  it.each([
    ['none', []],
    [
      '51',
      Array.from({ length: 51 }, () => ({ kind: 'profile', id: 1, decision: 'approve', revision: 'x' })),
    ],
    ['one without revision', [{ kind: 'profile', id: 1, decision: 'approve' }]],
    ['a rejected profile without reason', [{ kind: 'profile', id: 1, decision: 'reject', revision: 'x' }]],
    ['a rejected photo without reason', [{ kind: 'photo', id: 1, decision: 'reject', revision: 'x' }]],
    ['a text without field', [{ kind: 'text', id: 1, decision: 'approve', revision: 'x' }]],
    [
      'a rejection that clears somebody',
      [{ kind: 'photo', id: 1, decision: 'reject', revision: 'x', reason: 'No', remove_bans: true }],
    ],
    ['a suspension', [{ kind: 'profile', id: 1, decision: 'suspend', revision: 'x' }]],
  ])('refuses %s', async (_title, decisions) => {
    expect((await send(decisions)).status).toBe(403);
  });
});
