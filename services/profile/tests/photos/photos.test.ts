import type { Event } from '@covalence/contract/events';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import request from 'supertest';
import { jpegOf } from '../support/images.ts';
import { startService, type TestMember, type ServiceUnderTest } from '../harness.ts';

let service: ServiceUnderTest;
let image: Buffer;
let live: Event[];
let indexed: Event[];
beforeAll(async () => {
  service = await startService('photos');
  image = await jpegOf(300, 300);
  live = service.gather('updates.live');
  indexed = service.gather('search.index');
});
afterAll(() => service.close());

const invalid = (...failcode: number[]) => ({
  fail: 'Invalid Argument',
  ...(failcode.length && { failcode }),
});

/** Status and body of a refusal. */
const refusal = async (call: request.Test) => {
  const { status, body } = await call;
  return [status, body];
};

const uploadMany = async (member: TestMember, count: number): Promise<number[]> => {
  const ids: number[] = [];
  for (let index = 0; index < count; index += 1) {
    ids.push((await member.upload(image).expect(200)).body.id);
  }
  return ids;
};

const idsOf = async (member: TestMember): Promise<number[]> =>
  (await member.get('/photo').expect(200)).body.map(({ id }: { id: number }) => id);

const projectionOf = async (member: TestMember) =>
  (await service.internal('/internal/projections', { ids: [member.id] }).expect(200)).body.projections[0];

const filesOf = async (stem: string) =>
  (await readdir(service.photoDir)).filter((name) => name.startsWith(stem));

const stemOf = async (member: TestMember, photo: number | undefined): Promise<string> => {
  const stored = await service.context.members.store.byId(member.id);
  return stored?.photos.find(({ id }) => id === photo)?.stem ?? 'none';
};

describe('on a site that reviews automatically', () => {
  it('the first photo is approved and primary, the next ones follow', async () => {
    const member = await service.register();
    const [first = 0, second = 0] = await uploadMany(member, 2);
    const { body } = await member.get('/photo').expect(200);
    expect(body).toMatchObject([
      { id: first, photo_primary: true, photo_pending: false },
      { id: second, photo_primary: false, photo_pending: false },
    ]);
  });

  it('another viewer sees the primary photo, and the index that there is one', async () => {
    const member = await service.register();
    const viewer = await service.register({ gender: 'Female', genderpreference: 'Male' });
    const before = await viewer.get(`/users/${member.id}`).expect(200);
    expect(before.body).toMatchObject({
      photo_count: 0,
      photo_primary: false,
      photo: { urlstem: '', extension: '' },
    });
    const [id] = await uploadMany(member, 1);
    const after = await viewer.get(`/users/${member.id}`).expect(200);
    expect(after.body).toMatchObject({ photo_count: 1, photo_primary: true, photo: { id } });
    expect(await projectionOf(member)).toMatchObject({ photo: true });
    await until('search was told', () =>
      indexed.some((event) => event.member === member.id && event.version > 1),
    );
  });
});

describe('POST /photo/primary', () => {
  let member: TestMember;
  let ids: number[];
  beforeAll(async () => {
    member = await service.register();
    ids = await uploadMany(member, 3);
  });

  it('chooses the primary photo, which comes first in the answer too', async () => {
    const { body } = await member.post('/photo/primary', { photoid: String(ids[2]) }).expect(200);
    expect(body).toMatchObject({ id: member.id, photo: { id: ids[2] }, photo_primary: true });
    expect(body.photos).toEqual((await member.get('/photo')).body);
    expect(await idsOf(member)).toEqual([ids[2], ids[0], ids[1]]);
    await member.post('/photo/primary', { photoid: ids[0] }).expect(200);
  });

  it.each([
    [{}, 11301],
    [{ photoid: '' }, 11301],
    [{ photoid: 'one' }, 11302],
    [{ photoid: [1] }, 11302],
    [{ photoid: -1 }, 11302],
    [{ photoid: 999_999 }, 11303],
    [{ photoid: 10 ** 16 }, 11303],
    [{ photoid: '9'.repeat(16) }, 11303],
  ])('%j', async (parameters, failcode) => {
    expect(await refusal(member.post('/photo/primary', parameters))).toEqual([403, invalid(failcode)]);
  });

  it("somebody else's is 11303, a pending one 403 without code", async () => {
    const other = await service.register();
    expect(await refusal(other.post('/photo/primary', { photoid: ids[0] }))).toEqual([403, invalid(11303)]);
    const manual = await service.register({ siteid: 2 });
    const [pending] = await uploadMany(manual, 1);
    expect(await refusal(manual.post('/photo/primary', { photoid: pending }))).toEqual([403, invalid()]);
  });
});

