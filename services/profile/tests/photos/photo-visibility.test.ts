import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import assert from 'node:assert/strict';
import request from 'supertest';
import type { MemberPatch } from '../../src/members/store/member-store.ts';
import { jpegOf } from '../support/images.ts';
import { platinum, say } from '../support/messaging.ts';
import { startService, type TestMember, type ServiceUnderTest } from '../harness.ts';

const hourMs = 60 * 60_000;

let service: ServiceUnderTest;
let image: Buffer;
beforeAll(async () => {
  service = await startService('photo-visibility');
  image = await jpegOf(60, 60);
});
afterAll(() => service.close());

interface Shown {
  readonly id: number;
  readonly urlstem: string;
  readonly max800: string;
  readonly extension: string;
}

const man = (fields: object = {}) => service.register(fields);
const woman = (fields: object = {}) =>
  service.register({ gender: 'Female', genderpreference: 'Male', ...fields });

const patch = (member: TestMember, change: MemberPatch) =>
  service.context.members.store.change(member.id, () => change);
const stored = async ({ id }: TestMember) => {
  const member = await service.context.members.store.byId(id);
  assert(member);
  return member;
};
const upload = async (member: TestMember): Promise<Shown> => (await member.upload(image).expect(200)).body;
const own = async (member: TestMember): Promise<Shown> => {
  const { body } = await member.get('/photo').expect(200);
  return body[0];
};

const pathOf = ({ urlstem, max800, extension }: Shown) => new URL(`${urlstem}${max800}${extension}`).pathname;
const fetched = (photo: Shown) => request(service.app).get(pathOf(photo));
const statusOf = async (photo: Shown) => (await fetched(photo)).status;
const isPublic = ({ urlstem }: Shown) => /^\/photos\/[\w-]{32}$/.test(new URL(urlstem).pathname);

/** A call of the member with a token that was issued after a suspension has ended. */
const signedInAgain = ({ id, memberId, username }: TestMember) => service.caller(id, memberId, username);

describe('the address of a photo', () => {
  it('is public once photo and member are approved, and does not reveal the stored file', async () => {
    const [member, staff] = [await man({ siteid: 2 }), await service.staff()];
    const waiting = await upload(member);
    expect(isPublic(waiting)).toBe(false);
    await staff.post(`/staff/photos/${waiting.id}/approve`).expect(200);
    expect(isPublic(await own(member))).toBe(false);
    await staff.post(`/staff/members/${member.id}/approve`).expect(200);
    const shown = await own(member);
    expect(isPublic(shown)).toBe(true);
    const [photo] = (await stored(member)).photos;
    assert(photo);
    for (const { urlstem } of [waiting, shown]) expect(urlstem).not.toContain(photo.stem);
    const { headers } = await fetched(shown).expect(200);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=3600',
      'content-disposition': 'inline; filename="photo.jpg"',
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
    });
    await fetched(shown)
      .set('If-None-Match', headers['etag'] ?? '')
      .expect(304);
    // The name in the store opens nothing.
    expect(await statusOf({ ...shown, urlstem: `http://api.test/photos/${photo.stem}` })).toBe(404);
  });

  it('of a waiting photo works for its owner and staff, and not in shared caches', async () => {
    const [member, staff] = [await man({ siteid: 2 }), await service.staff()];
    const waiting = await upload(member);
    expect(waiting.extension).toBe('.jpg');
    const { headers } = await fetched(waiting).expect(200);
    expect(headers).toMatchObject({
      'cache-control': 'private, no-cache',
      'content-disposition': 'inline; filename="photo.jpg"',
    });
    const { body } = await staff.get('/staff/queue?kind=photo&pagesize=100').expect(200);
    const entry = body.entries.find(({ id }: { id: number }) => id === member.id);
    const [seen] = entry.photos;
    expect(seen.urlstem).not.toBe(waiting.urlstem);
    expect((await fetched(seen).expect(200)).headers['cache-control']).toBe('private, no-cache');
  });

  it('that is signed is the same for an hour, and expires within two hours', async () => {
    const other = await startService('photo-expiry');
    const member = await other.register({ siteid: 2 });
    await member.upload(image).expect(200);
    const toNextHour = hourMs - (other.context.clock().getTime() % hourMs);
    other.advance(toNextHour + 1_000);
    const address = async () => (await member.get('/photo').expect(200)).body[0] as Shown;
    const status = async (photo: Shown) => (await request(other.app).get(pathOf(photo))).status;
    const first = await address();
    const { body } = await member.get('/users/self').expect(200);
    expect(body.photo.urlstem).toBe(first.urlstem);
    other.advance(hourMs - 60_000);
    expect((await address()).urlstem).toBe(first.urlstem);
    expect((await member.get('/users/self')).body.photo).toEqual(body.photo);
    other.advance(60_000);
    const second = await address();
    expect(second.urlstem).not.toBe(first.urlstem);
    expect([await status(first), await status(second)]).toEqual([200, 200]);
    other.advance(hourMs);
    expect([await status(first), await status(second)]).toEqual([404, 200]);
    // Nor does a later expiry written into it help.
    const forged = first.urlstem.replace(/-(\d+)-(?=[\w-]{43}$)/, (_all, until) => `-${Number(until) + 1}-`);
    expect(forged).not.toBe(first.urlstem);
    expect(await status({ ...first, urlstem: forged })).toBe(404);
    await other.close();
  });
});

