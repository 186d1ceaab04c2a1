import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestMember } from '../harness.ts';
import { banned, photoOf, type BannedMember } from '../support/banned.ts';
import { path, startModeration, type Moderation } from '../support/moderation.ts';

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

/** What staff see of the member and what others can find. */
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
  await until('the last undo is told', () => all.told(clean).length === 2);
  expect(all.told(dirty)).toEqual([]);
});
