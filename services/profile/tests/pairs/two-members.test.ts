import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type ServiceUnderTest, type TestMember } from '../harness.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService('two-members');
});
afterAll(() => service.close());

const couple = async (): Promise<[TestMember, TestMember]> => [
  await service.register(),
  await service.register({ gender: 'Female', genderpreference: 'Male' }),
];

type Call = (caller: TestMember, profileid: number | string) => ReturnType<TestMember['get']>;

const onOthers: readonly (readonly [name: string, call: Call])[] = [
  ['GET /users/{profileid}', (caller, profileid) => caller.get(`/users/${profileid}`)],
  ['GET /photo', (caller, profileid) => caller.get(`/photo?profileid=${profileid}`)],
  ['POST /like', (caller, profileid) => caller.post('/like', { profileid })],
  ['POST /unlike', (caller, profileid) => caller.post('/unlike', { profileid })],
  ['POST /decline', (caller, profileid) => caller.post('/decline', { profileid })],
  ['POST /pass', (caller, profileid) => caller.post('/pass', { profileid })],
  ['POST /report', (caller, profileid) => caller.post('/report', { profileid })],
  ['POST /messages', (caller, profileid) => caller.post('/messages', { profileid, text: 'Hello' })],
  ['GET /messages/{profileid}', (caller, profileid) => caller.get(`/messages/${profileid}`)],
  [
    'POST /members/self/photosharing',
    (caller, profileid) => caller.post('/members/self/photosharing', { profileid, send: true }),
  ],
];

const ofOneself: readonly (readonly [name: string, call: Call])[] = [
  ['GET /users/self', (caller) => caller.get('/users/self')],
  ['GET /messages', (caller) => caller.get('/messages')],
  ['GET /members/self/activity', (caller) => caller.get('/members/self/activity')],
  ...['connections', 'likedme', 'views'].map((page) => {
    const call: Call = (caller) => caller.get(`/members/self/activity/${page}`);
    return [`GET /members/self/activity/${page}`, call] as const;
  }),
];

describe.each([...onOthers, ...ofOneself])('%s', (name, call) => {
  const unknownCaller = name === 'POST /messages' ? 403 : 401;

  it.each(['number', 'UUID'] as const)(
    'refuses inactive callers at once, by the %s of the other',
    async (by) => {
      const [adam, eve] = await couple();
      const { store } = service.context.members;
      const profileid = by === 'number' ? eve.id : eve.memberId;
      await store.change(adam.id, () => ({ deactivated: true }));
      const refused = await call(adam, profileid);
      expect([refused.status, refused.body.fail]).toEqual([403, 'Deactivated']);
      await store.change(adam.id, () => ({ deactivated: false, suspended: true }));
      expect((await call(adam, profileid)).status).toBe(401);
      const ended = new Date(service.context.clock().getTime() + 60_000);
      await store.change(adam.id, () => ({ suspended: false, tokens_ended_at: ended }));
      expect((await call(adam, profileid)).status).toBe(401);
      await store.change(adam.id, () => ({ tokens_ended_at: undefined, deleted: true }));
      expect((await call(adam, profileid)).status).toBe(unknownCaller);
      const impostor = await service.caller(eve.id, adam.memberId, 'impostor');
      expect((await call(impostor, adam.id)).status).toBe(unknownCaller);
      await expect(service.context.pairs.store.read(adam.id, eve.id)).resolves.toMatchObject({
        version: undefined,
      });
    },
  );
});

describe('a profileid', () => {
  it.each([
    ['POST /like', 80001],
    ['POST /unlike', 80001],
    ['POST /pass', 80001],
    ['POST /report', 80001],
    ['POST /messages', 80001],
    ['GET /messages/{profileid}', 80001],
  ])('of the caller is refused by %s, in each form', async (name, code) => {
    const call = new Map(onOthers).get(name);
    const adam = await service.register();
    for (const profileid of [adam.id, String(adam.id), adam.memberId]) {
      const { body } = (await call?.(adam, profileid)) ?? {};
      expect(body).toMatchObject({ failcode: [code] });
    }
  });

  it('of the caller gives the own record and photos', async () => {
    const adam = await service.register();
    for (const profileid of [adam.id, adam.memberId]) {
      const { body } = await adam.get(`/users/${profileid}`).expect(200);
      expect(body).toMatchObject({ id: adam.id, email: expect.any(String) });
      await adam.get(`/photo?profileid=${profileid}`).expect(200, []);
    }
  });

  it.each([
    'POST /like',
    'POST /unlike',
    'POST /messages',
    'GET /users/{profileid}',
    'GET /messages/{profileid}',
  ])('of an erased member is unknown to %s', async (name) => {
    const call = new Map(onOthers).get(name);
    const [adam, eve] = await couple();
    await service.context.connection.collection<{ _id: number }>('members').deleteOne({ _id: eve.id });
    for (const profileid of [eve.id, eve.memberId]) {
      const { body } = (await call?.(adam, profileid)) ?? {};
      expect(body).toMatchObject({ failcode: [80013] });
    }
  });
});

/** The collections that a call queries about some members, in any order. */
const queriedBy = async (members: readonly TestMember[], call: () => PromiseLike<{ status: number }>) => {
  const queried: string[] = [];
  const ids = members.map(({ id }) => id);
  const isAbout = (value: unknown): boolean =>
    ids.some((id) => value === id || (typeof value === 'string' && value.split(':').includes(String(id)))) ||
    (typeof value === 'object' && value !== null && Object.values(value).some(isAbout));
  service.context.connection.set('debug', (collection: string, method: string, filter: unknown) => {
    if (/^(find|count|aggregate)/.test(method) && isAbout(filter)) queried.push(collection);
  });
  const { status } = await call();
  service.context.connection.set('debug', false);
  expect(status).toBe(200);
  return queried.toSorted((one, other) => one.localeCompare(other));
};

describe('one query', () => {
  it('reads the caller and the members of a list, and one their pairs', async () => {
    const [adam, eve] = await couple();
    await eve.post('/like', { profileid: adam.id }).expect(200);
    const both = [adam, eve];
    const liked = () => adam.get('/members/self/activity/likedme');
    await expect(queriedBy(both, liked)).resolves.toEqual(['members', 'pairs']);
    const counters = () => adam.get('/members/self/activity');
    await expect(queriedBy(both, counters)).resolves.toEqual(['activity', 'members', 'pairs', 'pairs']);
  });

  it('reads the caller and the member whom a number names', async () => {
    const [adam, eve] = await couple();
    const both = [adam, eve];
    await expect(queriedBy(both, () => adam.get(`/users/${eve.id}`))).resolves.toEqual(['members', 'pairs']);
    await expect(queriedBy(both, () => adam.get(`/messages/${eve.id}`))).resolves.toEqual([
      'members',
      'messages',
    ]);
  });

  it('reads the last messages of all threads, and one counts what is unread of each', async () => {
    const [adam, eve] = await couple();
    const joy = await service.register({ gender: 'Female', genderpreference: 'Male' });
    for (const each of [eve, joy]) {
      await each.post('/like', { profileid: adam.id }).expect(200);
      await adam.post('/like', { profileid: each.id }).expect(200);
      await each.post('/messages', { profileid: adam.id, text: 'Hello' }).expect(200);
    }
    const everyone = [adam, eve, joy];
    await expect(queriedBy(everyone, () => adam.get('/messages'))).resolves.toEqual([
      'members',
      'messages',
      'messages',
      'messages',
      'pairs',
      'threads',
    ]);
  });
});