type Loss = readonly [
  name: string,
  lose: (member: TestMember, photo: Shown) => Promise<unknown>,
  regain: (member: TestMember, photo: Shown) => Promise<unknown>,
];

const byStaff = async (path: string) =>
  (await service.staff()).post(path, { reason: 'looked at' }).expect(200);

const losses: readonly Loss[] = [
  [
    'hiding',
    (member) => member.post('/members/self', { searchable: false }).expect(200),
    (member) => member.post('/members/self', { searchable: true }).expect(200),
  ],
  [
    'rejecting the photo',
    (_member, { id }) => byStaff(`/staff/photos/${id}/reject`),
    (_member, { id }) => byStaff(`/staff/photos/${id}/approve`),
  ],
  [
    'rejecting the profile',
    ({ id }) => byStaff(`/staff/members/${id}/reject`),
    ({ id }) => byStaff(`/staff/members/${id}/approve`),
  ],
  [
    'suspension',
    ({ id }) => byStaff(`/staff/members/${id}/suspend`),
    ({ id }) => byStaff(`/staff/members/${id}/unsuspend`),
  ],
  [
    'deactivation',
    (member) => member.post('/members/self', { deactivated: true }).expect(200),
    (member) => service.internal('/internal/members/reactivate', { member_id: member.memberId }).expect(200),
  ],
  [
    'the deletion of the profile by its member',
    (member) => member.delete('/members/self').expect(200),
    (member) => service.internal('/internal/members/reactivate', { member_id: member.memberId }).expect(200),
  ],
];

describe('the public file of a photo', () => {
  it.each(losses)('ends with %s, and returns under another name', async (_name, lose, regain) => {
    const member = await man();
    const { id } = await upload(member);
    const before = await own(member);
    expect(await statusOf(before)).toBe(200);
    await lose(member, before);
    expect(await statusOf(before)).toBe(404);
    expect((await stored(member)).public_photos).toBeUndefined();
    await regain(member, before);
    const after = await own(await signedInAgain(member));
    expect(after).toMatchObject({ id });
    expect(isPublic(after)).toBe(true);
    expect([await statusOf(after), await statusOf(before)]).toEqual([200, 404]);
  });

  it('ends for good with the deletion of photo or member', async () => {
    const [one, two] = [await man(), await man()];
    await Promise.all([upload(one), upload(two)]);
    const [photo, other] = [await own(one), await own(two)];
    await one.delete(`/photo/${photo.id}`).expect(200);
    await byStaff(`/staff/members/${two.id}/delete`);
    expect([await statusOf(photo), await statusOf(other)]).toEqual([404, 404]);
  });

  it('keeps its name while other fields or photos change', async () => {
    const member = await man();
    const [first, second] = [await upload(member), await upload(member)];
    await member.post('/members/self', { height: 180 }).expect(200);
    await member.post('/photo/primary', { photoid: second.id }).expect(200);
    expect(await own(member)).toMatchObject({ id: second.id, urlstem: second.urlstem });
    await member.delete(`/photo/${second.id}`).expect(200);
    expect((await own(member)).urlstem).toBe(first.urlstem);
  });

  it('ends with the visibility of the member, even if its public name stayed', async () => {
    const member = await man();
    const photo = await upload(member);
    await service.context.connection
      .collection<{ _id: number }>('members')
      .updateOne({ _id: member.id }, { $set: { 'fields.searchable': false } });
    expect(await statusOf(photo)).toBe(404);
  });
});

