import type { Event } from '@covalence/contract/events';
import { redisKeys } from '@covalence/contract/redis-keys';
import { newEvent } from '@covalence/events/new-event';
import { createPublisher } from '@covalence/events/publisher';
import { mongoReady } from '@covalence/runtime/mongo';
import { until } from '@covalence/testing/until';
import { admittedAuthorization } from '@covalence/testing/service-tokens';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { createApp } from '../../src/app.ts';
import { createContext } from '../../src/context.ts';
import { copyPresence } from '../../src/members/copy-presence.ts';
import { excludedFrom } from '../support/excluded.ts';
import { registration, startService, type TestMember, type ServiceUnderTest } from '../harness.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService('internal');
});
afterAll(() => service.close());

const woman = (fields: object = {}) =>
  service.register({ gender: 'Female', genderpreference: 'Male', ...fields });

const internal = async (path: string, body: object) => {
  const response = await service.internal(path, body);
  return { status: response.status, body: response.body };
};

const projectionOf = async ({ id }: TestMember) =>
  (await internal('/internal/projections', { ids: [id] })).body.projections[0];

/** The ids of every page, each asked for by the last id of the one before. */
async function exported(rangeOf: (last: number | undefined) => object): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const { body } = await internal('/internal/projections/export', { ...rangeOf(ids.at(-1)), limit: 2 });
    if (!body.projections.length) return ids;
    ids.push(...body.projections.map(({ id }: { id: number }) => id));
  }
}

describe('search projections', () => {
  it('hold what a search needs, with a position', async () => {
    const member = await woman({
      latitude: 30.26759,
      longitude: -97.74299,
      smoking: 10,
      language: [10, 50],
      headline: 'A headline of mine',
      world_plus: 'opted-in',
    });
    const { body } = await internal('/internal/projections', { ids: [987_654, member.id] });
    expect(body.projections).toEqual([
      expect.objectContaining({
        id: member.id,
        visible: true,
        deleted: false,
        group: 'heartland',
        world_plus: true,
        gender: 'Female',
        date_of_birth: '1990-05-17',
        position: { lat: expect.any(Number), lon: expect.any(Number) },
        country: 'US',
        photo: false,
        traits: { smoking: 10, language: [10, 50], headline: 'A headline of mine' },
      }),
    ]);
  });

  it('get a higher version with every change, and turn invisible', async () => {
    const member = await woman();
    const before = await projectionOf(member);
    await member.post('/members/self', { searchable: false });
    const after = await projectionOf(member);
    expect(after.visible).toBe(false);
    expect(after.version).toBeGreaterThan(before.version);
  });

  it('say that a member who is visible again was hidden', async () => {
    const member = await woman();
    expect(await projectionOf(member)).not.toHaveProperty('was_hidden');
    for (const searchable of [false, true]) {
      await member.post('/members/self', { searchable });
      expect(await projectionOf(member)).toMatchObject({ visible: searchable, was_hidden: true });
    }
  });

  it('say that a member turned off that searches are recorded', async () => {
    const member = await woman();
    const recorded = async () => {
      const own = await member.get('/users/self');
      return [own.body.record_searches, (await projectionOf(member)).recorded];
    };
    expect(await recorded()).toEqual([true, undefined]);
    await member.post('/members/self', { record_searches: 'false' }).type('form').expect(200);
    expect(await recorded()).toEqual([false, false]);
    await member.post('/members/self', { record_searches: true }).expect(200);
    expect(await recorded()).toEqual([true, undefined]);
  });

  it('are exported in pages, from either end', async () => {
    const women = await Promise.all([woman(), woman(), woman()]);
    const ids = await exported((after = 0) => ({ after }));
    expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => one - other));
    expect(ids).toEqual(expect.arrayContaining(women.map(({ id }) => id)));
    expect(await exported((before) => ({ after: 0, before, descending: true }))).toEqual(ids.toReversed());
  });
});

