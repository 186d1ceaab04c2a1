import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import type { MemberPatch } from '../../src/members/store/member-store.ts';
import { createPhotoAddresses } from '../../src/record/photo-address.ts';
import { jpegOf } from '../support/images.ts';
import { startService, type TestMember, type ServiceUnderTest } from '../harness.ts';

let service: ServiceUnderTest;
let image: Buffer;
beforeAll(async () => {
  service = await startService('photo-sharing');
  image = await jpegOf(60, 60);
});
afterAll(() => service.close());

const man = (fields: object = {}) => service.register(fields);
const woman = (fields: object = {}) =>
  service.register({ gender: 'Female', genderpreference: 'Male', ...fields });

const share = (by: TestMember, to: { id: unknown }, flags: object) =>
  by.post('/members/self/photosharing', { profileid: to.id, ...flags });

/** One shares, the other accepts. */
const agree = async (owner: TestMember, viewer: TestMember) => {
  await share(owner, viewer, { send: true }).expect(200);
  await share(viewer, owner, { receive: true }).expect(200);
};

const upload = async (member: TestMember, fields = {}) =>
  (await member.upload(image, 'me.jpg', fields).expect(200)).body;
const uploadPrivate = (member: TestMember) => upload(member, { private: '1' });

const pathOf = (entry: { urlstem: string; max800: string; extension: string }) =>
  new URL(`${entry.urlstem}${entry.max800}${entry.extension}`).pathname;
const statusOf = async (path: string) => (await request(service.app).get(path)).status;
const photosOf = async (viewer: TestMember, owner: TestMember) =>
  (await viewer.get(`/photo?profileid=${owner.id}`).expect(200)).body;

const patch = (member: TestMember, change: MemberPatch) =>
  service.context.members.store.change(member.id, () => change);

describe('POST /members/self/photosharing', () => {
  it('sets the four flags that both records show', async () => {
    const [adam, eve] = await Promise.all([man(), woman()]);
    const flags = { can_share: true, can_send_to: true, can_receive_from: false, receiving_me: false };
    await share(adam, eve, { send: 'TRUE', receive: null }).expect(200, flags);
    await share(eve, adam, { receive: '1' })
      .type('form')
      .expect(200, { ...flags, can_send_to: false, can_receive_from: true });
    const seen = await adam.get(`/users/${eve.id}`).expect(200);
    expect(seen.body.shared_photos).toEqual({ ...flags, receiving_me: true });
    const own = await adam.get('/users/self').expect(200);
    expect(own.body.shared_photos).toEqual({ ...flags, can_send_to: false });
    await share(adam, eve, { send: 0, receive: true }).expect(200, {
      ...flags,
      can_send_to: false,
      can_receive_from: true,
      receiving_me: true,
    });
  });

  it.each<[string, object]>([
    ['neither', {}],
    ['empty texts', { send: '', receive: '' }],
    ['no boolean', { send: 'perhaps' }],
    ['a list', { send: [true] }],
    ['one of two no boolean', { send: true, receive: 2 }],
  ])('%s is 403 without code', async (_case, flags) => {
    const [adam, eve] = await Promise.all([man(), woman()]);
    const { status, body } = await share(adam, eve, flags);
    expect([status, body]).toEqual([403, { fail: 'Invalid Argument' }]);
  });

  it('refuses like a like; ending is always possible', async () => {
    const [adam, eve, carl] = await Promise.all([man(), woman(), man()]);
    const code = async (to: { id: unknown }, flags: object = { send: true }) =>
      (await share(adam, to, flags)).body.failcode;
    expect(await code({ id: undefined })).toBeUndefined();
    expect(await code(adam)).toEqual([80001]);
    expect(await code(carl)).toEqual([80002]);
    expect(await code({ id: 123_456_789 })).toEqual([80013]);
    await share(adam, eve, { send: true }).expect(200);
    const states: [MemberPatch, number][] = [
      [{ deleted: true }, 80003],
      [{ suspended: true }, 80014],
      [{ userstatus: 'rejected' }, 80063],
      [{ deactivated: true }, 80064],
    ];
    for (const [change, expected] of states) {
      await patch(eve, change);
      expect(await code(eve)).toEqual([expected]);
      expect(await code(eve, { receive: true })).toEqual([expected]);
      await share(adam, eve, { send: false, receive: false }).expect(200);
      await patch(eve, { deleted: false, suspended: false, userstatus: 'approved', deactivated: false });
    }
    await eve.post('/block', { profileid: adam.id }).expect(200);
    expect(await code(eve)).toEqual([80004]);
  });

  it('refuses sharing and private uploads where sharing is off', async () => {
    const off = await startService('photo-sharing-off', { environment: { PHOTO_SHARING: 'false' } });
    const [adam, eve] = await Promise.all([
      off.register(),
      off.register({ gender: 'Female', genderpreference: 'Male' }),
    ]);
    await share(adam, eve, { send: true }).expect(403, { fail: 'Invalid Argument' });
    await share(adam, eve, { send: false }).expect(200, {
      can_share: false,
      can_send_to: false,
      can_receive_from: false,
      receiving_me: false,
    });
    const { status } = await adam.upload(image, 'me.jpg', { private: 'true' });
    expect(status).toBe(403);
    await off.close();
  });
});