describe('a signed address', () => {
  it('shows a hidden member only to members with a thread', async () => {
    const [adam, eve, ines] = await Promise.all([man(), woman(), woman()]);
    await upload(adam);
    await patch(adam, platinum());
    await say(adam, eve, 'Do you keep bees?').expect(200);
    await adam.post('/members/self', { searchable: false }).expect(200);
    const { body } = await eve.get('/messages').expect(200);
    const seen: Shown = body.threads[0].user.photo;
    expect(isPublic(seen)).toBe(false);
    expect(await statusOf(seen)).toBe(200);
    await ines.get(`/users/${adam.id}`).expect(403);
    // The address names who it is for.
    const forIt = (viewer: number) => ({
      ...seen,
      urlstem: seen.urlstem.replace(`/${eve.id}-`, `/${viewer}-`),
    });
    expect(await statusOf(forIt(eve.id))).toBe(200);
    for (const viewer of [ines.id, adam.id, 0]) expect(await statusOf(forIt(viewer))).toBe(404);
    await adam.post('/block', { profileid: eve.id }).expect(200);
    expect(await statusOf(seen)).toBe(404);
  });

  it('ends with a rejected photo or a suspended viewer', async () => {
    const [adam, eve] = await Promise.all([man(), woman()]);
    const { id } = await upload(adam);
    await patch(adam, platinum());
    await say(adam, eve, 'Do you keep bees?').expect(200);
    await adam.post('/members/self', { searchable: false }).expect(200);
    const seen: Shown = (await eve.get('/messages').expect(200)).body.threads[0].user.photo;
    await byStaff(`/staff/photos/${id}/reject`);
    expect(await statusOf(seen)).toBe(404);
    await byStaff(`/staff/photos/${id}/approve`);
    expect(await statusOf(seen)).toBe(200);
    await byStaff(`/staff/members/${eve.id}/suspend`);
    expect(await statusOf(seen)).toBe(404);
  });

  it.each<[string, MemberPatch]>([
    ['suspended', { suspended: true }],
    ['deactivated', { deactivated: true }],
    ['deleted', { deleted: true }],
  ])('is no longer for an owner who is %s; staff still see the photo', async (_state, change) => {
    const [member, staff] = [await man({ siteid: 2 }), await service.staff()];
    const photo = await upload(member);
    await patch(member, change);
    expect(await statusOf(photo)).toBe(404);
    const { body } = await staff.get(`/staff/members/${member.id}`).expect(200);
    expect(await statusOf(body.photos[0])).toBe(200);
  });
});

describe('a rejected photo', () => {
  it('is seen and deleted by its owner', async () => {
    const member = await man({ siteid: 2 });
    const { id } = await upload(member);
    await byStaff(`/staff/photos/${id}/reject`);
    expect((await member.get('/photo')).body).toEqual([]);
    const { body } = await member.get('/members/self/export').expect(200);
    expect(body.photos).toMatchObject([{ id, status: 'rejected' }]);
    expect(await statusOf(body.photos[0])).toBe(200);
    await member.delete(`/photo/${id}`).expect(200, {});
    expect(await statusOf(body.photos[0])).toBe(404);
    const again = await member.delete(`/photo/${id}`).expect(403);
    expect(again.body.failcode).toEqual([11303]);
    const other = await man();
    expect((await other.delete(`/photo/${id}`).expect(403)).body.failcode).toEqual([11303]);
  });
});
