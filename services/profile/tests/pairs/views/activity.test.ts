import type { Event } from '@covalence/contract/events';
import { redisKeys } from '@covalence/contract/redis-keys';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type TestMember, type ServiceUnderTest } from '../../harness.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService('activity-lists');
});
afterAll(() => service.close());

const man = (fields: object = {}) => service.register(fields);
const woman = (fields: object = {}) =>
  service.register({ gender: 'Female', genderpreference: 'Male', ...fields });
const several = (count: number) => Promise.all(Array.from({ length: count }, () => man()));

interface Listed {
  readonly id: number;
  readonly at: string;
}

/** All pages of a list, two at a time. */
const listed = async (viewer: TestMember, page: string): Promise<Listed[]> => {
  const users: Listed[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor && `&cursor=${cursor}`;
    const { body } = await viewer.get(`/members/self/activity/${page}?pagesize=2${query}`).expect(200);
    expect(body.users.length).toBeLessThanOrEqual(2);
    users.push(...body.users);
    cursor = body.next;
  }
  return users;
};
const ids = async (viewer: TestMember, page: string) => (await listed(viewer, page)).map(({ id }) => id);

describe('GET /members/self/activity/{page}', () => {
  it('lists received likes and connections, newest first', async () => {
    const [eve, men] = [await woman(), await several(5)];
    for (const one of men) {
      service.advance(1_000);
      await one.post('/like', { profileid: eve.id }).expect(200);
    }
    const newest = men.map(({ id }) => id).toReversed();
    await expect(ids(eve, 'likedme')).resolves.toEqual(newest);
    await expect(ids(eve, 'connections')).resolves.toEqual([]);
    for (const one of men.slice(0, 3)) {
      service.advance(1_000);
      await eve.post('/like', { profileid: one.id }).expect(200);
    }
    await expect(ids(eve, 'likedme')).resolves.toEqual(newest.slice(0, 2));
    await expect(ids(eve, 'connections')).resolves.toEqual(newest.slice(2));
    const [entry] = await listed(eve, 'connections');
    expect(entry).toMatchObject({ covalence: 'mutual', isconnection: true });
    expect(entry).toMatchObject({ covalencedateanswered: entry?.at });
    await expect(ids(men[0] ?? eve, 'connections')).resolves.toEqual([eve.id]);
  });

  it('pages through connections with lower and higher ids, also of the same time', async () => {
    const earlier = await several(3);
    const eve = await woman();
    const later = await several(3);
    const all = [...earlier, ...later];
    for (const one of all) {
      await one.post('/like', { profileid: eve.id });
      await eve.post('/like', { profileid: one.id });
    }
    const at = new Date(Date.now() - 5_000);
    const filter = { $or: [{ low: eve.id }, { high: eve.id }] };
    await service.context.connection.collection('pairs').updateMany(filter, { $set: { connected_at: at } });
    const found = await ids(eve, 'connections');
    expect(found).toHaveLength(6);
    expect(new Set(found)).toEqual(new Set(all.map(({ id }) => id)));
  });

  it('lists each viewer once, with the last view', async () => {
    const [eve, men] = [await woman(), await several(3)];
    const [first, second, third] = men;
    for (const one of [first, second, third, first]) {
      service.advance(1_000);
      await one?.get(`/users/${eve.id}`).expect(200);
    }
    await expect(ids(eve, 'views')).resolves.toEqual([first?.id, third?.id, second?.id]);
  });

  it('leaves out members whose profile the caller may not open', async () => {
    const [eve, [adam, ben]] = [await woman(), await several(2)];
    await adam?.post('/like', { profileid: eve.id });
    await ben?.post('/like', { profileid: eve.id });
    await adam?.post('/members/self', { searchable: false }).expect(200);
    await expect(ids(eve, 'likedme')).resolves.toEqual([ben?.id]);
  });

  it('counts the members whom it lists', async () => {
    const [eve, men] = [await woman({ siteid: 1 }), await several(8)];
    const [likes, connected] = [men.slice(0, 4), men.slice(4)];
    for (const one of men) await one.post('/like', { profileid: eve.id }).expect(200);
    for (const one of connected) await eve.post('/like', { profileid: one.id }).expect(200);
    const counters = async () => {
      const { body } = await eve.get('/members/self/activity').expect(200);
      const { likedme_total, likedme_since_reset, connections_total, connections_since_reset } = body;
      return [likedme_total, likedme_since_reset, connections_total, connections_since_reset];
    };
    const lists = async () => {
      const [received, mutual] = [await ids(eve, 'likedme'), await ids(eve, 'connections')];
      return [received.length, received.length, mutual.length, mutual.length];
    };
    expect(await counters()).toEqual([4, 4, 4, 4]);
    for (const [first, second, third] of [likes, connected]) {
      await first?.post('/members/self', { searchable: false }).expect(200);
      await second?.post('/members/self', { deactivated: true }).expect(200);
      await service.context.members.store.change(third?.id ?? 0, () => ({ suspended: true }));
    }
    expect(await counters()).toEqual([1, 1, 1, 1]);
    expect(await lists()).toEqual([1, 1, 1, 1]);
    for (const [first] of [likes, connected])
      await first?.post('/members/self', { searchable: true }).expect(200);
    expect(await counters()).toEqual([2, 2, 2, 2]);
    expect(await lists()).toEqual([2, 2, 2, 2]);
  });

  it('refuses other pages, sizes and cursors without code', async () => {
    const eve = await woman();
    const queries = ['everyone', 'views?pagesize=101', 'views?cursor=1', 'views?cursor[$gt]=1'];
    for (const query of queries) {
      const { status, body } = await eve.get(`/members/self/activity/${query}`);
      expect({ status, body }).toEqual({ status: 403, body: { fail: 'Invalid Argument' } });
    }
  });
});

