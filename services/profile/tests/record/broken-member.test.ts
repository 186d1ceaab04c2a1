import { redisKeys } from '@covalence/contract/redis-keys';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mongoReady } from '@covalence/runtime/mongo';
import { isUnavailableError } from '@covalence/runtime/unavailable-error';
import { createTcpProxy } from '@covalence/testing/tcp-proxy';
import { testStores } from '@covalence/testing/test-stores';
import { createContext } from '../../src/context.ts';
import { copyPresence } from '../../src/members/copy-presence.ts';
import type { MemberStore } from '../../src/members/store/member-store.ts';
import { startService, type TestMember, type ServiceUnderTest } from '../harness.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService('broken');
});
afterAll(() => service.close());

const idsOf = (members: readonly { id: number }[]) => members.map(({ id }) => id);

describe('a member whose document is broken', () => {
  it('is reported in exports, and left out of lists', async () => {
    const viewer = await service.register();
    const woman = () => service.register({ gender: 'Female', genderpreference: 'Male' });
    const [first, broken, last] = await Promise.all([woman(), woman(), woman()]);
    for (const one of [first, broken, last]) await one.post('/like', { profileid: viewer.id });
    const ids = [first.id, broken.id, last.id];
    const members = service.context.connection.model('Member').collection;
    const membership = { status: 'none', autorenew: false, expires_at: null, version: 1 };
    const spoil = (some: number[]) =>
      members.updateMany({ _id: { $in: some } as never }, { $unset: { membership: 1 } });
    const shownOf = async (some: number[]) => {
      const { status, body } = await service.internal('/internal/records', { viewer: viewer.id, ids: some });
      return status === 200 ? idsOf(body.records) : status;
    };

    await spoil([broken.id]);
    const { body } = await service.internal('/internal/projections', { ids });
    expect([idsOf(body.projections), body.broken]).toEqual([[first.id, last.id], [broken.id]]);
    const page = { after: broken.id - 1, before: broken.id + 1, limit: 2 };
    const exported = await service.internal('/internal/projections/export', page);
    expect(exported.body).toEqual({ projections: [], broken: [broken.id] });
    // Elasticsearch takes nobody without a date of birth.
    await members.updateOne({ _id: last.id as never }, { $unset: { 'fields.date_of_birth': 1 } });
    const lacking = await service.internal('/internal/projections', { ids });
    expect([idsOf(lacking.body.projections), lacking.body.broken]).toEqual([
      [first.id],
      [broken.id, last.id],
    ]);
    await members.updateOne({ _id: last.id as never }, { $set: { 'fields.date_of_birth': '1990-04-23' } });
    expect(await shownOf(ids)).toEqual([first.id, last.id]);
    expect(await shownOf([broken.id])).toEqual([]);
    const liked = await viewer.get('/members/self/activity/likedme').expect(200);
    expect(new Set(idsOf(liked.body.users))).toEqual(new Set([first.id, last.id]));

    // If no member can be shown, the cause is not a single member.
    await spoil(ids);
    expect(await shownOf(ids)).toBe(500);
    await members.updateMany({ _id: { $in: ids } as never }, { $set: { membership } });
    expect(await shownOf(ids)).toEqual(ids);
  });

  describe('next to a valid one', () => {
    let whole: TestMember;
    let broken: TestMember;
    beforeAll(async () => {
      const staff = await service.staff();
      const woman = { gender: 'Female', genderpreference: 'Male', siteid: 2 };
      const adam = await service.register({ siteid: 2 });
      [whole, broken] = await Promise.all([service.register(woman), service.register(woman)]);
      for (const { id } of [adam, whole, broken])
        await staff.post(`/staff/members/${id}/approve`).expect(200);
      for (const member of [broken, whole]) {
        await adam.post('/report', { profileid: member.id, reason: 'rude' }).expect(200);
        const about_me = 'I would rather sail than drive. '.repeat(5);
        await member.post('/members/self', { about_me }).expect(200);
      }
      const members = service.context.connection.collection('members');
      const missing = { photos: 1, presence: 1, pending: 1 };
      await members.updateOne({ _id: broken.id as never }, { $unset: missing });
    });

    it.each(['text', 'report'])('is left out of the queue of Customer Service, kind %s', async (kind) => {
      const staff = await service.staff();
      const { entries } = (await staff.get(`/staff/queue?kind=${kind}`).expect(200)).body;
      expect(idsOf(entries)).toEqual([whole.id]);
    });

    it('does not stop the copying of presence', async () => {
      const { context } = service;
      const at = Date.now() + 3_600_000;
      const key = redisKeys.seen(context.config.NAMESPACE);
      for (const { id } of [broken, whole]) await context.redis.zadd(key, at, String(id));
      await copyPresence({ ...context, clock: () => new Date(at) });
      expect((await context.members.store.byId(whole.id))?.presence.last_seen).toEqual(new Date(at));
    });

    it('differs from an outage of the store, which ends the round', async () => {
      const proxy = await createTcpProxy(testStores().MONGODB_URL);
      const { context } = service;
      const elsewhere = createContext({ ...context.config, MONGODB_URL: proxy.url });
      await mongoReady(elsewhere.connection);
      const store: MemberStore = {
        ...elsewhere.members.store,
        byIds: async (ids) => {
          const found = await elsewhere.members.store.byIds(ids);
          proxy.cut();
          return found;
        },
      };
      const at = Date.now() + 2 * 3_600_000;
      await context.redis.zadd(redisKeys.seen(context.config.NAMESPACE), at, String(whole.id));
      const copying = copyPresence({
        ...context,
        members: { ...context.members, store },
        clock: () => new Date(at),
      });
      expect(isUnavailableError(await copying.catch((error: unknown) => error))).toBe(true);
      await elsewhere.close();
      await proxy.close();
    });
  });
});
