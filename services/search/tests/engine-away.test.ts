import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBroker } from '@covalence/events/broker';
import { newEvent } from '@covalence/events/new-event';
import { createPublisher } from '@covalence/events/publisher';
import { createLogger } from '@covalence/runtime/logger';
import { createMetrics } from '@covalence/runtime/metrics';
import { testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { openLine, type CuttableLine } from './support/cuttable-line.ts';
import { person } from './support/person.ts';
import { startSearch, type SearchUnderTest } from './support/search-under-test.ts';

const age = { from: 18, to: 99 };

describe('while Elasticsearch is away', () => {
  let line: CuttableLine;
  let service: SearchUnderTest;

  beforeAll(async () => {
    line = await openLine(testStores().ELASTICSEARCH_URL);
    service = await startSearch('away', [person(1, 'Female'), person(2, 'Male')], line.url);
    await service.context.start();
  });
  afterAll(async () => {
    line?.mend();
    await service?.close();
    await line?.close();
  });

  it('answers 503 with Retry-After; the index is complete after its return', async () => {
    const { namespace, profile } = service;
    const logger = createLogger('test', 'fatal');
    const broker = connectBroker({ url: testStores().RABBITMQ_URL, namespace, logger });
    const publisher = createPublisher(broker, createMetrics('test'));
    await until('the broker', () => broker.manager.isConnected());

    line.cut();
    const { status, headers, body } = await service.post(1, { age });
    expect([status, headers['retry-after'], body]).toEqual([503, '2', { fail: 'Service Unavailable' }]);
    for (const id of [3, 4, 5]) {
      profile.members.set(id, person(id, 'Male'));
      await publisher.publish(newEvent({ type: 'member.updated', member: id, version: 1, at: new Date() }));
    }
    await until('a try to write them', () => (profile.calls.get('projections') ?? 0) >= 2);
    expect((await service.context.health.report()).checks).toMatchObject({ elasticsearch: 'down' });

    line.mend();
    const found = await until('all members', async () => {
      const page = await service.post(1, { age, sortby: 'newest' });
      return page.body.totalmatches === 4 && page.body;
    });
    expect(found.users).toHaveLength(4);
    await publisher.close();
    await broker.close();
  });
});
