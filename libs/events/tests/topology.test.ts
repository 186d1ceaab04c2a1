import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { joinHosts } from '@covalence/runtime/host-urls';
import { createLogger } from '@covalence/runtime/logger';
import { createTcpProxy, type TcpProxy } from '@covalence/testing/tcp-proxy';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { connect } from 'amqplib';
import { connectBroker } from '../src/broker.ts';
import { declareTopologyAt } from '../src/topology.ts';
import { createPublisher } from '../src/publisher.ts';
import { queueOf } from '../src/topology.ts';
import { membershipChanged, startBus, type Bus } from './harness.ts';

let bus: Bus;
beforeAll(async () => {
  bus = await startBus('topology');
});
afterAll(() => bus.close());

it('waits until the operator has declared the topology when the account may not', async () => {
  const { RABBITMQ_URL: url } = testStores();
  const namespace = testNamespace('checked');
  const broker = connectBroker({ url, namespace, topology: 'check', logger: createLogger('test', 'silent') });
  const publisher = createPublisher(broker, bus.metrics);
  const direct = await connect(url);
  try {
    const early = await direct.createChannel();
    early.on('error', () => undefined);
    await expect(broker.prepare(early)).rejects.toThrow('NOT_FOUND');
    await declareTopologyAt(url, namespace);
    await until('a confirm', async () => {
      await publisher.publish(membershipChanged(1));
      return true;
    });
    const later = await direct.createChannel();
    expect(await later.get(queueOf(namespace, 'profile.memberships'), { noAck: true })).toBeTruthy();
  } finally {
    await publisher.close();
    await broker.close();
    await direct.close();
  }
});

it('uses another host of the address when one is lost, and the first one when it is back', async () => {
  const proxies = await Promise.all([1, 2].map(() => createTcpProxy(testStores().RABBITMQ_URL)));
  const [one, other] = proxies as [TcpProxy, TcpProxy];
  const url = joinHosts([one.url, other.url]);
  const broker = connectBroker({ url, namespace: bus.namespace, logger: createLogger('test', 'silent') });
  let connected = '';
  broker.manager.on('connect', ({ url: host }) => {
    if (typeof host === 'string') connected = new URL(host).host;
  });
  const publisher = createPublisher(broker, bus.metrics);
  const published = () =>
    until('a confirm', async () => {
      await publisher.publish(membershipChanged(1));
      return true;
    });
  try {
    for (const [lost, left] of [
      [one, other],
      [other, one],
    ] as const) {
      left.restore();
      lost.cut();
      await published();
      expect(connected).toBe(new URL(left.url).host);
      await expect(declareTopologyAt(url, bus.namespace)).resolves.toBeUndefined();
    }
  } finally {
    await publisher.close();
    await broker.close();
    await Promise.all(proxies.map((proxy) => proxy.close()));
  }
});

it('bounds the queue of recorded searches, and keeps what it drops out of the dead letters', async () => {
  const direct = await connect(testStores().RABBITMQ_URL);
  try {
    const channel = await direct.createChannel();
    const queue = queueOf(bus.namespace, 'search.usage');
    const expected = {
      'x-queue-type': 'quorum',
      'x-delivery-limit': 20,
      'x-message-ttl': 86_400_000,
      'x-max-length': 1_000_000,
    };
    // The broker refuses any other arguments than those that the queue has.
    const found = await channel.assertQueue(queue, { durable: true, arguments: expected });
    expect(found.queue).toBe(queue);
  } finally {
    await direct.close();
  }
});