describe('private photos', () => {
  it('are never primary, and count for viewers who see them', async () => {
    const [adam, eve] = await Promise.all([man(), woman()]);
    const hidden = await uploadPrivate(adam);
    expect(hidden).toMatchObject({ private: true, photo_primary: false });
    await adam.post('/photo/primary', { photoid: hidden.id }).expect(403, { fail: 'Invalid Argument' });
    const before = await eve.get(`/users/${adam.id}`).expect(200);
    expect(before.body).toMatchObject({ photo_count: 0, photo_primary: false, photo: { urlstem: '' } });
    const own = await adam.get('/users/self').expect(200);
    expect(own.body).toMatchObject({ photo_count: 1, photo: { id: hidden.id, urlstem: hidden.urlstem } });

    const shown = await upload(adam);
    expect(shown).toMatchObject({ private: false, photo_primary: true });
    expect((await photosOf(eve, adam)).map(({ id }: { id: number }) => id)).toEqual([shown.id]);
    await agree(adam, eve);
    const both = await photosOf(eve, adam);
    expect(both.map(({ id }: { id: number }) => id)).toEqual([shown.id, hidden.id]);
    const after = await eve.get(`/users/${adam.id}`).expect(200);
    expect(after.body).toMatchObject({ photo_count: 2, photo: { id: shown.id } });
    const projections = await service.internal('/internal/projections', { ids: [adam.id] });
    expect(projections.body.projections).toMatchObject([{ photo: true }]);
    await adam.delete(`/photo/${shown.id}`).expect(200);
    const left = await service.internal('/internal/projections', { ids: [adam.id] });
    expect(left.body.projections).toMatchObject([{ photo: false }]);
  });

  it('have one address for each viewer, which works while sharing lasts', async () => {
    const [adam, eve, dora] = await Promise.all([man(), woman(), woman()]);
    const mine = await uploadPrivate(adam);
    await Promise.all([agree(adam, eve), agree(adam, dora)]);
    const [hers] = await photosOf(eve, adam);
    const [other] = await photosOf(dora, adam);
    expect(new Set([mine.urlstem, hers.urlstem, other.urlstem]).size).toBe(3);
    expect(await statusOf(pathOf(hers))).toBe(200);
    // The other of the two takes it back.
    await share(eve, adam, { receive: false }).expect(200);
    expect(await statusOf(pathOf(hers))).toBe(404);
    expect([await statusOf(pathOf(other)), await statusOf(pathOf(mine))]).toEqual([200, 200]);
    await share(eve, adam, { receive: true }).expect(200);
    expect(await statusOf(pathOf(hers))).toBe(200);
    await eve.post('/block', { profileid: adam.id }).expect(200);
    expect(await statusOf(pathOf(hers))).toBe(404);
    await eve.post('/unblock', { profileid: adam.id }).expect(200);
    expect(await statusOf(pathOf(hers))).toBe(404);
    for (const gone of [{ suspended: true }, { deactivated: true }, { deleted: true }]) {
      await patch(dora, gone);
      expect(await statusOf(pathOf(other))).toBe(404);
      await patch(dora, { suspended: false, deactivated: false, deleted: false });
      expect(await statusOf(pathOf(other))).toBe(200);
    }
    await adam.delete(`/photo/${mine.id}`).expect(200);
    expect(await statusOf(pathOf(mine))).toBe(404);
  });

  it('are revalidated each time, and have unforgeable addresses', async () => {
    const adam = await man();
    const path = pathOf(await uploadPrivate(adam));
    const { headers } = await request(service.app).get(path).expect(200);
    expect(headers).toMatchObject({
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
    });
    // A proxy that compresses makes the tag weak; a browser may name several copies.
    for (const known of [headers['etag'] ?? '', `"other", W/${headers['etag']}`])
      await request(service.app)
        .get(path)
        // A page's fetch with an If-None-Match of its own always says so.
        .set({ 'If-None-Match': known, 'Cache-Control': 'no-cache' })
        .expect(304);
    await request(service.app).get(path).set('If-None-Match', '"other"').expect(200);
    const [, viewer = '', photo = ''] = /private\/(\d+)-(\d+)-/.exec(path) ?? [];
    const altered = [
      path.replace(`/${viewer}-`, `/${Number(viewer) + 1}-`),
      path.replace(`/${viewer}-`, '/0-'),
      path.replace(`-${photo}-`, `-${Number(photo) + 1}-`),
      path.replace(/-[\w-]{43}_/, `-${'A'.repeat(43)}_`),
      '/photos/private/nothing.jpg',
      '/photos/private/..%2f..%2fetc%2fpasswd',
    ];
    for (const each of altered) expect(await statusOf(each)).toBe(404);
    const [stored] = (await service.context.members.store.byId(adam.id))?.photos ?? [];
    expect(path).not.toContain(stored?.stem ?? '');
    await request(service.app).post(path).expect(405);
  });

  it('do not log an error when the client disconnects', async () => {
    const member = await man();
    const path = pathOf(await uploadPrivate(member));
    const {
      members: { store },
      logger,
    } = service.context;
    const logged = jest.spyOn(logger, 'error');
    const byPhoto = store.byPhoto.bind(store);
    const leaving = new AbortController();
    const server = service.app.listen(0, '127.0.0.1');
    const open = () =>
      new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
    const looking = jest.spyOn(store, 'byPhoto').mockImplementationOnce(async (id) => {
      leaving.abort();
      await until('the service knows', async () => !(await open()));
      return byPhoto(id);
    });
    await until('it listens', () => server.listening);
    const { port } = server.address() as AddressInfo;
    await expect(fetch(`http://127.0.0.1:${port}${path}`, { signal: leaving.signal })).rejects.toThrow(
      'aborted',
    );
    await until('it was looked for', () => looking.mock.results[0]);
    await looking.mock.results[0]?.value;
    await statusOf(path);
    expect(logged).not.toHaveBeenCalled();
    looking.mockRestore();
    logged.mockRestore();
    server.close();
  });

  it('wait for review: owner and staff see them, recipients only approved ones', async () => {
    const [adam, eve] = await Promise.all([man({ siteid: 2 }), woman()]);
    await patch(adam, { userstatus: 'approved' });
    const { id } = await uploadPrivate(adam);
    await agree(adam, eve);
    expect(await photosOf(eve, adam)).toEqual([]);
    const staff = await service.staff();
    const { body } = await staff.get('/staff/queue?kind=photo').expect(200);
    const [waiting] = body.entries.flatMap(({ photos }: { photos: { id: number }[] }) =>
      photos.filter((each) => each.id === id),
    );
    expect(waiting).toMatchObject({ private: true });
    expect(await statusOf(pathOf(waiting))).toBe(200);
    await staff.post(`/staff/photos/${id}/approve`).expect(200);
    const [seen] = await photosOf(eve, adam);
    expect(await statusOf(pathOf(seen))).toBe(200);
    await staff.post(`/staff/photos/${id}/reject`, { reason: 'No' }).expect(200);
    expect(await statusOf(pathOf(seen))).toBe(404);
    expect(await statusOf(pathOf(waiting))).toBe(200);
    // Kept for a later approval, so that the owner's archive has it.
    const { body: archive } = await adam.get('/members/self/export').expect(200);
    const [kept] = archive.photos;
    expect(kept).toMatchObject({ id, private: true, status: 'rejected' });
    for (const file of kept.files) expect(await statusOf(new URL(file).pathname)).toBe(200);
  });

  it('accept only a boolean for `private`', async () => {
    const adam = await man();
    await adam.upload(image, 'me.jpg', { private: 'perhaps' }).expect(403, { fail: 'Invalid Argument' });
    expect((await upload(adam, { private: 'false' })).private).toBe(false);
  });
});

