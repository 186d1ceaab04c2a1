import { startLocalEngine } from '@covalence/stack/engines/local-engine';
import type { EngineNode } from '@covalence/stack/engines/engine';
import {
  isReplicated,
  ownerOf,
  primaryOf,
  redisClusterKind,
  redisSentinelKind,
} from '@covalence/stack/engines/redis-groups';
import { Redis } from 'ioredis';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPeerProxies } from './peer-proxies.ts';
import { until } from './until.ts';

/** Several Redis servers of one suite. */
export interface RedisGroup {
  readonly url: string;
  /**
   * Kills the server that has a key. Its replicas, of which one takes over, receive nothing of what `work` writes: replication is
   * asynchronous, so the last writes may be missing.
   */
  failOver(key: string, work: () => Promise<unknown>): Promise<void>;
  /**
   * Cuts the server that has a key off from the others, but not from clients, during `work`, which begins when another has taken over.
   * Resolves when it follows the other.
   */
  cutOff(key: string, work: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

const forms = {
  cluster: { kind: redisClusterKind, ownerOf },
  sentinel: {
    kind: redisSentinelKind,
    ownerOf: (_key: string, nodes: readonly EngineNode[]) => primaryOf(nodes),
  },
} as const;

/** Time limit for a failover. */
const settleMs = 40_000;

/** Starts a cluster, or a primary with replicas and Sentinels. */
export async function startRedisGroup(form: keyof typeof forms): Promise<RedisGroup> {
  const folder = mkdtempSync(join(tmpdir(), 'covalence-redis-'));
  const { kind, ownerOf: owner } = forms[form];
  const options = {
    dataDir: join(folder, 'data'),
    logDir: join(folder, 'logs'),
    environment: process.env,
    progress: () => undefined,
    signal: new AbortController().signal,
  };
  const proxies = createPeerProxies('redis', await kind.find(options));
  const engine = await startLocalEngine(
    { ...kind, find: () => Promise.resolve(proxies.launcher) },
    options,
  ).catch(async (error: unknown) => {
    await proxies.close();
    throw error;
  });
  return {
    url: engine.url,
    async failOver(key, work) {
      const primary = await owner(key, engine.nodes);
      const admin = new Redis(primary.url);
      const ports = [...(await admin.info('replication')).matchAll(/^slave\d+:.*port=(\d+)/gm)];
      const replicas = engine.nodes.filter(({ url }) => ports.some(([, port]) => new URL(url).port === port));
      await admin.config('SET', 'min-replicas-to-write', '0');
      for (const replica of replicas) replica.kill('SIGSTOP');
      await admin.call('CLIENT', 'KILL', 'TYPE', 'replica');
      try {
        await work();
      } finally {
        admin.disconnect();
        primary.kill('SIGKILL');
        for (const replica of replicas) replica.kill('SIGCONT');
      }
    },
    async cutOff(key, work) {
      const cut = await owner(key, engine.nodes);
      const others = engine.nodes.filter((node) => node !== cut);
      const rejoin = await proxies.cutOff(cut);
      try {
        await until('another server to take over', () => owner(key, others), settleMs);
        await work();
      } finally {
        rejoin();
      }
      await until('the servers to follow', () => isReplicated(engine.nodes), settleMs);
    },
    async stop() {
      await engine.stop();
      await proxies.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
