import { createLogger } from '@covalence/runtime/logger';
import { connectRedis, type RedisClient } from '@covalence/runtime/redis';
import { followPrimaries } from '@covalence/runtime/redis-primaries';
import { certificate, certificateKey } from '@covalence/testing/push-certificate';
import { until } from '@covalence/testing/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Engine, EngineKind, ServerPaths } from '../../src/engines/engine.ts';
import { startLocalEngine } from '../../src/engines/local-engine.ts';
import { redisEngine, redisLauncher } from '../../src/engines/redis-engine.ts';
import { removeFolder, testOptions } from './test-folder.ts';

const options = testOptions();
const [certificateFile, keyFile] = [join(options.folder, 'tls.crt'), join(options.folder, 'tls.key')];
const known = getCACertificates();

const encrypted = (url: string) => url.replace(/^redis:/, 'rediss:');

/** Settings of a server that only accepts TLS. */
const tlsSettings = ({ ports }: ServerPaths): Record<string, string> => ({
  port: '0',
  'tls-port': String(ports['redis']),
  'tls-cert-file': certificateFile,
  'tls-key-file': keyFile,
  'tls-ca-cert-file': certificateFile,
  'tls-auth-clients': 'no',
  'tls-replication': 'yes',
  'tls-cluster': 'yes',
});

const kind: EngineKind = {
  ...redisEngine,
  ports: ['redis', 'bus'],
  ping: (url) => redisEngine.ping(encrypted(url)),
};

/** One server that has all slots of a cluster. */
const clusterKind: EngineKind = {
  ...kind,
  find: redisLauncher((place) => ({
    settings: {
      ...tlsSettings(place),
      'cluster-enabled': 'yes',
      'cluster-port': String(place.ports['bus']),
      'cluster-announce-ip': '127.0.0.1',
    },
  })),
};

/** A primary and a Sentinel. */
const sentinelKind: EngineKind = {
  ...kind,
  nodes: ['redis-1', 'sentinel-1'],
  find: redisLauncher((place, [first], password) => {
    const isSentinel = place !== first;
    const monitor = {
      [`sentinel monitor main 127.0.0.1 ${first?.ports['redis']}`]: '1',
      'sentinel auth-pass main': password,
    };
    return { settings: { ...tlsSettings(place), ...(isSentinel && monitor) }, isSentinel };
  }),
};

beforeAll(() => {
  writeFileSync(certificateFile, certificate);
  writeFileSync(keyFile, certificateKey);
  setDefaultCACertificates([...known, certificate]);
});
afterAll(() => {
  setDefaultCACertificates(known);
  removeFolder(options);
});

const connectTo = async (url: string): Promise<RedisClient> => {
  const client = connectRedis({ url, logger: createLogger('test', 'silent') });
  await once(client, 'ready');
  return client;
};

describe('Redis that only accepts TLS', () => {
  let engine: Engine;
  let client: RedisClient | undefined;
  const start = async (form: EngineKind, name: string) => {
    engine = await startLocalEngine(form, { ...options, dataDir: join(options.dataDir, name) });
    return engine.url;
  };
  afterEach(async () => {
    client?.disconnect();
    await engine.stop();
  });

  it('is reached as a cluster, whose servers each get a connection of their own', async () => {
    const url = await start(clusterKind, 'cluster');
    const admin = new Redis(encrypted(url));
    await admin.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383);
    await until('the cluster', async () => (await admin.cluster('INFO')).includes('cluster_state:ok'));
    admin.disconnect();
    client = await connectTo(url.replace(/^redis:/, 'rediss+cluster:'));
    expect(await client.set('a', '1')).toBe('OK');
    const opened = Promise.withResolvers<Redis>();
    const primaries = followPrimaries(client, {}, opened.resolve);
    const connection = await opened.promise;
    if (connection.status !== 'ready') await once(connection, 'ready');
    expect(await connection.get('a')).toBe('1');
    primaries.close();
  });

  it('is found through a Sentinel with a login of its own, and given up when it hangs', async () => {
    await start(sentinelKind, 'sentinel');
    const [first, sentinel] = engine.nodes.map(({ url }) => new URL(url));
    const login = `sentinel_user=default&sentinel_password=${sentinel?.password}`;
    client = await connectTo(`rediss+sentinel://:${first?.password}@${sentinel?.host}/main?${login}`);
    expect(await client.set('a', '1')).toBe('OK');
    const begun = Date.now();
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    client.once('close', () => resolve());
    engine.nodes[0]?.kill('SIGSTOP');
    try {
      await expect(client.get('a')).rejects.toThrow('Command timed out');
      await closed;
      // Sooner than a connection without Sentinels.
      expect(Date.now() - begun).toBeLessThan(8_000);
    } finally {
      engine.nodes[0]?.kill('SIGCONT');
    }
  }, 20_000);
});