describe('signed addresses', () => {
  it('are the same for an hour, and expire at the end of the next', () => {
    let now = new Date('2030-01-01T08:00:00Z');
    const addresses = createPhotoAddresses('http://api.test', ['secret'], () => now);
    const named = (viewer: number) =>
      `${addresses.of(viewer)({}, { id: 7 }).split('/').at(-1) ?? ''}_250.jpg`;
    const [forStaff, forMember] = [named(0), named(5)];
    const reads = (name: string) => addresses.readSigned(name) !== undefined;
    const forged = forStaff.replace(/^0-7/, '0-8');
    now = new Date('2030-01-01T08:59:59Z');
    expect([named(0), named(5)]).toEqual([forStaff, forMember]);
    now = new Date('2030-01-01T09:59:59Z');
    expect([reads(forStaff), reads(forMember), reads(forged)]).toEqual([true, true, false]);
    expect([named(0) === forStaff, named(5) === forMember]).toEqual([false, false]);
    now = new Date('2030-01-01T10:00:00Z');
    expect([reads(forStaff), reads(forMember), reads(named(5))]).toEqual([false, false, true]);
  });

  it('signed with an older secret work while it is listed', () => {
    const now = new Date('2030-01-01T08:00:00Z');
    const addressesOf = (...secrets: string[]) => createPhotoAddresses('http://api.test', secrets, () => now);
    const nameBy = (addresses: ReturnType<typeof addressesOf>) =>
      `${addresses.of(5)({}, { id: 7 }).split('/').at(-1) ?? ''}_250.jpg`;
    const [old, both, fresh] = [addressesOf('old'), addressesOf('new', 'old'), addressesOf('new')];
    expect(both.readSigned(nameBy(old))).toMatchObject({ viewer: 5, photo: 7 });
    expect(nameBy(both)).toBe(nameBy(fresh));
    expect(fresh.readSigned(nameBy(old))).toBeUndefined();
  });
});