const connection = () => service.context.connection;

const indexes = async (name: string) =>
  (await connection().collection(name).listIndexes().toArray()).map((index) => String(index['name']));

describe('the indexes of the activity lists', () => {
  it('match the order of the lists', async () => {
    expect((await indexes('views')).toSorted()).toEqual(['_id_', 'viewed_1_at_1__id_1', 'viewer_1']);
    expect(await indexes('pairs')).toEqual(
      expect.arrayContaining([
        'low_1_connected_at_1__id_1',
        'high_1_connected_at_1__id_1',
        'awaits_1_awaits_at_1__id_1',
      ]),
    );
  });
});

const recipients = async (...ids: number[]) =>
  (await service.internal('/internal/presence/recipients', { ids })).body.members;
const connect = async (one: TestMember, other: TestMember) => {
  await one.post('/like', { profileid: other.id }).expect(200);
  await other.post('/like', { profileid: one.id }).expect(200);
};
/** Far ahead, as the service's clock is. */
const openSocket = (member: TestMember) =>
  service.context.redis.zadd(
    redisKeys.present(service.context.config.NAMESPACE),
    Date.now() + 1e12,
    String(member.id),
  );

describe('the recipients of presence', () => {
  let events: Event[];
  beforeAll(() => {
    events = service.gather('updates.live');
  });
  it('are the connections with an open socket that may open the profile', async () => {
    const member = await woman();
    const [connected, away, stranger, liked, blocked, blocks, left, gone] = await Promise.all(
      Array.from({ length: 8 }, () => service.register()),
    );
    if (!connected || !away || !stranger || !liked || !blocked || !blocks || !left || !gone)
      throw new Error();
    for (const each of [connected, away, blocked, blocks, left, gone]) await connect(each, member);
    await liked.post('/like', { profileid: member.id }).expect(200);
    for (const each of [connected, stranger, liked, blocked, blocks, left, gone]) await openSocket(each);
    await member.post('/block', { profileid: blocked.id }).expect(200);
    await blocks.post('/block', { profileid: member.id }).expect(200);
    await left.post('/unlike', { profileid: member.id }).expect(200);
    await gone.post('/members/self', { deactivated: true }).expect(200);
    expect(await recipients(member.id, connected.id, 987_654)).toEqual([
      { id: member.id, shown: true, recipients: [connected.id] },
      { id: connected.id, shown: true, recipients: [] },
    ]);
  });

  it.each([
    ['sets offline', { online: false }],
    ['hides', { searchable: false }],
    ['deactivates', { deactivated: true }],
  ])('hears no more of one who %s, but that they are not online', async (_how, change) => {
    const [member, connected] = [await woman(), await service.register()];
    await connect(connected, member);
    await openSocket(connected);
    await member.post('/members/self', change).expect(200);
    expect(await recipients(member.id)).toEqual([
      { id: member.id, shown: false, recipients: [connected.id] },
    ]);
    await until('it is told', () =>
      events.some((event) => event.type === 'presence.changed' && event.member === member.id),
    );
  });

  it('are empty where the profile cannot be opened or the member is deleted', async () => {
    const [member, connected] = [await woman(), await service.register()];
    await connect(connected, member);
    await openSocket(connected);
    await service.context.members.store.change(connected.id, ({ fields }) => ({
      fields: { ...fields, gender_preference: 'Male' },
    }));
    expect(await recipients(member.id)).toEqual([{ id: member.id, shown: true, recipients: [] }]);
    await service.context.members.store.change(member.id, () => ({ deleted: true }));
    expect(await recipients(member.id)).toEqual([]);
  });
});
