import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import request from 'supertest';
import { endRetention } from '../../../src/moderation/end-retention.ts';
import { purgeLeftPhotos } from '../../../src/photos/purge-photos.ts';
import { jpegOf } from '../../support/images.ts';
import { messaging, platinum, say } from '../../support/messaging.ts';
import { manual, path, startModeration, type Moderation, why } from '../../support/moderation.ts';
import type { TestMember } from '../../harness.ts';

const dayMs = 86_400_000;

let service: Moderation['service'];
let ann: Moderation['ann'];
let entryOf: Moderation['entryOf'];
let entries: Moderation['entries'];
let actions: Moderation['actions'];
let image: Buffer;
beforeAll(async () => {
  ({ service, ann, entryOf, entries, actions } = await startModeration('evidence'));
  image = await jpegOf(60, 60);
});
afterAll(() => service.close());

const { patch } = messaging(() => service);
const woman = (fields: object = {}) =>
  service.register({ gender: 'Female', genderpreference: 'Male', ...fields });

interface Shown {
  readonly id: number;
  readonly urlstem: string;
  readonly max800: string;
  readonly extension: string;
}

const statusOf = async ({ urlstem, max800, extension }: Shown) =>
  (await request(service.app).get(new URL(`${urlstem}${max800}${extension}`).pathname)).status;
const upload = async (member: TestMember, fields = {}): Promise<Shown> =>
  (await member.upload(image, 'me.jpg', fields).expect(200)).body;
const stemOf = async (member: TestMember) =>
  (await service.context.members.store.byId(member.id))?.photos[0]?.stem ?? 'none';
const filesOf = async (stem: string) =>
  (await readdir(service.photoDir)).filter((name) => name.startsWith(stem));

const listed = async (member: TestMember) =>
  (await ann.get(path(member, 'evidence')).expect(200)).body.entries as { evidence_id: string }[];
const opened = async (member: TestMember) => {
  const [newest] = await listed(member);
  return (await ann.get(`/staff/evidence/${newest?.evidence_id}`).expect(200)).body;
};

/** A man who pays and a woman who writes to each other; she reports him. */
const reported = async () => {
  const [adam, eve] = [await service.register({ headline: 'Likes the sea' }), await woman()];
  const expires_at = new Date(service.context.clock().getTime() + 7 * dayMs);
  await patch(adam, { membership: { ...platinum().membership, expires_at } });
  const photo = await upload(adam, { caption: 'At the sea' });
  await say(adam, eve, 'Send me money.').expect(200);
  await say(eve, adam, 'No.').expect(200);
  await eve.post('/report', { profileid: adam.id, reason: 'Asks for money' }).expect(200);
  return { adam, eve, photo };
};

/** She reports him again after each of more messages than a day keeps. */
const reportOften = async (adam: TestMember, eve: TestMember) => {
  for (let count = 1; count <= 12; count += 1) {
    await say(adam, eve, `Message ${count}`).expect(200);
    await eve.post('/report', { profileid: adam.id }).expect(200);
  }
};

/** A rejected photo that its member deletes before the decision is in the history. */
const rejectedWithoutHistory = async () => {
  const member = await service.register(manual);
  const photo = await upload(member);
  const stem = await stemOf(member);
  const append = jest
    .spyOn(service.context.moderation.decisions, 'append')
    .mockRejectedValue(new Error('no answer'));
  await ann.post(`/staff/photos/${photo.id}/reject`, why).expect(200);
  await member.delete(`/photo/${photo.id}`).expect(200);
  append.mockRestore();
  return { member, photo, stem };
};

