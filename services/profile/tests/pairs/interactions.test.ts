import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Event } from '@covalence/contract/events';
import type { MemberPatch } from '../../src/members/store/member-store.ts';
import { strangers } from '../../src/pairs/pair.ts';
import { startService, type TestMember, type ServiceUnderTest } from '../harness.ts';

let service: ServiceUnderTest;
let live: Event[];
beforeAll(async () => {
  service = await startService('interactions');
  live = service.gather('updates.live');
});
afterAll(() => service.close());

const man = (fields: object = {}) => service.register(fields);
const woman = (fields: object = {}) =>
  service.register({ gender: 'Female', genderpreference: 'Male', ...fields });
const couple = () => Promise.all([man(), woman()]);

const covalence = async (viewer: TestMember, other: TestMember) => {
  const { body } = await viewer.get(`/users/${other.id}`);
  return body.covalence;
};
const told = (by: TestMember, other: TestMember) =>
  live.filter(({ member, data }) => member === by.id && 'other' in data && data.other === other.id);
const toldTypes = (by: TestMember, other: TestMember) => told(by, other).map(({ type }) => type);

const patch = (member: TestMember, change: MemberPatch) =>
  service.context.members.store.change(member.id, () => change);

const dayMs = 86_400_000;

describe('likes', () => {
  // From noon on, so that no day ends while they are counted.
  beforeAll(() => {
    const now = service.context.clock().getTime();
    service.advance(1.5 * dayMs - (now % dayMs));
  });

  it('go from liked to mutual, with notifications and counters', async () => {
    const [adam, eve] = await couple();
    const liked = await adam.post('/like', { profileid: eve.id });
    expect(liked.status).toBe(200);
    expect(liked.body).toMatchObject({ connections_total: 0, likedme_total: 0 });
    await expect(covalence(eve, adam)).resolves.toBe('likedme');
    await until('pair.liked', () => toldTypes(adam, eve).includes('pair.liked'));

    const back = await eve.post('/like', { profileid: adam.memberId.toUpperCase() }).type('form');
    expect(back.body).toMatchObject({ connections_total: 1, connections_since_reset: 1, likedme_total: 0 });
    await expect(covalence(adam, eve)).resolves.toBe('mutual');
    await until('pair.mutual to both', () =>
      [toldTypes(adam, eve), toldTypes(eve, adam)].every((types) => types.includes('pair.mutual')),
    );
  });

  it('are idempotent', async () => {
    const [adam, eve] = await couple();
    for (let time = 0; time < 3; time += 1) await adam.post('/like', { profileid: eve.id });
    const { body } = await eve.post('/members/self/activity/reset/views');
    expect(body).toMatchObject({ likedme_total: 1, likedme_since_reset: 1 });
    await until('the outbox to be empty', async () => {
      const pair = await service.context.connection
        .collection('pairs')
        .findOne({ low: adam.id, high: eve.id });
      return pair && !pair['outboxAt'];
    });
    expect(toldTypes(adam, eve)).toEqual(['pair.liked']);
  });

  it('of two members at once make exactly one connection', async () => {
    const pairs = await Promise.all(Array.from({ length: 4 }, couple));
    for (const [adam, eve] of pairs) {
      await Promise.all([
        adam.post('/like', { profileid: eve.id }),
        eve.post('/like', { profileid: adam.id }),
        adam.post('/like', { profileid: eve.id }),
      ]);
      await expect(covalence(adam, eve)).resolves.toBe('mutual');
      await until('both are told', () =>
        [toldTypes(adam, eve), toldTypes(eve, adam)].every((types) => types.includes('pair.mutual')),
      );
      const types = [...toldTypes(adam, eve), ...toldTypes(eve, adam)];
      expect(types.filter((type) => type === 'pair.mutual')).toHaveLength(2);
      expect(types.filter((type) => type === 'pair.liked')).toHaveLength(1);
    }
  });

  it('stop at the daily limit, reset the next day, and do not count repeated likes', async () => {
    const viewer = await man({ siteid: 4 });
    const others = await Promise.all(Array.from({ length: 5 }, () => woman({ siteid: 4 })));
    const like = async (index: number) => {
      const { status, body } = await viewer.post('/like', { profileid: others[index]?.id });
      return body.failcode ?? status;
    };
    const results = [await like(0), await like(0), await like(1), await like(2), await like(3)];
    expect(results).toEqual([200, 200, 200, 200, [50001]]);
    await patch(viewer, {
      membership: {
        status: 'active',
        autorenew: false,
        expires_at: new Date(Date.now() + 7 * dayMs),
        version: 1,
      },
    });
    await expect(like(3)).resolves.toBe(200);
    await patch(viewer, { membership: { status: 'none', autorenew: false, expires_at: null, version: 2 } });
    await expect(like(4)).resolves.toEqual([50001]);
    service.advance(dayMs);
    await expect(like(4)).resolves.toBe(200);
  });

  it('are counted by the member’s local day, without failed ones', async () => {
    const viewer = await man({ siteid: 4, timezone: 'Pacific/Kiritimati' });
    const others = await Promise.all(Array.from({ length: 4 }, () => woman({ siteid: 4 })));
    const like = async (index: number) => {
      const { status, body } = await viewer.post('/like', { profileid: others[index]?.id });
      return body.failcode ?? status;
    };
    const failed = jest.spyOn(service.context.pairs.store, 'act').mockRejectedValueOnce(new Error('no pair'));
    expect(await like(0)).toBe(500);
    failed.mockRestore();
    expect([await like(0), await like(1), await like(2), await like(3)]).toEqual([200, 200, 200, [50001]]);
    // From two in the morning there to three in the afternoon; in Greenwich it is tomorrow.
    service.advance(13 * 3_600_000);
    expect(await like(3)).toEqual([50001]);
    service.advance(11 * 3_600_000);
    expect(await like(3)).toBe(200);
  });

  it('at once stay within the limit', async () => {
    const viewer = await man({ siteid: 4 });
    const others = await Promise.all(Array.from({ length: 6 }, () => woman({ siteid: 4 })));
    const answers = await Promise.all(others.map(({ id }) => viewer.post('/like', { profileid: id })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  });
});

const code = async (viewer: TestMember, profileid: unknown) =>
  (await viewer.post('/like', { profileid })).body.failcode;

describe('refusals', () => {
  it('carry the matching code, for a like and for the profile', async () => {
    const viewer = await man();
    const other = await woman();
    const cases: [MemberPatch, number][] = [
      [{ deleted: true }, 80003],
      [{ suspended: true }, 80014],
      [{ userstatus: 'new' }, 80062],
      [{ userstatus: 'rejected' }, 80063],
      [{ deactivated: true }, 80064],
    ];
    for (const [change, expected] of cases) {
      await patch(other, change);
      await expect(code(viewer, other.id)).resolves.toEqual([expected]);
      const { status, body } = await viewer.get(`/users/${other.id}`);
      expect({ status, body }).toEqual({
        status: 403,
        body: { fail: 'Invalid Argument', failcode: [expected] },
      });
      await patch(other, { deleted: false, suspended: false, userstatus: 'approved', deactivated: false });
    }
    await other.post('/members/self', { searchable: false });
    await expect(code(viewer, other.id)).resolves.toEqual([80061]);
  });

  it.each([
    ['deleted their profile', (other: TestMember) => other.delete('/members/self'), 80003],
    ['deactivated it', (other: TestMember) => other.post('/members/self', { deactivated: true }), 80064],
  ])('of a member who %s are the same for a view, a like and a message', async (_name, leave, expected) => {
    const [viewer, subscriber, connection] = await Promise.all([man(), man(), man()]);
    const other = await woman();
    const expires_at = new Date(Date.now() + 7 * dayMs);
    await patch(subscriber, { membership: { status: 'active', autorenew: false, expires_at, version: 1 } });
    await connection.post('/like', { profileid: other.id }).expect(200);
    await other.post('/like', { profileid: connection.id }).expect(200);
    await leave(other).expect(200);
    for (const one of [viewer, subscriber, connection]) {
      const answers = await Promise.all([
        one.get(`/users/${other.id}`),
        one.get(`/photo?profileid=${other.id}`),
        // The connection's like is a repeated one.
        one.post('/like', { profileid: other.id }),
        one.post('/messages', { profileid: other.id, text: 'hello' }),
      ]);
      expect(answers.map(({ body }) => body.failcode)).toEqual(answers.map(() => [expected]));
    }
  });

  it('carry the code of a block that came after the like was checked, and do not count', async () => {
    const [adam, eve] = await couple();
    await eve.post('/block', { profileid: adam.id }).expect(200);
    const { store } = service.context.pairs;
    const read = jest.spyOn(store, 'read').mockResolvedValueOnce({ sides: strangers, version: undefined });
    const { status, body } = await adam.post('/like', { profileid: eve.id });
    read.mockRestore();
    expect([status, body.failcode]).toEqual([403, [80004]]);
    expect(await service.context.pairs.quotas.likes.read(adam.id)).toMatchObject({ used: 0 });
  });

  it('cover oneself, genders, unknown members and other sites', async () => {
    const viewer = await man();
    await expect(code(viewer, viewer.id)).resolves.toEqual([80001]);
    await expect(code(viewer, (await man()).id)).resolves.toEqual([80002]);
    await expect(code(viewer, 123_456_789)).resolves.toEqual([80013]);
    await expect(code(viewer, 'nobody')).resolves.toEqual([80013]);
    await expect(code(viewer, { $gt: 0 })).resolves.toEqual([80013]);
    for (const path of ['/like', '/block', '/messages']) {
      for (const profileid of [undefined, '', null]) {
        const missing = await viewer.post(path, { profileid, text: 'hello' });
        expect([missing.status, missing.body]).toEqual([403, { fail: 'Invalid Argument' }]);
      }
    }
    const elsewhere = await woman({ siteid: 3 });
    await expect(code(viewer, elsewhere.id)).resolves.toEqual([80007]);
    await elsewhere.post('/members/self', { world_plus: 'opted-in' });
    await expect(code(viewer, elsewhere.id)).resolves.toBeUndefined();
    const alone = await woman({ siteid: 4, world_plus: 'opted-in' });
    await expect(code(viewer, alone.id)).resolves.toEqual([80007]);
    // Nor does a site without World Plus reach those who opted in on one with it.
    await expect(code(await man({ siteid: 4 }), elsewhere.id)).resolves.toEqual([80007]);
  });
});

describe('decline, unlike and block', () => {
  it('decline answers a like, notifies, and lowers the counter', async () => {
    const [adam, eve] = await couple();
    await adam.post('/like', { profileid: eve.id });
    const { status, body } = await eve.post('/decline', { profileid: adam.id });
    expect({ status, likedme: body.likedme_total }).toEqual({ status: 200, likedme: 0 });
    await expect(covalence(adam, eve)).resolves.toBe('declinedme');
    await until('pair.declined', () => toldTypes(eve, adam).includes('pair.declined'));
  });

  it('decline of an unknown member is 403 without code', async () => {
    const viewer = await man();
    for (const profileid of [undefined, '', 'x', 123_456_789, viewer.id]) {
      const { status, body } = await viewer.post('/decline', { profileid });
      expect({ status, body }).toEqual({ status: 403, body: { fail: 'Invalid Argument' } });
    }
  });

  it('unlike withdraws a connection and keeps the other’s like', async () => {
    const [adam, eve] = await couple();
    await adam.post('/like', { profileid: eve.id });
    await eve.post('/like', { profileid: adam.id });
    const { body } = await eve.post('/unlike', { profileid: adam.id });
    expect(body).toMatchObject({ connections_total: 0, likedme_total: 0 });
    await expect(covalence(eve, adam)).resolves.toBe('unliked');
    await expect(covalence(adam, eve)).resolves.toBe('liked');
  });

  it('block hides the blocker, unblock restores no like', async () => {
    const [adam, eve] = await couple();
    await adam.post('/like', { profileid: eve.id });
    await eve.post('/like', { profileid: adam.id });
    const { status, body } = await eve.post('/block', { profileid: adam.id });
    expect({ status, body }).toEqual({ status: 200, body: {} });
    expect((await adam.get(`/users/${eve.id}`)).body.failcode).toEqual([80004]);
    expect((await adam.post('/like', { profileid: eve.id })).body.failcode).toEqual([80004]);
    expect((await eve.post('/like', { profileid: adam.id })).body.failcode).toEqual([80005]);
    expect((await eve.get(`/users/${adam.id}`)).body).toMatchObject({ blocked: 'them', covalence: 'none' });
    await eve.post('/unblock', { profileid: adam.id });
    expect((await adam.get(`/users/${eve.id}`)).body).toMatchObject({ blocked: 'none', covalence: 'none' });
  });
});

describe('GET /users/{profileid}', () => {
  it('answers by number and UUID, counts the view and notifies', async () => {
    const [adam, eve] = await couple();
    for (const id of [eve.id, eve.memberId]) {
      const { status, body } = await adam.get(`/users/${id}`);
      expect({ status, id: body.id, email: body.email }).toEqual({
        status: 200,
        id: eve.id,
        email: undefined,
      });
    }
    await until('pair.viewed', () => toldTypes(adam, eve).includes('pair.viewed'));
    const counters = await eve.post('/members/self/activity/reset/likedme');
    expect(counters.body).toMatchObject({ views_total: 2, views_since_reset: 2 });
  });

  it('is the own record for `self` and the own ids, without a view', async () => {
    const eve = await woman();
    for (const id of ['self', eve.id, eve.memberId]) {
      const { body } = await eve.get(`/users/${id}`);
      expect(body).toMatchObject({ id: eve.id, email: expect.stringContaining('@') });
    }
    const { body } = await eve.post('/members/self/activity/reset/connections');
    expect(body.views_total).toBe(0);
  });

  it('answers 80013 for an unknown member and 401 for a token of none', async () => {
    const adam = await man();
    expect((await adam.get('/users/123456789')).body.failcode).toEqual([80013]);
    const ghost = await service.caller(987_654, adam.memberId, 'ghost');
    await expect(ghost.get('/users/self')).resolves.toMatchObject({ status: 401 });
  });
});

describe('resets', () => {
  it('reset the counter of each page and keep the totals', async () => {
    const [adam, eve] = await couple();
    await adam.post('/like', { profileid: eve.id });
    await adam.get(`/users/${eve.id}`);
    const likedme = await eve.post('/members/self/activity/reset/likedme');
    expect(likedme.body).toMatchObject({ likedme_since_reset: 0, likedme_total: 1, views_since_reset: 1 });
    const views = await eve.post('/members/self/activity/reset/views');
    expect(views.body).toMatchObject({ views_since_reset: 0, views_total: 1 });
    service.advance(10);
    await eve.post('/like', { profileid: adam.id });
    const connections = await eve.post('/members/self/activity/reset/connections');
    expect(connections.body).toMatchObject({ connections_since_reset: 0, connections_total: 1 });
    const unknown = await eve.post('/members/self/activity/reset/everything');
    expect(unknown.status).toBe(403);
  });
});
