import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { SearchProjection } from '@covalence/contract/search-projection';
import { connectBroker, type Broker } from '@covalence/events/broker';
import { openDeadLetters, type DeadLetter } from '@covalence/events/dead-letters/queue';
import { newEvent } from '@covalence/events/new-event';
import { createPublisher, type Publisher } from '@covalence/events/publisher';
import { createLogger } from '@covalence/runtime/logger';
import { createMetrics } from '@covalence/runtime/metrics';
import { testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { onMemberChanged } from '../../src/index/on-member-changed.ts';
import { person } from '../person.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';

const searcher = person(1, 'Female');

const man = (id: number, facts: Partial<SearchProjection> = {}) =>
  person(id, 'Male', { traits: {}, ...facts });

const age = { from: 18, to: 99 };

describe('the index follows the members', () => {
  let service: ServiceUnderTest;
  let broker: Broker;
  let publisher: Publisher;

  beforeAll(async () => {
    service = await startService('indexing', { members: [searcher] });
    service.start();
    const logger = createLogger('test', 'fatal');
    broker = connectBroker({ url: testStores().RABBITMQ_URL, namespace: service.namespace, logger });
    publisher = createPublisher(broker, createMetrics('test'));
    await until('the broker', () => broker.manager.isConnected());
  });
  afterEach(() => {
    for (const id of service.profile.members.keys()) if (id !== 1) service.profile.members.delete(id);
  });
  afterAll(async () => {
    await publisher?.close();
    await broker?.close();
    await service?.close();
  });

  const publish = (id: number) =>
    publisher.publish(newEvent({ type: 'member.updated', member: id, version: 1, at: new Date() }));
  const change = (projection: SearchProjection) => {
    service.profile.members.set(projection.id, projection);
    return publish(projection.id);
  };
  const find = (id: number, criteria = {}) =>
    service
      .search(1, { age, exclude: 'none', sortby: 'relevance', pagesize: 100, ...criteria })
      .then(({ users }) => users.find((user) => user.id === id));
  /** Handles events of these members at once, without the broker. */
  const handle = (...ids: number[]) =>
    onMemberChanged({
      profile: service.context.profile,
      members: service.context.index.members,
      stores: [service.context.saved.matchCriteria, service.context.saved.searches],
    })(ids.map((id) => newEvent({ type: 'member.updated', member: id, version: 1, at: new Date() })));

  it('finds a member after the event, and follows a change', async () => {
    await change(man(11, { version: 1 }));
    expect(await until('the member', () => find(11))).toMatchObject({ id: 11 });
    await change(man(11, { version: 2, traits: { height: 181 } }));
    const height = { from: 181, to: 181 };
    await until('the change', async () => (await find(11, { height }))?.exactmatch);
    await change(man(11, { version: 3, visible: false }));
    await until('its end', async () => !(await find(11)));
  });

  it('does not change with repeated or late events', async () => {
    service.profile.members.set(20, man(20, { version: 5, traits: { height: 185 } }));
    await handle(20, 20);
    await handle(20);
    service.profile.members.set(20, man(20, { version: 4, traits: { height: 160 } }));
    await handle(20);
    await service.refresh();
    expect((await find(20, { height: { from: 185, to: 185 } }))?.exactmatch).toBe(true);
  });

  it('does not restore a deleted member with late events, and deletes their data', async () => {
    service.profile.members.set(30, man(30, { version: 5 }));
    await handle(30);
    service.profile.members.set(30, man(30, { version: 6, visible: false, deleted: true }));
    await handle(30);
    service.profile.members.set(30, man(30, { version: 5 }));
    await handle(30);
    await service.refresh();
    expect(await find(30)).toBeUndefined();
    const stored = await service.engine.get({ index: `${service.namespace}-members`, id: '30' });
    expect(stored._source).toEqual({ id: 30, visible: false });
  });

  it('ignores members that profile does not know', async () => {
    await expect(handle(999)).resolves.toBeUndefined();
  });

  it('indexes 2,000 members that arrive at once', async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => man(1_000 + index, { version: 1 }));
    for (const one of many) service.profile.members.set(one.id, one);
    await Promise.all(many.map(({ id }) => publish(id)));
    const found = async () => (await service.search(1, { age, pagesize: 1 })).totalmatches >= many.length;
    await expect(until('all of them', found)).resolves.toBe(true);
  });

  it.each([
    [50, 'cannot make a member', 'broken', 'Error: profile cannot render the projection of 50'],
    [60, 'fails', 'failing', 'PeerUnavailable: no answer from /internal/projections: status 500'],
  ] as const)(
    'goes on without member %i where profile %s: a dead letter',
    async (id, _what, fault, error) => {
      service.profile[fault].add(id);
      const dead = await openDeadLetters(testStores().RABBITMQ_URL, service.namespace);
      try {
        await Promise.all([change(man(id)), change(man(id + 1)), change(man(id + 2))]);
        await until('the others', async () => (await find(id + 1)) && (await find(id + 2)));
        await until('a dead letter', async () => (await dead.counts())['search.index'] === 1);
        const letters: DeadLetter[] = [];
        await dead.processEach('search.index', (letter) => {
          letters.push(letter);
          return 'replay';
        });
        expect(letters).toEqual([expect.objectContaining({ type: 'member.updated', tries: 5, error })]);
        service.profile[fault].clear();
        await until('the member', async () => (await find(id)) !== undefined);
      } finally {
        service.profile[fault].clear();
        await dead.close();
      }
    },
  );

  it('rebuilds an index that was lost', async () => {
    service.profile.members.set(40, man(40, { version: 1 }));
    const live = await service.context.index.versions.live();
    await service.engine.indices.delete({ index: live?.index ?? '' });
    await until('the member in the new index', () => find(40));
    const complete = await until('a complete index', async () => {
      const version = await service.context.index.versions.live();
      return version?.filled && version;
    });
    expect(complete.index).toBe(live?.index);
  });
});

describe('the first index', () => {
  it('answers 503 until it is complete, and is created once by processes that start together', async () => {
    const people = [searcher, man(2), man(3)];
    const service = await startService('first', { members: people });
    try {
      const live = await service.context.index.versions.live();
      await service.engine.indices.delete({ index: live?.index ?? '' });
      const { status, headers, body } = await service.post(1, { age });
      expect([status, headers['retry-after'], body]).toEqual([503, '2', { fail: 'Service Unavailable' }]);
      await Promise.all([1, 2, 3].map(() => service.context.index.reconciler.reconcile()));
      await service.context.index.reconciler.reconcile();
      expect(await service.context.index.versions.list()).toHaveLength(1);
      expect(await service.context.index.versions.live()).toMatchObject({ filled: true });
      await service.refresh();
      expect((await service.search(1, { age })).totalmatches).toBe(2);
    } finally {
      await service.close();
    }
  });
});