describe('evidence of a report', () => {
  it('keeps texts, photos and messages whatever the reported member does later', async () => {
    const { adam, eve, photo } = await reported();
    await adam.post('/members/self', { headline: 'Nothing to see here' }).expect(200);
    await adam.delete(`/photo/${photo.id}`).expect(200);
    await adam.delete(`/messages/${eve.id}`).expect(200);
    await eve.delete(`/messages/${adam.id}`).expect(200);
    const shown = await opened(adam);
    expect(shown).toMatchObject({
      id: adam.id,
      reporter: eve.id,
      report_id: `${adam.id}:${eve.id}`,
      reason: 'Asks for money',
      texts: { headline: 'Likes the sea', username: adam.username, city: 'Austin' },
      pending: {},
      photos: [{ id: photo.id, caption: 'At the sea', status: 'approved', extension: '.jpg' }],
      messages: [
        { by: 'reported', text: 'Send me money.' },
        { by: 'reporter', text: 'No.' },
      ],
    });
    // The photo is gone for everybody else.
    expect(await statusOf(photo)).toBe(404);
    expect(new URL(shown.photos[0].urlstem).pathname).toMatch(/^\/photos\/private\/0-/);
    expect(await statusOf(shown.photos[0])).toBe(200);
    await purgeLeftPhotos(service.context);
    expect(await statusOf(shown.photos[0])).toBe(200);
  });

  it('keeps waiting texts and private photos', async () => {
    const [adam, eve] = [await service.register(manual), await woman()];
    await patch(adam, { userstatus: 'approved' });
    await adam.post('/members/self', { headline: 'Write to me elsewhere' }).expect(200);
    const photo = await upload(adam, { private: 'true' });
    await eve.post('/report', { profileid: adam.id }).expect(200);
    expect(await opened(adam)).toMatchObject({
      reason: '',
      pending: { headline: 'Write to me elsewhere' },
      photos: [{ id: photo.id, status: 'pending', private: true }],
      messages: [],
    });
  });

  it('keeps the answer that others read apart from the one that waits', async () => {
    const [adam, eve] = [await service.register({ ...manual, f_book: 'Send me money' }), await woman()];
    await ann.post(path(adam, 'approve')).expect(200);
    await adam.post('/members/self', { f_book: 'I like hiking' }).expect(200);
    await eve.post('/report', { profileid: adam.id }).expect(200);
    const { texts, pending } = await opened(adam);
    expect([texts.f_book, pending]).toEqual(['Send me money', { f_book: 'I like hiking' }]);
  });

  it('is for staff only, and each access is in the history first', async () => {
    const { adam, eve } = await reported();
    const [kept] = await listed(adam);
    const address = `/staff/evidence/${kept?.evidence_id}`;
    for (const member of [adam, eve]) {
      await member.get(address).expect(403);
      await member.get(path(adam, 'evidence')).expect(403);
    }
    expect(await actions(adam)).toEqual([]);
    jest.spyOn(service.context.moderation.decisions, 'append').mockRejectedValueOnce(new Error('no answer'));
    await ann.get(address).expect(500);
    await ann.get(address).expect(200);
    expect(await entries(adam)).toMatchObject([
      { action: 'view-evidence', staff_id: ann.memberId, evidence_id: kept?.evidence_id },
    ]);
    await ann.get('/staff/evidence/019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77').expect(404);
    // Nothing tells the reported member who it was.
    const archive = await adam.get('/members/self/export').expect(200);
    expect(archive.text).not.toContain('Asks for money');
    expect(archive.text).not.toContain(`"${adam.id}:${eve.id}"`);
  });

  it('is stored once while nothing changes, and listed page by page', async () => {
    const { adam, eve } = await reported();
    await eve.post('/report', { profileid: adam.id, reason: 'Once more' }).expect(200);
    expect(await listed(adam)).toHaveLength(1);
    await reportOften(adam, eve);
    const kept = await listed(adam);
    expect(kept.at(-1)).toMatchObject({ reason: 'Asks for money', photos: 1, messages: 2 });
    const first = await ann.get(`${path(adam, 'evidence')}?pagesize=9`).expect(200);
    const rest = await ann.get(`${path(adam, 'evidence')}?pagesize=9&cursor=${first.body.next}`).expect(200);
    expect([...first.body.entries, ...rest.body.entries]).toEqual(kept);
    expect(rest.body.next).toBeNull();
  });

  it('is listed for one report alone', async () => {
    const { adam, eve } = await reported();
    const ida = await woman();
    await ida.post('/report', { profileid: adam.id, reason: 'Rude' }).expect(200);
    const of = async (reporter: number) =>
      (await ann.get(`${path(adam, 'evidence')}?reporter=${reporter}`).expect(200)).body.entries;
    expect(await of(eve.id)).toMatchObject([{ report_id: `${adam.id}:${eve.id}` }]);
    expect(await of(ida.id)).toMatchObject([{ report_id: `${adam.id}:${ida.id}` }]);
    expect(await of(adam.id)).toEqual([]);
  });

  it('holds the last fifty messages', async () => {
    const { adam, eve } = await reported();
    for (let count = 0; count < 52; count += 1) await say(adam, eve, `Message ${count}`).expect(200);
    await eve.post('/report', { profileid: adam.id }).expect(200);
    const { messages } = await opened(adam);
    expect(messages).toHaveLength(50);
    expect(messages.at(0)).toMatchObject({ text: 'Message 2' });
    expect(messages.at(-1)).toMatchObject({ text: 'Message 51' });
  });
});

