import { admissionKeys, admissionPrefixes } from '@covalence/contract/admission-flag';
import { createLogger } from '@covalence/runtime/logger';
import { connectRedis, type RedisClient } from '@covalence/runtime/redis';
import { startRedisGroup, type RedisGroup } from '@covalence/testing/redis-group';
import { testNamespace } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createAdmissionFlagStore,
  type AdmissionFlagStore,
} from '../../src/admission/admission-flag-store.ts';

const failoverMs = 40_000;

describe('flags of admission in a cluster of Redis', () => {
  const namespace = testNamespace('flags');
  const logger = createLogger('gateway', 'silent');
  /** Of twelve members and sign-ins: on every server. */
  const keys = Array.from({ length: 12 }, (_none, id) =>
    admissionKeys(namespace, { id: id + 1, family: `f${id}`, clientId: 'c' }),
  ).flat();
  let group: RedisGroup;
  let writer: RedisClient;
  let redis: RedisClient;
  let flags: AdmissionFlagStore;

  beforeAll(async () => {
    group = await startRedisGroup('cluster');
    const { url } = group;
    writer = connectRedis({ url, logger });
    redis = connectRedis({ url, logger, commandTimeoutMs: 1_000 });
    await until('redis', () => [writer, redis].every(({ status }) => status === 'ready'));
    const prefixes = admissionPrefixes(namespace);
    // Longer than the suite: a flag leaves the memory by an invalidation only.
    flags = createAdmissionFlagStore({ redis, name: 'flags', prefixes, rememberedMs: 600_000, logger });
  });
  afterAll(async () => {
    flags?.close();
    for (const client of [writer, redis]) client?.disconnect();
    await group?.stop();
  });

  const inMemory = () => {
    const held = flags.read(keys);
    if (held instanceof Promise) held.catch(() => undefined);
    return Array.isArray(held);
  };
  const kept = () =>
    until(
      'the flags are in memory',
      async () => {
        await flags.read(keys);
        return inMemory();
      },
      failoverMs,
    );
  /** Reads from memory if a flag is there, as admission does. */
  const read = async (key: string) => (await flags.read([key]))[0];

  it('are cached, and left out of the cache when they change, on each server', async () => {
    await kept();
    for (const key of keys) {
      await writer.set(key, 'ended');
      await until('the change is known', async () => (await read(key)) === 'ended');
      await writer.del(key);
      await until('the change is known', async () => (await read(key)) === null);
    }
    await kept();
    expect(inMemory()).toBe(true);
  });

  it('are read again after a server died, and follow the one that took over', async () => {
    await kept();
    const [key = ''] = keys;
    await group.failOver(key, () => Promise.resolve());
    // Before another server can take over and change them.
    await until('the loss is known', () => !inMemory(), 1_500);
    await until('the other server takes writes', () => writer.set(key, 'ended').catch(() => ''), failoverMs);
    await until('the flag', async () => (await read(key).catch(() => undefined)) === 'ended', failoverMs);
    await kept();
    await writer.del(key);
    await until('the change is known', async () => (await read(key)) === null);
    expect(await read(key)).toBeNull();
  });
});