describe('POST /updatephotoorder', () => {
  let member: TestMember;
  let ids: number[];
  beforeAll(async () => {
    member = await service.register();
    ids = await uploadMany(member, 4);
  });
  const at = (place: number) => () => ids[place] ?? 0;
  const [primary, one, two, three] = [at(0), at(1), at(2), at(3)];

  it('accepts a string; the primary photo stays first', async () => {
    const list = [three(), primary(), two(), one()];
    const { body } = await member.post('/updatephotoorder', { photoids: list.join(', ') }).expect(200);
    expect(body.photos.map(({ id }: { id: number }) => id)).toEqual([primary(), three(), two(), one()]);
    expect(body).toMatchObject({ id: member.id, username: member.username });
    expect((await member.get('/photo')).body).toEqual(body.photos);
  });

  it('accepts a list, some of the photos, and a form', async () => {
    await member.post('/updatephotoorder', { photoids: [one(), String(two())] }).expect(200);
    expect(await idsOf(member)).toEqual([primary(), one(), two(), three()]);
    await member.post('/updatephotoorder', { photoids: three() }).expect(200);
    expect(await idsOf(member)).toEqual([primary(), three(), one(), two()]);
    await member
      .post('/updatephotoorder')
      .type('form')
      .send(`photoids[]=${two()}&photoids[]=${one()}`)
      .expect(200);
    expect(await idsOf(member)).toEqual([primary(), two(), one(), three()]);
  });

  it.each<[string, () => object]>([
    ['nothing', () => ({})],
    ['an empty string', () => ({ photoids: '' })],
    ['an empty list', () => ({ photoids: [] })],
    ['a word', () => ({ photoids: 'one' })],
    ['a map', () => ({ photoids: { a: 1 } })],
    ['a hole', () => ({ photoids: `${one()},,${two()}` })],
    ['an unknown one', () => ({ photoids: `${one()},999999` })],
    ['nested lists', () => ({ photoids: [[one()]] })],
  ])('%s is 403 without code, and changes nothing', async (_case, parameters) => {
    const before = await idsOf(member);
    expect(await refusal(member.post('/updatephotoorder', parameters()))).toEqual([403, invalid()]);
    expect(await idsOf(member)).toEqual(before);
  });

  it("somebody else's is 403 without code", async () => {
    const other = await service.register();
    expect(await refusal(other.post('/updatephotoorder', { photoids: one() }))).toEqual([403, invalid()]);
  });

  it('parallel orders end in one of the orders', async () => {
    const orders = [
      [one(), two(), three()],
      [three(), two(), one()],
      [two(), one(), three()],
    ];
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_none, index) =>
        member.post('/updatephotoorder', { photoids: orders[index % 3] }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
    expect(orders).toContainEqual((await idsOf(member)).slice(1));
  });
});

describe('DELETE /photo', () => {
  it('deletes by path and by parameter, with the files; the next approved one becomes primary', async () => {
    const member = await service.register();
    const ids = await uploadMany(member, 3);
    const { body } = await member.get('/photo');
    const stem = await stemOf(member, ids[0]);
    expect((await filesOf(stem)).length).toBeGreaterThan(3);
    await member.delete(`/photo/${ids[0]}`).expect(200, {});
    expect(await filesOf(stem)).toEqual([]);
    await request(service.app)
      .get(new URL(`${body[0].urlstem}_800.jpg`).pathname)
      .expect(404);
    expect((await member.get('/photo')).body).toMatchObject([
      { id: ids[1], photo_primary: true },
      { id: ids[2] },
    ]);
    await member.delete(`/photo?photoid=${ids[1]}`).expect(200, {});
    await member.delete('/photo').send({ photoid: ids[2] }).expect(200, {});
    const { body: record } = await member.get('/users/self');
    expect(record).toMatchObject({
      photo_count: 0,
      photo_primary: false,
      photo: { urlstem: '', extension: '' },
    });
    expect(await projectionOf(member)).toMatchObject({ photo: false });
    expect((await service.context.members.store.byId(member.id))?.photos).toEqual([]);
  });

  it('11301, 11302, 11303', async () => {
    const member = await service.register();
    const other = await service.register();
    const [id] = await uploadMany(other, 1);
    expect(await refusal(member.delete('/photo'))).toEqual([403, invalid(11301)]);
    expect(await refusal(member.delete('/photo/abc'))).toEqual([403, invalid(11302)]);
    expect(await refusal(member.delete('/photo?photoid=1.5'))).toEqual([403, invalid(11302)]);
    expect(await refusal(member.delete(`/photo/${id}`))).toEqual([403, invalid(11303)]);
    expect(await refusal(member.delete('/photo/999999'))).toEqual([403, invalid(11303)]);
    await other.delete(`/photo/${id}`).expect(200);
    expect(await refusal(other.delete(`/photo/${id}`))).toEqual([403, invalid(11303)]);
  });
});

