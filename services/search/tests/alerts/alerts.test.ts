import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventSchema, type EventOf } from '@covalence/contract/events';
import type { SearchProjection } from '@covalence/contract/search-projection';
import { connectBroker, type Broker } from '@covalence/events/broker';
import { newEvent } from '@covalence/events/new-event';
import { exchangeOf } from '@covalence/events/topology';
import { createLogger } from '@covalence/runtime/logger';
import { serviceAuthorization } from '@covalence/testing/service-tokens';
import { testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import request from 'supertest';
import { noteBirthdays } from '../../src/alerts/note-birthdays.ts';
import { noteMatches } from '../../src/alerts/note-matches.ts';
import { notifySearchers } from '../../src/alerts/notify-searchers.ts';
import { createApp } from '../../src/app.ts';
import { onMemberChanged } from '../../src/index/on-member-changed.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';
import { lincoln, person } from '../person.ts';
import { testNow } from '../population.ts';

const [nora, iris] = [person(1, 'Female'), person(2, 'Female')];
const path = '/searches/saved';
const age = { from: 25, to: 45 };
const minutes = (count: number) => new Date(testNow.getTime() + count * 60_000);
const omaha = { lat: 41.26, lon: -95.94 };

type Matched = EventOf<'search.matched'>;

describe('alerts', () => {
  let service: ServiceUnderTest;
  let broker: Broker;
  const told: Matched[] = [];
  let nextId = 100;

  beforeAll(async () => {
    service = await startService('alerts', { members: [nora, iris] });
    const logger = createLogger('test', 'fatal');
    broker = connectBroker({ url: testStores().RABBITMQ_URL, namespace: service.namespace, logger });
    const channel = broker.openChannel({
      setup: async (raw) => {
        await broker.prepare(raw);
        const { queue } = await raw.assertQueue('', { exclusive: true });
        await raw.bindQueue(queue, exchangeOf(service.namespace), 'search.*');
        await raw.consume(
          queue,
          (message) => {
            if (message) told.push(eventSchema.parse(JSON.parse(message.content.toString())) as Matched);
          },
          { noAck: true },
        );
      },
    });
    await channel.waitForConnect();
  });
  afterEach(async () => {
    service.setNow(testNow);
    for (const { id } of [nora, iris]) {
      const { body } = await service.call(id, 'get', path);
      for (const search of body.searches) await service.call(id, 'delete', `${path}/${search.id}`);
    }
    service.profile.relations.clear();
    service.profile.deactivated.clear();
  });
  afterAll(async () => {
    await broker?.close();
    await service?.close();
  });

  const save = async (facts: object, viewer = nora.id): Promise<string> => {
    const { status, body } = await service.call(viewer, 'post', path, {
      name: `Search ${(nextId += 1)}`,
      age,
      notify: 'live',
      ...facts,
    });
    expect([status, body.fail]).toEqual([200, undefined]);
    return body.id as string;
  };
  /** Stores a man as he is now, and lets search handle the event. */
  const change = async (facts: Partial<SearchProjection> & { id: number }): Promise<number> => {
    const former = service.profile.members.get(facts.id);
    const joined = testNow.toISOString();
    const man = { ...(former ?? person(facts.id, 'Male', { traits: {}, joined, version: 0 })), ...facts };
    service.profile.members.set(man.id, { ...man, version: (former?.version ?? 0) + 1 });
    await handle(man.id);
    return man.id;
  };
  const handle = async (...ids: number[]) => {
    const { context } = service;
    const stores = [context.saved.searches, context.alerts.matches];
    await onMemberChanged({
      profile: context.profile,
      members: context.index.members,
      stores,
      beforeWrite: (members) => noteMatches(members, context),
    })(ids.map((id) => newEvent({ type: 'member.updated', member: id, version: 1, at: testNow })));
    await service.refresh();
  };
  const join = (facts: Partial<SearchProjection> = {}) => change({ id: (nextId += 1), ...facts });

  /** The notifications sent to searchers at a time, as `searcher: member of search`. */
  const toldAt = async (at: Date): Promise<[number, number, string][]> => {
    service.setNow(at);
    const before = told.length;
    expect(await notifySearchers(service.context)).toBe(0);
    // The marker follows everything that was published before.
    const marker = newEvent({
      type: 'search.matched',
      member: 9,
      version: 1,
      at,
      data: { other: 9, search: '00000000-0000-4000-8000-000000000000' },
    });
    await service.context.alerts.publisher().publish(marker);
    await until('the marker', () => told.some(({ id }) => id === marker.id));
    return told.slice(before, -1).map(({ member, data }) => [member, data.other, data.search]);
  };

  it('notify at once of a member who joins and fits, once, and of nobody else', async () => {
    const search = await save({ smoking: { value: 10 } });
    await save({ smoking: { value: 30 } });
    await save({ smoking: { value: 10 }, notify: 'never' });
    const man = await join({ traits: { smoking: 10 } });
    await join({ traits: {} });
    expect(await toldAt(minutes(1))).toEqual([[nora.id, man, search]]);
    expect(await toldAt(minutes(2))).toEqual([]);
    await change({ id: man, traits: { smoking: 30 } });
    await change({ id: man, traits: { smoking: 10 } });
    expect(await toldAt(minutes(3))).toEqual([]);
  });

  it('notify at once of a member who joined recently when staff approve the profile', async () => {
    const search = await save({});
    const man = await join({ visible: false });
    await change({ id: man, visible: true });
    expect(await toldAt(minutes(1))).toEqual([[nora.id, man, search]]);
  });

  it('notify daily of a member whose answers newly fit, but not of one who fitted before', async () => {
    const late = await join({ traits: { smoking: 30 }, joined: '2020-01-01T00:00:00.000Z' });
    const early = await join({ traits: { smoking: 10 }, joined: '2020-01-01T00:00:00.000Z' });
    const search = await save({ smoking: { value: 10 } });
    await change({ id: late, traits: { smoking: 10 } });
    await change({ id: early, traits: { smoking: 10, height: 180 } });
    await change({ id: early, last_seen: testNow.toISOString() });
    expect(await toldAt(minutes(60))).toEqual([]);
    expect(await toldAt(new Date('2026-06-15T17:00:00Z'))).toEqual([[nora.id, late, search]]);
  });

  it.each([
    ['moved near', { position: omaha, state: 'Iowa' }, { position: lincoln, state: 'Nebraska' }],
    ['came back', { visible: false, joined: '2020-01-01T00:00:00.000Z' }, { visible: true }],
    ['came back in the first week', { visible: false }, { visible: true, was_hidden: true }],
  ])('notify of a member who %s at the daily time only', async (_what, before, after) => {
    const search = await save({ location: { within: 150, of: '40.81,-99.2' } });
    const man = await join(before);
    await toldAt(minutes(1));
    await change({ id: man, ...after });
    expect(await toldAt(minutes(60))).toEqual([]);
    expect(await toldAt(new Date('2026-06-15T17:00:00Z'))).toEqual([[nora.id, man, search]]);
  });

  it('do not notify again of a member by another search, or by the same one that is saved again', async () => {
    const first = await save({});
    const man = await join();
    expect(await toldAt(minutes(1))).toEqual([[nora.id, man, first]]);
    await service.call(nora.id, 'delete', `${path}/${first}`);
    await save({ notify: 'daily' });
    await change({ id: man, visible: false });
    await change({ id: man, visible: true });
    expect(await toldAt(new Date('2026-06-15T17:00:00Z'))).toEqual([]);
  });

  it('notify of at most twenty members a day, and of the newest', async () => {
    await save({});
    for (let count = 0; count < 22; count += 1) await join();
    expect(await toldAt(minutes(1))).toHaveLength(20);
    await join();
    expect(await toldAt(minutes(60))).toEqual([]);
    await join();
    expect(await toldAt(minutes(25 * 60))).toHaveLength(1);
  });

  it('go on without a stored search that cannot be read', async () => {
    const [bad, good] = [await save({}), await save({ smoking: { value: 10 } })];
    const searches = service.context.connection.collection<{ _id: string }>('saved_searches');
    await searches.updateOne({ _id: bad }, { $set: { 'controls.sortby': 'unknown' } });
    const man = await join({ traits: { smoking: 10 } });
    const found = await toldAt(minutes(1));
    await searches.deleteOne({ _id: bad });
    expect(found).toEqual([[nora.id, man, good]]);
  });

  it('notify daily where the member wants it so', async () => {
    const search = await save({ notify: 'daily' });
    const man = await join();
    expect(await toldAt(minutes(120))).toEqual([]);
    expect(await toldAt(new Date('2026-06-15T17:00:00Z'))).toEqual([[nora.id, man, search]]);
  });

  it('notify daily of a member whose birthday it is', async () => {
    const [born, leap] = [
      await join({ date_of_birth: '2001-06-15' }),
      await join({ date_of_birth: '2000-02-29' }),
    ];
    await toldAt(minutes(1));
    const [adult, older] = [
      await save({ age: { from: 25, to: 30 } }),
      await save({ age: { from: 27, to: 30 } }),
    ];
    service.setNow(testNow);
    expect(await noteBirthdays(service.context)).toBe(0);
    expect(await toldAt(minutes(60))).toEqual([]);
    expect(await toldAt(new Date('2026-06-15T17:00:00Z'))).toEqual([[nora.id, born, adult]]);
    service.setNow(new Date('2027-03-01T10:00:00Z'));
    expect(await noteBirthdays(service.context)).toBe(0);
    expect(await toldAt(new Date('2027-03-01T17:00:00Z'))).toEqual([[nora.id, leap, older]]);
  });

  it('do not notify of members who are excluded, hidden again or erased when it is time', async () => {
    await save({});
    const [blocked, hidden, erased] = [await join(), await join(), await join()];
    service.profile.relations.set(nora.id, [{ other: blocked, blocks: true }]);
    await change({ id: hidden, visible: false });
    await request(createApp(service.context))
      .post('/internal/members/erase')
      .set('Authorization', serviceAuthorization({ from: 'profile', to: 'search' }))
      .send({ id: erased, member_id: '00000000-0000-4000-8000-000000000001' })
      .expect(200);
    await service.refresh();
    expect(await toldAt(minutes(1))).toEqual([]);
  });

  it('do not notify a deactivated searcher, or for a search that was changed or deleted', async () => {
    await save({}, iris.id);
    const [changed, silenced, deleted] = [await save({}), await save({}), await save({})];
    await join();
    service.profile.deactivated.add(iris.id);
    await service.call(nora.id, 'post', `${path}/${changed}`, { age: { from: 60, to: 70 } });
    await service.call(nora.id, 'post', `${path}/${silenced}`, { notify: 'never' });
    await service.call(nora.id, 'delete', `${path}/${deleted}`);
    expect(await toldAt(minutes(1))).toEqual([]);
  });

  it('follow the searcher who moves', async () => {
    const search = await save({ location: { within: 150 } });
    const moved = { ...nora, version: nora.version + 1, position: { lat: 52.52, lon: 13.4 } };
    service.profile.members.set(nora.id, moved);
    await handle(nora.id);
    await join();
    const near = await join({ position: { lat: 52.5, lon: 13.5 } });
    expect(await toldAt(minutes(1))).toEqual([[nora.id, near, search]]);
    service.profile.members.set(nora.id, { ...nora, version: moved.version + 1 });
    await handle(nora.id);
  });

  it('take a postal code for that of the country to which the searcher moves', async () => {
    const search = await save({ location: { within: 150, of: '10115' } });
    service.profile.members.set(nora.id, { ...nora, version: nora.version + 3, country: 'DE' });
    await handle(nora.id);
    await join({ position: { lat: 40.81, lon: -73.96 } });
    const near = await join({ position: { lat: 52.5, lon: 13.5 } });
    expect(await toldAt(minutes(1))).toEqual([[nora.id, near, search]]);
    service.profile.members.set(nora.id, { ...nora, version: nora.version + 4 });
    await handle(nora.id);
  });

  it('are at most five of a member, also by changes and at the same time', async () => {
    const saved = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        service.call(nora.id, 'post', path, { name: `Race ${index}`, age, notify: 'daily' }),
      ),
    );
    const { body } = await service.call(nora.id, 'get', path);
    expect(body.searches.length).toBeLessThanOrEqual(5);
    expect(saved.filter(({ status }) => status === 403).length).toBeGreaterThanOrEqual(3);
    for (let more = body.searches.length; more < 5; more += 1) await save({});
    const silent = await save({ notify: 'never' });
    const refused = await service.call(nora.id, 'post', `${path}/${silent}`, { notify: 'live' });
    expect([refused.status, refused.body]).toEqual([403, { fail: 'Invalid Argument' }]);
    expect((await service.call(nora.id, 'post', path, { name: 'Bad', age, notify: 'hourly' })).status).toBe(
      403,
    );
  });

  it('know the synonyms that are published later', async () => {
    const search = await save({ keywords: { value: 'dog' } });
    await join({ traits: { about_me: 'I have a puppy' } });
    await service.publish({ languages: { en: { synonyms: ['dog, puppy'], protected: [] } } });
    const man = await join({ traits: { about_me: 'I have a puppy, too' } });
    expect(await toldAt(minutes(1))).toEqual([[nora.id, man, search]]);
  });

  it('know the synonyms of a language that the searcher takes later', async () => {
    await service.publish({ languages: { de: { synonyms: ['hund, welpe'], protected: [] } } });
    const search = await save({ keywords: { value: 'hund' } });
    service.profile.settings.set(nora.id, { locale: 'de_DE' });
    const man = await join({ traits: { about_me: 'Mein Welpe schläft' } });
    expect(await toldAt(minutes(1))).toEqual([[nora.id, man, search]]);
    service.profile.settings.clear();
  });

  it('count their centers as those of searches', async () => {
    await save({ location: { within: 150, of: '10,10' } });
    expect(await service.context.searches.centers.list(nora.id)).toContainEqual(
      expect.objectContaining({ place: '10.0000,10.0000', own: false }),
    );
  });

  it('repeat an event with the same id after a crash between publishing and noting it', async () => {
    await save({});
    const man = await join();
    const { matches } = service.context.alerts;
    const settle: typeof matches.settle = (searcher, looked, outcome) =>
      outcome.notified.length
        ? Promise.reject(new Error('killed'))
        : matches.settle(searcher, looked, outcome);
    const alerts = { ...service.context.alerts, matches: { ...matches, settle } };
    service.setNow(minutes(1));
    expect(await notifySearchers({ ...service.context, alerts })).toBe(1);
    expect(await toldAt(minutes(12))).toHaveLength(1);
    const ids = told.filter(({ data }) => data.other === man).map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  });

  it('count and export what a member was notified of, and forget it with the member', async () => {
    await save({}, iris.id);
    await join();
    await toldAt(minutes(1));
    const call = async (endpoint: string, body: object) =>
      request(createApp(service.context))
        .post(endpoint)
        .set('Authorization', serviceAuthorization({ from: 'profile', to: 'search' }))
        .send({ id: iris.id, member_id: '00000000-0000-4000-8000-000000000002', ...body });
    const times = { since: testNow.toISOString(), until: minutes(5).toISOString() };
    const { member_id: _none, ...count } = { member_id: '', ...times };
    expect((await call('/internal/matches/count', count)).body).toEqual({ matches: 1 });
    expect((await call('/internal/members/export', {})).body.alert_matches).toMatchObject([
      { search: expect.any(String), at: minutes(1).toISOString() },
    ]);
    await call('/internal/members/erase', {});
    expect((await call('/internal/matches/count', count)).body).toEqual({ matches: 0 });
  });
});