describe('GET /photo of a member', () => {
  it('is refused like the profile, and counts no view', async () => {
    const [adam, eve, carl] = await Promise.all([man(), woman(), man()]);
    const code = async (id: unknown) =>
      (await adam.get(`/photo?profileid=${String(id)}`).expect(403)).body.failcode;
    expect(await code(carl.id)).toEqual([80002]);
    expect(await code(987_654_321)).toEqual([80013]);
    expect(await code('someone')).toEqual([80013]);
    await patch(eve, { suspended: true });
    expect(await code(eve.id)).toEqual([80014]);
    await patch(eve, { suspended: false });
    expect(await photosOf(adam, eve)).toEqual([]);
    const { body } = await eve.get('/members/self/activity').expect(200);
    expect(body.views_total).toBe(0);
    await eve.post('/block', { profileid: adam.id }).expect(200);
    expect(await code(eve.id)).toEqual([80004]);
  });

  it('of the caller is the caller’s list', async () => {
    const adam = await man();
    await uploadPrivate(adam);
    // Links change by the hour.
    const ownPhotos = async (path: string) =>
      (await adam.get(path).expect(200)).body.map((photo: object) => ({ ...photo, urlstem: undefined }));
    const own = await ownPhotos('/photo');
    expect(own).toHaveLength(1);
    for (const name of ['self', adam.id, adam.memberId])
      expect(await ownPhotos(`/photo?profileid=${name}`)).toEqual(own);
  });
});
