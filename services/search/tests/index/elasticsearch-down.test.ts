import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBroker } from '@covalence/events/broker';
import { openDeadLetters } from '@covalence/events/dead-letters/queue';
import { newEvent } from '@covalence/events/new-event';
import { createPublisher } from '@covalence/events/publisher';
import { joinHosts } from '@covalence/runtime/host-urls';
import { createHealth } from '@covalence/runtime/health';
import { createLogger } from '@covalence/runtime/logger';
import { createMetrics } from '@covalence/runtime/metrics';
import { listenLocally } from '@covalence/testing/listen-locally';
import { createTcpProxy, type TcpProxy } from '@covalence/testing/tcp-proxy';
import { testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { connectElasticsearch } from '../../src/index/elasticsearch-adapter.ts';
import { createMemberIndex } from '../../src/index/member-index.ts';
import { person } from '../person.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';

const age = { from: 18, to: 99 };

/** Paths that two nodes do not answer: that of a search of a member, and that of any search. */
const waiting = ['preference=member-', '/_search'] as const;

/** Answers as a node does whose searches with a path wait for a copy of the index on another node. */
function answerWithout(path: string, sent: IncomingMessage, answer: ServerResponse): void {
  if (sent.url?.includes(path)) return;
  const { method = 'GET', headers, url = '/' } = sent;
  // On a connection of its own: one that was idle may just be closed.
  const asked = request(new URL(url, testStores().ELASTICSEARCH_URL), { method, headers, agent: false });
  asked.on('error', () => answer.destroy());
  sent.pipe(asked).on('response', (received) => {
    answer.writeHead(received.statusCode ?? 500, received.headers);
    received.pipe(answer);
  });
}

describe('while Elasticsearch is down', () => {
  let lines: TcpProxy[];
  let service: ServiceUnderTest;

  beforeAll(async () => {
    lines = await Promise.all([1, 2, 3].map(() => createTcpProxy(testStores().ELASTICSEARCH_URL)));
    const address = joinHosts(lines.map(({ url }) => url));
    service = await startService('away', {
      members: [person(1, 'Female'), person(2, 'Male')],
      environment: { ELASTICSEARCH_URL: address },
    });
    service.start();
    await until('the members', async () => (await service.post(1, { age })).body.totalmatches === 1);
  });
  afterAll(async () => {
    for (const line of lines) line.restore();
    await service?.close();
    await Promise.all(lines.map((line) => line.close()));
  });

  it('answers searches while one host hangs, which it soon leaves out', async () => {
    const [hung] = lines;
    hung?.slow(60_000);
    const answers: [status: number, isSlow: boolean][] = [];
    for (let search = 0; search < 12; search += 1) {
      const begun = performance.now();
      const { status } = await service.post(1, { age });
      answers.push([status, performance.now() - begun > 1_000]);
    }
    hung?.restore();
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([200]));
    const slow = answers.filter(([, isSlow]) => isSlow);
    expect(slow.length).toBeGreaterThan(0);
    expect(slow.length).toBeLessThan(3);
  });

  it('answers searches by the other hosts of the address while one is lost', async () => {
    for (const line of lines) {
      line.cut();
      for (const _ of lines) expect((await service.post(1, { age })).status).toBe(200);
      expect(await service.context.health.report()).toMatchObject({ checks: { elasticsearch: 'up' } });
      line.restore();
    }
  });

  it('answers searches while the preferred copy of the index hangs, and keeps the hosts that waited for it', async () => {
    const asked: number[] = [];
    const servers = waiting.map((path, host) =>
      createServer((sent, answer) => {
        if (sent.method === 'GET') asked.push(host);
        answerWithout(path, sent, answer);
      }),
    );
    const ports = await Promise.all(servers.map(listenLocally));
    const engine = connectElasticsearch({
      url: joinHosts(ports.map((port) => `http://127.0.0.1:${port}`)),
      health: createHealth(),
      searchLimitMs: 3_000,
    });
    try {
      const index = createMemberIndex(engine, service.namespace, createLogger('test', 'fatal'));
      const { total } = await index.search({ preference: 'member-1', query: { match_all: {} } });
      expect(total).toBe(2);
      for (let call = 0; call < 6; call += 1) await engine.client.cluster.health();
      expect(new Set(asked.slice(-4))).toEqual(new Set([0, 1]));
    } finally {
      await engine.close();
      for (const server of servers) server.closeAllConnections();
      for (const server of servers) server.close();
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

describe('a host that accepts no connections', () => {
  const listen = `
    const { parentPort } = require('node:worker_threads');
    require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () {
      parentPort.postMessage(this.address().port);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;

  it('is left for another host of the address within seconds', async () => {
    const silent = new Worker(listen, { eval: true });
    const [port] = (await once(silent, 'message')) as [number];
    // The system accepts as many as the backlog holds.
    const waiting = [1, 2, 3, 4].map(() => connect(port, '127.0.0.1').on('error', () => undefined));
    const url = joinHosts([`http://127.0.0.1:${port}`, testStores().ELASTICSEARCH_URL]);
    const engine = connectElasticsearch({ url, health: createHealth() });
    try {
      const begun = performance.now();
      await engine.client.cluster.health();
      await engine.client.cluster.health();
      const seconds = (performance.now() - begun) / 1_000;
      expect(seconds).toBeGreaterThan(1);
      expect(seconds).toBeLessThan(8);
    } finally {
      for (const socket of waiting) socket.destroy();
      await silent.terminate();
      await engine.close();
    }
  });
});

describe('while an index is blocked', () => {
  let service: ServiceUnderTest;

  beforeAll(async () => {
    service = await startService('blocked', { members: [person(1, 'Female'), person(2, 'Male')] });
    service.start();
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