describe('a search', () => {
  it('reads the changed pairs since a version in pages, each exactly once', async () => {
    const viewer = await service.register();
    const side = { stance: 'none' };
    // 6,250 pairs, 100 to a version, on both sides of the viewer's id.
    const pairs = Array.from({ length: 6_250 }, (_, index) => {
      const other = index % 2 ? viewer.id + 1_000_000 + index : -1 - index;
      const [low, high] = [Math.min(viewer.id, other), Math.max(viewer.id, other)];
      const version = 1_000 + Math.floor(index / 100);
      return { _id: `${low}:${high}`, low, high, version, low_side: side, high_side: side };
    });
    await service.context.connection.model('Pair').collection.insertMany(pairs as never[]);
    const { store } = service.context.pairs;
    const told: number[] = [];
    const pages: number[] = [];
    for (let since: number | undefined = 0; since !== undefined;) {
      const page: Awaited<ReturnType<typeof store.changedSince>> = await store.changedSince(viewer.id, since);
      told.push(...page.changes.map(({ other }) => other));
      pages.push(page.changes.length);
      since = page.next;
    }
    expect(new Set(told).size).toBe(6_250);
    expect(told).toHaveLength(6_250);
    expect(Math.max(...pages)).toBeLessThan(5_250);
    expect(pages.length).toBeGreaterThan(1);
    const last = await store.changedSince(viewer.id, 1_062);
    expect(last).toEqual({ changes: last.changes.filter(({ version }) => version === 1_062) });
    expect(last.changes).toHaveLength(50);
  });

  it('reads the viewer and the excluded members', async () => {
    const viewer = await service.register({ agefrom: 25, ageto: 35, locale: 'de_DE' });
    const [liked, declined, blocked, blocker] = await Promise.all([woman(), woman(), woman(), woman()]);
    await viewer.post('/like', { profileid: liked.id });
    await declined.post('/like', { profileid: viewer.id });
    await viewer.post('/decline', { profileid: declined.id });
    await viewer.post('/block', { profileid: blocked.id });
    await blocker.post('/block', { profileid: viewer.id });
    const excluded = async (kinds: string[]) => new Set(await excludedFrom(service, viewer.id, kinds));
    await expect(excluded([])).resolves.toEqual(new Set([blocker.id]));
    await expect(excluded(['likes'])).resolves.toEqual(new Set([liked.id, blocker.id]));
    await expect(excluded(['blocks', 'declines', 'likes', 'passes'])).resolves.toEqual(
      new Set([liked.id, declined.id, blocked.id, blocker.id]),
    );
    const { body } = await internal('/internal/viewers', { id: viewer.id });
    expect(body).toMatchObject({ platinum: false, agefrom: 25, ageto: 35, locale: 'de_DE' });
    await viewer.post('/members/self', { deactivated: true });
    const refused = await internal('/internal/viewers', { id: viewer.id });
    expect(refused).toEqual({ status: 403, body: { fail: 'Deactivated' } });
    const records = await internal('/internal/records', { viewer: viewer.id, ids: [] });
    expect(records).toEqual({ status: 403, body: { fail: 'Deactivated' } });
  });

  it('renders its page in order, without ineligible members', async () => {
    const viewer = await service.register();
    const [first, second, hidden, blocker] = await Promise.all([woman(), woman(), woman(), woman()]);
    await hidden.post('/members/self', { searchable: false });
    await blocker.post('/block', { profileid: viewer.id });
    await viewer.post('/like', { profileid: second.id });
    const ids = [second.id, hidden.id, 987_654, viewer.id, blocker.id, first.id];
    const { body } = await internal('/internal/records', { viewer: viewer.id, ids });
    expect(body.records.map(({ id }: { id: number }) => id)).toEqual([second.id, first.id]);
    expect(body.records[0]).toMatchObject({ covalence: 'liked', isconnection: false });
    expect(body.records[0].covalencedatecreated).toMatch(/Z$/);
    expect(body.records[1]).toMatchObject({ covalence: 'none', isconnection: null });
    expect(body.records[0]).not.toHaveProperty('email');
  });

  it('is told where its viewer changed since they were read, and gets no records', async () => {
    const viewer = await service.register();
    const [shown, other, blocker] = await Promise.all([woman(), woman(), woman()]);
    const read = async () => {
      const since = Date.now() - 60_000;
      const { body } = await internal('/internal/viewers', { id: viewer.id, relations: { since } });
      const versions: number[] = body.relations.map(({ version }: { version: number }) => version);
      const pairs = versions.reduce((sum, version) => sum + version, 0);
      return { version: body.member.version as number, platinum: body.platinum as boolean, since, pairs };
    };
    const answer = async (known: object) => {
      const { status, body } = await internal('/internal/records', {
        viewer: viewer.id,
        ids: [shown.id],
        known,
      });
      return status === 200 ? { shown: body.records.length, current: body.current } : status;
    };
    const membership = (version: number, expires_at: Date) =>
      internal('/internal/memberships/take', {
        member: viewer.id,
        membership: { status: 'active', autorenew: false, expires_at: expires_at.toISOString(), version },
      });
    const suspended = (is: boolean) =>
      service.context.members.store.change(viewer.id, () => ({ suspended: is }));
    const changes: (() => PromiseLike<unknown>)[] = [
      () => blocker.post('/block', { profileid: viewer.id }).expect(200),
      () => blocker.post('/unblock', { profileid: viewer.id }).expect(200),
      () => viewer.post('/like', { profileid: other.id }).expect(200),
      () => viewer.post('/members/self', { latitude: 30.5, longitude: -97.5 }).expect(200),
      () => membership(7, new Date(Date.now() + 86_400_000)),
    ];
    for (const change of changes) {
      const known = await read();
      expect(await answer(known)).toEqual({ shown: 1, current: true });
      await change();
      expect(await answer(known)).toEqual({ shown: 0, current: false });
    }
    const known = await read();
    expect(await answer({ ...known, platinum: false })).toEqual({ shown: 0, current: false });
    await suspended(true);
    expect(await answer(known)).toBe(403);
    await suspended(false);
    expect(await answer(known)).toEqual({ shown: 0, current: false });
  });

  it('requires a service token', async () => {
    const { status } = await request(service.app).post('/internal/records').send({ viewer: 1, ids: [] });
    expect(status).toBe(401);
  });
});