const decide = async (photo: number, decision: 'approve' | 'reject') => {
  const staff = await service.staff();
  const { status, body } = await staff.post(`/staff/photos/${photo}/${decision}`, { reason: 'No' });
  return status === 200 ? (body.changed as boolean) : status;
};

describe('review on a manual site', () => {
  it('a waiting photo is visible to its owner, not to others', async () => {
    const member = await service.register({ siteid: 2 });
    const ids = await uploadMany(member, 2);
    const own = await member.get('/users/self');
    expect(own.body).toMatchObject({
      photo_count: 0,
      photo_pending: true,
      photopending: 1,
      photo_primary: false,
      photo: { id: ids[0] },
    });
    expect(await projectionOf(member)).toMatchObject({ photo: false });

    expect(await decide(ids[1] ?? 0, 'approve')).toBe(true);
    expect(await decide(ids[1] ?? 0, 'approve')).toBe(false);
    expect((await member.get('/photo')).body).toMatchObject([
      { id: ids[1], photo_pending: false, photo_primary: true },
      { id: ids[0], photo_pending: true, photo_primary: false },
    ]);
    expect((await member.get('/users/self')).body).toMatchObject({
      photo_count: 1,
      photo_pending: false,
      photo_primary: true,
      photo: { id: ids[1] },
    });
    expect(await projectionOf(member)).toMatchObject({ photo: true });
  });

  it('staff read the caption; one with contact data waits on every site', async () => {
    const staff = await service.staff();
    const waiting = async (member: TestMember) => {
      const { body } = await staff.get('/staff/queue?kind=photo&pagesize=100').expect(200);
      return body.entries.find(({ id }: { id: number }) => id === member.id)?.photos;
    };
    const reviewed = await service.register({ siteid: 2 });
    await reviewed.upload(image, 'a.jpg', { caption: 'By the lake' }).expect(200);
    expect(await waiting(reviewed)).toMatchObject([{ caption: 'By the lake' }]);

    const member = await service.register();
    const plain = await member.upload(image, 'a.jpg', { caption: 'By the lake' });
    const caption = 'Write to ada at example dot com';
    const contact = await member.upload(image, 'a.jpg', { caption });
    expect([plain.body.photo_pending, contact.body.photo_pending]).toEqual([false, true]);
    expect(await waiting(member)).toMatchObject([{ id: contact.body.id, caption }]);
    const shown = await staff.get(`/staff/members/${member.id}`).expect(200);
    expect(shown.body.photos).toMatchObject([{ caption: 'By the lake' }, { caption }]);
  });

  it('a caption has at most 255 characters, and is empty where it shows nothing', async () => {
    const member = await service.register();
    const waves = '👋'.repeat(255);
    const captions = [waves, 'cafe\u0301', '\u200b'];
    for (const caption of captions) await member.upload(image, 'a.jpg', { caption }).expect(200);
    const { body } = await member.get('/photo').expect(200);
    expect(body.map(({ caption }: { caption: string }) => caption)).toEqual([waves, 'caf\u00e9', '']);
  });

  it('a rejected one disappears until it is approved; unknown ones are 404', async () => {
    const member = await service.register({ siteid: 2 });
    const [first = 0, second = 0] = await uploadMany(member, 2);
    await decide(first, 'approve');
    await decide(second, 'approve');
    expect(await decide(first, 'reject')).toBe(true);
    expect((await member.get('/photo')).body).toMatchObject([{ id: second, photo_primary: true }]);
    expect(await decide(first, 'approve')).toBe(true);
    expect(await idsOf(member)).toEqual([second, first]);
    expect(await decide(999_999, 'approve')).toBe(404);
    await member.delete(`/photo/${first}`).expect(200);
    expect(await decide(first, 'reject')).toBe(404);
  });

  it('notifies the owner of every step', async () => {
    const member = await service.register({ siteid: 2 });
    const [first = 0, second = 0] = await uploadMany(member, 2);
    await decide(first, 'approve');
    await decide(second, 'reject');
    await member.delete(`/photo/${first}`).expect(200);
    const told = () =>
      live
        .filter(({ member: of, type }) => of === member.id && type === 'photo.changed')
        .map(({ type, data }) => ({ type, ...data }));
    await until('five updates', () => told().length === 5);
    const told5 = [
      { photo: first, status: 'pending', primary: false },
      { photo: second, status: 'pending', primary: false },
      { photo: first, status: 'approved', primary: true },
      { photo: second, status: 'rejected', primary: false },
      { photo: first, status: 'deleted', primary: false },
    ].map((each) => ({ type: 'photo.changed', ...each }));
    expect(told()).toEqual(expect.arrayContaining(told5));
  });
});

describe('GET /photo', () => {
  it('is an array, empty at first, and needs a token', async () => {
    const member = await service.register();
    expect((await member.get('/photo').expect(200)).body).toEqual([]);
    await request(service.app).get('/photo').expect(401);
  });
});
