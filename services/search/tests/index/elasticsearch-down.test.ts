import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBroker } from '@covalence/events/broker';
import { openDeadLetters } from '@covalence/events/dead-letters';
import { newEvent } from '@covalence/events/new-event';
import { createPublisher } from '@covalence/events/publisher';
import { joinHosts } from '@covalence/runtime/host-urls';
import { createLogger } from '@covalence/runtime/logger';
import { createMetrics } from '@covalence/runtime/metrics';
import { createTcpProxy, type TcpProxy } from '@covalence/testing/tcp-proxy';
import { testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { person } from '../person.ts';
import { startSearch, type SearchUnderTest } from '../harness.ts';

const age = { from: 18, to: 99 };

describe('while Elasticsearch is down', () => {
  let lines: TcpProxy[];
  let service: SearchUnderTest;

  beforeAll(async () => {
    lines = await Promise.all([1, 2, 3].map(() => createTcpProxy(testStores().ELASTICSEARCH_URL)));
    const address = joinHosts(lines.map(({ url }) => url));
    service = await startSearch('away', [person(1, 'Female'), person(2, 'Male')], address);
    await service.context.start();
  });
  afterAll(async () => {
    for (const line of lines) line.restore();
    await service?.close();
    await Promise.all(lines.map((line) => line.close()));
  });

  it('answers searches by the other hosts of the address while one is lost', async () => {
    await until('the members', async () => (await service.post(1, { age })).body.totalmatches === 1);
    for (const line of lines) {
      line.cut();
      for (const _ of lines) expect((await service.post(1, { age })).status).toBe(200);
      expect(await service.context.health.report()).toMatchObject({ checks: { elasticsearch: 'up' } });
      line.restore();
    }
  });

  it('answers 503 with Retry-After; the index is complete after its return', async () => {
    const { namespace, profile } = service;
    const logger = createLogger('test', 'fatal');
    const broker = connectBroker({ url: testStores().RABBITMQ_URL, namespace, logger });
    const publisher = createPublisher(broker, createMetrics('test'));
    await until('the broker', () => broker.manager.isConnected());

    for (const line of lines) line.cut();
    const { status, headers, body } = await service.post(1, { age });
    expect([status, headers['retry-after'], body]).toEqual([503, '2', { fail: 'Service Unavailable' }]);
    for (const id of [3, 4, 5]) {
      profile.members.set(id, person(id, 'Male'));
      await publisher.publish(newEvent({ type: 'member.updated', member: id, version: 1, at: new Date() }));
    }
    await until('a try to write them', () => (profile.calls.get('projections') ?? 0) >= 2);
    // Saved searches and match criteria still work.
    expect(await service.context.health.report()).toMatchObject({
      ready: true,
      checks: { elasticsearch: 'down' },
    });

    for (const line of lines) line.restore();
    const found = await until('all members', async () => {
      const page = await service.post(1, { age, sortby: 'newest' });
      return page.body.totalmatches === 4 && page.body;
    });
    expect(found.users).toHaveLength(4);
    await publisher.close();
    await broker.close();
  });
});

describe('while an index is blocked', () => {
  let service: SearchUnderTest;

  beforeAll(async () => {
    service = await startSearch('blocked', [person(1, 'Female'), person(2, 'Male')]);
    await service.context.start();
  });
  afterAll(() => service?.close());

  const block = (what: 'read' | 'write', on: boolean) =>
    service.engine.indices.putSettings({
      index: `${service.namespace}-members`,
      settings: { [`index.blocks.${what}`]: on },
    });

  it('answers 503 while it cannot be read, and writes changes once it can be written', async () => {
    const { namespace, profile } = service;
    const broker = connectBroker({
      url: testStores().RABBITMQ_URL,
      namespace,
      logger: createLogger('test', 'fatal'),
    });
    const publisher = createPublisher(broker, createMetrics('test'));
    const dead = await openDeadLetters(testStores().RABBITMQ_URL, namespace);
    await until('the broker', () => broker.manager.isConnected());
    try {
      await block('read', true);
      expect((await service.post(1, { age })).status).toBe(503);
      await block('read', false);

      await block('write', true);
      const before = profile.calls.get('projections') ?? 0;
      profile.members.set(3, person(3, 'Male'));
      await publisher.publish(newEvent({ type: 'member.updated', member: 3, version: 1, at: new Date() }));
      // More attempts than a document that is refused for another reason gets.
      await until('another try', () => (profile.calls.get('projections') ?? 0) >= before + 6);
      expect((await dead.counts())['search.index']).toBe(0);
      await block('write', false);
      await until('the change', async () => (await service.search(1, { age })).totalmatches === 2);
    } finally {
      await dead.close();
      await publisher.close();
      await broker.close();
    }
  });
});