describe('memberships', () => {
  it('follow billing by version', async () => {
    const member = await service.register();
    const publisher = createPublisher(service.context.broker, service.context.metrics);
    const tell = (version: number, status: 'active' | 'inactive') => {
      const data = { status, autorenew: true, expires_at: new Date(Date.now() + 86_400_000).toISOString() };
      const event: Event = newEvent({
        type: 'membership.changed',
        member: member.id,
        version,
        at: new Date(),
        data,
      });
      return publisher.publish(event);
    };
    await tell(5, 'active');
    const platinum = async () => (await member.get('/users/self')).body.platinum;
    await until('platinum', async () => (await platinum()) === 'y');
    await tell(4, 'inactive');
    await tell(6, 'active');
    await until('the last one', async () => {
      const found = await service.context.members.store.byId(member.id);
      return found?.membership.version === 6;
    });
    await expect(platinum()).resolves.toBe('y');
    const { body } = await internal('/internal/viewers', { id: member.id });
    expect(body.platinum).toBe(true);
    expect(body.member.platinum_until).not.toBeNull();
    await publisher.close();
  });
});

describe('POST /internal/memberships/take', () => {
  it('updates the record by version, and ignores unknown members', async () => {
    const member = await service.register();
    const take = (version: number, status: 'active' | 'none', id = member.id) => {
      const expires_at = status === 'active' ? new Date(Date.now() + 86_400_000).toISOString() : null;
      const membership = { status, autorenew: status === 'active', expires_at, version };
      return internal('/internal/memberships/take', { member: id, membership });
    };
    const shown = async () => (await member.get('/users/self')).body.membership_status;
    expect(await take(7, 'active')).toEqual({ status: 200, body: {} });
    expect(await shown()).toBe('active');
    await take(6, 'none');
    expect(await shown()).toBe('active');
    await take(8, 'none');
    expect(await shown()).toBe('none');
    expect((await take(1, 'active', 987_654)).status).toBe(200);
  });
});

const seenKey = () => redisKeys.seen(service.context.config.NAMESPACE);
const own = async (member: TestMember) => (await member.get('/users/self')).body;

describe('presence', () => {
  it('comes from Redis, and from the document while Redis is down', async () => {
    const member = await service.register();
    await service.context.redis.zadd(seenKey(), Date.now() - 400_000, String(member.id));
    await service.context.members.store.change(member.id, ({ presence }) => ({
      presence: { ...presence, last_seen: new Date(Date.now() - 3_600_000) },
    }));
    const record = await own(member);
    expect(record.online).toBe(false);
    expect(Math.abs(record.since_active - 400)).toBeLessThan(5);
    const present = redisKeys.present(service.context.config.NAMESPACE);
    await service.context.redis.zadd(present, Date.now() + 60_000, String(member.id));
    expect((await own(member)).online).toBe(true);
    await member.post('/members/self', { online: false });
    expect((await own(member)).online).toBe(false);
    service.context.redis.disconnect();
    await until('the connection has ended', () => service.context.redis.status === 'end');
    try {
      expect(Math.abs((await own(member)).since_active - 3_600)).toBeLessThan(5);
    } finally {
      await service.context.redis.connect();
    }
  });

  it('is copied to the document at most every five minutes, always with the last call', async () => {
    const member = await service.register();
    const lastSeen = async () =>
      (await service.context.members.store.byId(member.id))?.presence.last_seen?.getTime() ?? 0;
    const registered = await lastSeen();
    const seen = registered + 1_000;
    await service.context.redis.zadd(seenKey(), seen, String(member.id));
    await copyPresence(service.context);
    await expect(lastSeen()).resolves.toBe(registered);
    const clock = () => new Date(registered + 300_000);
    await copyPresence({ ...service.context, clock });
    await expect(lastSeen()).resolves.toBe(seen);
  });
});

describe('with RabbitMQ down', () => {
  it('accepts writes, and the relay publishes later', async () => {
    const events = service.gather('search.index');
    const config = { ...service.context.config, RABBITMQ_URL: 'amqp://127.0.0.1:9' };
    const cutOff = createContext(config, { bearer: service.context.bearer });
    await mongoReady(cutOff.connection);
    const { status, body } = await request(createApp(cutOff)).post('/members').send(registration());
    await cutOff.close();
    expect(status).toBe(200);
    await until('the event', () => events.find(({ member }) => member === body.id));
  });
});

describe('with MongoDB down', () => {
  it('answers 503 with Retry-After', async () => {
    const config = { ...service.context.config, MONGODB_URL: 'mongodb://127.0.0.1:9' };
    const context = createContext(config, { bearer: service.context.bearer });
    const { status, headers, body } = await request(createApp(context))
      .post('/internal/viewers')
      .set('Authorization', admittedAuthorization('profile', '/internal/viewers'))
      .send({ id: 1 });
    await context.close();
    expect([status, headers['retry-after'], body]).toEqual([503, '2', { fail: 'Service Unavailable' }]);
  });
});
