import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandError } from '@covalence/runtime/command-error';
import { joinHosts } from '@covalence/runtime/host-urls';
import { until } from '@covalence/testing/until';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { dataLayout } from '../../src/checkout.ts';
import { elasticsearchEngine } from '../../src/engines/elasticsearch-engine.ts';
import { readRecord } from '../../src/engines/engine-record.ts';
import type { Engine, EngineKind, ServerPaths, Launch } from '../../src/engines/engine.ts';
import { startEngine } from '../../src/engines/engines.ts';
import { startLocalEngine } from '../../src/engines/local-engine.ts';
import { rabbitmqEngine } from '../../src/engines/rabbitmq-engine.ts';
import { redisEngine } from '../../src/engines/redis-engine.ts';
import { addressFor } from '../../src/engines/service-users.ts';
import { keepRunning } from '../../src/processes/keep-running.ts';
import { stopLeftovers } from '../../src/processes/stop-leftovers.ts';
import { removeFolder, testOptions } from './test-folder.ts';

const options = testOptions();
const data = { ...dataLayout(options.folder), engines: options.dataDir };
afterAll(() => removeFolder(options));

/** Servers that start quickly; they hold no common data. */
const pair: EngineKind = { ...redisEngine, nodes: ['redis-1', 'redis-2'] };

it('a server that answers errors while it starts is waited for', async () => {
  let asked = 0;
  const slow: EngineKind = {
    ...redisEngine,
    async ping(url) {
      asked += 1;
      if (asked < 3) throw new CommandError('it recovers its data');
      return redisEngine.ping(url);
    },
  };
  const slowOptions = testOptions();
  const engine = await startLocalEngine(slow, slowOptions);
  expect(asked).toBe(3);
  await engine.stop();
  removeFolder(slowOptions);
});

describe('an engine of several servers', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startLocalEngine(pair, options);
  });
  afterAll(() => engine.stop());

  it('has an address with all hosts, and a folder and a log for each server', () => {
    const urls = engine.nodes.map(({ url }) => url);
    expect(engine.url).toBe(joinHosts(urls));
    expect(new Set(urls).size).toBe(2);
    for (const { name, pid } of engine.nodes) {
      expect(readRecord(join(options.dataDir, 'redis', name)).running?.engine.pid).toBe(pid);
      expect(existsSync(join(options.logDir, `${name}.log`))).toBe(true);
    }
  });

  it('loses one server, which its supervisor starts again', async () => {
    const [first, second] = engine.nodes.map(({ pid }) => pid);
    const over = new AbortController();
    const lines: string[] = [];
    const watches = engine.nodes.map((node) => keepRunning(node, (line) => lines.push(line), over.signal));
    engine.nodes[1]?.kill('SIGKILL');
    await until('the restart', () => lines.includes('redis-2: restarted'));
    over.abort();
    await Promise.allSettled(watches);
    expect(engine.nodes[0]?.pid).toBe(first);
    expect(engine.nodes[1]?.pid).not.toBe(second);
    expect(lines).toEqual([
      expect.stringMatching(/^redis-2 ended: .*SIGKILL.*redis-2\.log/),
      'redis-2: restarted',
    ]);
  });

  it('is not ended as a leftover of another start while its starter lives', async () => {
    await expect(stopLeftovers(data)).rejects.toThrow(/^redis-[12] is already running/);
  });

  it('is not started as one server on the same data', async () => {
    await expect(startEngine('redis', options)).rejects.toThrow(
      /The data of Redis in .* belongs to another number of servers: start with the same --clustered/,
    );
  });

  it('stops and restarts as a whole', async () => {
    await engine.stop();
    expect(engine.nodes.map(({ pid }) => pid)).toEqual([undefined, undefined]);
    await engine.restart();
    expect(engine.nodes.every(({ pid }) => pid)).toBe(true);
  });
});

describe('the nodes of a cluster', () => {
  const shared = join(options.folder, 'cluster');
  const places: ServerPaths[] = [1, 2, 3].map((number) => {
    const folder = join(shared, `node-${number}`);
    const names = ['http', 'transport', 'amqp', 'distribution', 'mapper'];
    const ports = Object.fromEntries(names.map((name, index) => [name, 1_000 * number + index]));
    return { name: `node-${number}`, folder, shared, ports };
  });
  const launchesOf = async (kind: EngineKind): Promise<Launch[]> => {
    for (const { folder } of places) mkdirSync(folder, { recursive: true });
    const launcher = await kind.find(options);
    return Promise.all(places.map((place) => launcher(place, places)));
  };

  it('of RabbitMQ share a cookie, a password and a mapper, and name each other', async () => {
    const launches = await launchesOf(rabbitmqEngine);
    const environments = launches.map(({ environment }) => environment);
    expect(environments.map(({ RABBITMQ_NODENAME }) => RABBITMQ_NODENAME)).toEqual(
      places.map(({ name }) => `${name}@localhost`),
    );
    expect(new Set(environments.map(({ HOME }) => HOME))).toEqual(new Set([shared]));
    expect(new Set(environments.map(({ ERL_EPMD_PORT }) => ERL_EPMD_PORT))).toEqual(new Set(['1004']));
    expect(statSync(join(shared, '.erlang.cookie')).mode & 0o077).toBe(0);
    for (const { folder } of places) {
      const lines = readFileSync(join(folder, 'rabbitmq.conf'), 'utf8').split('\n');
      expect(lines).toEqual(
        expect.arrayContaining([
          'cluster_partition_handling = pause_minority',
          'cluster_formation.classic_config.nodes.1 = node-1@localhost',
          'cluster_formation.classic_config.nodes.3 = node-3@localhost',
        ]),
      );
    }
    const url = joinHosts(launches.map((launch) => launch.url));
    expect(url).toMatch(/^amqp:\/\/guest:[\w-]{32}@127\.0\.0\.1:1002,127\.0\.0\.1:2002,127\.0\.0\.1:3002$/);
    expect(addressFor('search', url)).toBe(url.replace('guest', 'search'));
  });

  it('of Elasticsearch elect a master among themselves', async () => {
    const launches = await launchesOf(elasticsearchEngine);
    for (const [index, { args }] of launches.entries()) {
      expect(args).toEqual(
        expect.arrayContaining([
          `node.name=node-${index + 1}`,
          'cluster.initial_master_nodes=node-1,node-2,node-3',
          'discovery.seed_hosts=127.0.0.1:1001,127.0.0.1:2001,127.0.0.1:3001',
        ]),
      );
      expect(args.join(' ')).not.toContain('single-node');
    }
    expect(joinHosts(launches.map(({ url }) => url))).toBe(
      'http://127.0.0.1:1000,127.0.0.1:2000,127.0.0.1:3000',
    );
  });
});