describe('reports of a suspended member', () => {
  it('are closed, and open again with their former time when the suspension ends', async () => {
    const { adam } = await reported();
    const ida = await woman();
    await ida.post('/report', { profileid: adam.id, reason: 'Rude' }).expect(200);
    await ann.post(`/staff/reports/${adam.id}:${ida.id}/close`, { reason: 'harmless' }).expect(200);
    const before = await entryOf('report', adam);
    expect(before).toMatchObject({ reason: 'Asks for money' });
    await ann.post(path(adam, 'suspend'), { reason: 'fraud' }).expect(200);
    expect(await entryOf('report', adam)).toBeUndefined();
    await ann.post(path(adam, 'suspend'), why).expect(200);
    await ann.post(path(adam, 'unsuspend'), { reason: 'a mistake' }).expect(200);
    expect(await entryOf('report', adam)).toMatchObject({ since: before?.since, reason: 'Asks for money' });
    const open = (await service.context.moderation.reports.about(adam.id)).filter(({ open_at }) => open_at);
    // Reports that staff had closed themselves stay closed.
    expect(open).toHaveLength(1);
    await ann.post(path(adam, 'unsuspend')).expect(200);
    await ann.post(path(adam, 'delete'), why).expect(200);
    expect(await entryOf('report', adam)).toBeUndefined();
  });
});

describe('rejected content', () => {
  it('stays readable to staff in the history, even after its owner deleted it', async () => {
    const member = await service.register(manual);
    await patch(member, { userstatus: 'approved' });
    await member.post('/members/self', { headline: 'Call 555 0100 200' }).expect(200);
    const photo = await upload(member, { caption: 'Me' });
    const stem = await stemOf(member);
    await ann.post(path(member, 'texts/headline/reject'), why).expect(200);
    await ann.post(`/staff/photos/${photo.id}/reject`, why).expect(200);
    await member.delete(`/photo/${photo.id}`).expect(200);
    const [rejectedPhoto, rejectedText] = await entries(member);
    expect(rejectedText).toMatchObject({
      action: 'reject-text',
      field: 'headline',
      text: 'Call 555 0100 200',
    });
    expect(rejectedPhoto).toMatchObject({ action: 'reject-photo', photo: { id: photo.id, caption: 'Me' } });
    const { photo: kept } = rejectedPhoto as unknown as { photo: Shown };
    expect([await statusOf(kept), await statusOf(photo)]).toEqual([200, 404]);
    expect(JSON.stringify(rejectedPhoto)).not.toContain(stem);
    // The member's archive has the text, as it is theirs.
    const { body } = await member.get('/members/self/export').expect(200);
    expect(body.moderation.history).toContainEqual(
      expect.objectContaining({ action: 'reject-text', text: 'Call 555 0100 200' }),
    );
  });

  it('includes a published text that was flagged', async () => {
    const member = await service.register({ f_book: 'Write to ada@example.org' });
    await ann.post(path(member, 'texts/f_book/reject'), why).expect(200);
    expect(await entries(member)).toMatchObject([
      { action: 'reject-text', text: 'Write to ada@example.org' },
    ]);
  });

  it('is kept where the history was not written before the photo was deleted', async () => {
    const { member, photo, stem } = await rejectedWithoutHistory();
    await purgeLeftPhotos(service.context);
    expect((await service.context.members.store.byId(member.id))?.photos).toEqual([]);
    expect(await filesOf(stem)).not.toEqual([]);
    expect(await entries(member)).toMatchObject([{ action: 'reject-photo', photo: { id: photo.id } }]);
  });
});

// The last of the suite: they move the clock.
describe('evidence of a member who goes on', () => {
  it('is kept ten times a day for one reporter', async () => {
    const { adam, eve } = await reported();
    await reportOften(adam, eve);
    expect(await listed(adam)).toHaveLength(10);
    service.advance(dayMs);
    await say(adam, eve, 'I know where you live').expect(200);
    await eve.post('/report', { profileid: adam.id }).expect(200);
    expect(await listed(adam)).toHaveLength(11);
    expect((await opened(adam)).messages.at(-1)).toMatchObject({ text: 'I know where you live' });
  });
});

describe('the end of retention', () => {
  it('deletes rejected texts and photos, and keeps decisions and photos approved since', async () => {
    const member = await service.register(manual);
    await patch(member, { userstatus: 'approved' });
    await member.post('/members/self', { headline: 'Call 555 0100 200' }).expect(200);
    const [gone, back] = [await upload(member), await upload(member)];
    const photos = (await service.context.members.store.byId(member.id))?.photos ?? [];
    const stems = photos.map(({ stem }) => stem);
    await ann.post(path(member, 'texts/headline/reject'), why).expect(200);
    for (const { id } of [gone, back]) await ann.post(`/staff/photos/${id}/reject`, why).expect(200);
    await ann.post(`/staff/photos/${back.id}/approve`).expect(200);
    service.advance(189 * dayMs);
    expect(await endRetention(service.context)).toBe(0);
    expect((await entries(member)).filter((entry) => 'text' in entry || 'photo' in entry)).toHaveLength(3);
    service.advance(2 * dayMs);
    expect(await endRetention(service.context)).toBe(0);
    expect((await entries(member)).filter((entry) => 'text' in entry || 'photo' in entry)).toEqual([]);
    expect(await actions(member)).toEqual(['approve-photo', 'reject-photo', 'reject-photo', 'reject-text']);
    expect((await service.context.members.store.byId(member.id))?.photos).toMatchObject([
      { id: back.id, status: 'approved' },
    ]);
    expect(await Promise.all(stems.map(async (stem) => (await filesOf(stem)).length > 0))).toEqual([
      false,
      true,
    ]);
  });

  it('deletes a rejected photo whose decision a crash left on the member', async () => {
    const { stem } = await rejectedWithoutHistory();
    await purgeLeftPhotos(service.context);
    expect(await filesOf(stem)).not.toEqual([]);
    service.advance(191 * dayMs);
    expect(await endRetention(service.context)).toBe(0);
    expect(await filesOf(stem)).toEqual([]);
  });

  it('deletes evidence a year after its report was closed, never while it is open', async () => {
    const { adam, eve, photo } = await reported();
    const stem = await stemOf(adam);
    await adam.delete(`/photo/${photo.id}`).expect(200);
    service.advance(400 * dayMs);
    expect(await endRetention(service.context)).toBe(0);
    expect(await listed(adam)).toHaveLength(1);
    await ann.post(`/staff/reports/${adam.id}:${eve.id}/close`).expect(200);
    service.advance(364 * dayMs);
    await endRetention(service.context);
    expect(await listed(adam)).toHaveLength(1);
    expect(await filesOf(stem)).not.toEqual([]);
    service.advance(2 * dayMs);
    await endRetention(service.context);
    expect(await listed(adam)).toEqual([]);
    expect(await filesOf(stem)).toEqual([]);
  });

  it('keeps the files of photos that members have, and continues after a crash', async () => {
    const { adam, eve, photo } = await reported();
    const stem = await stemOf(adam);
    const other = await reported();
    const otherStem = await stemOf(other.adam);
    await other.adam.delete(`/photo/${other.photo.id}`).expect(200);
    for (const pair of [`${adam.id}:${eve.id}`, `${other.adam.id}:${other.eve.id}`])
      await ann.post(`/staff/reports/${pair}/close`).expect(200);
    service.advance(366 * dayMs);
    const { storage } = service.context.photos;
    jest.spyOn(storage, 'remove').mockRejectedValueOnce(new Error('the process ends here'));
    expect(await endRetention(service.context)).toBe(1);
    expect(await listed(other.adam)).toEqual([]);
    expect(await filesOf(otherStem)).not.toEqual([]);
    service.advance(61 * 60_000);
    await purgeLeftPhotos(service.context);
    expect(await filesOf(otherStem)).toEqual([]);
    expect(await filesOf(stem)).not.toEqual([]);
    expect((await adam.get('/photo').expect(200)).body).toMatchObject([{ id: photo.id }]);
  });
});
