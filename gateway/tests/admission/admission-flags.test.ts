import { admissionKeys, admissionPrefixes } from '@covalence/contract/admission-flag';
import { createLogger } from '@covalence/runtime/logger';
import { createTcpProxy } from '@covalence/testing/tcp-proxy';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Redis } from 'ioredis';
import {
  createAdmissionFlagStore,
  type AdmissionFlagStore,
} from '../../src/admission/admission-flag-store.ts';

const token = { id: 7, family: 'f', clientId: 'c' };

it('prefixes every key of a flag', () => {
  const prefixes = admissionPrefixes('n');
  for (const key of admissionKeys('n', token)) {
    expect(prefixes.filter((prefix) => key.startsWith(prefix))).toHaveLength(1);
  }
});

describe('cached flags of admission', () => {
  let writer: Redis;
  let redis: Redis;
  let flags: AdmissionFlagStore;
  let keys: string[];
  let name: string;
  let prefixes: string[];
  const none = [null, null, null];

  beforeAll(() => {
    writer = new Redis(testStores().REDIS_URL);
  });
  afterAll(() => writer.disconnect());
  const open = () => {
    const logger = createLogger('gateway', 'silent');
    flags = createAdmissionFlagStore({ redis, name, prefixes, rememberedMs: 600_000, logger });
  };
  beforeEach(() => {
    const namespace = testNamespace('flags');
    name = `${namespace}-flags`;
    keys = admissionKeys(namespace, token);
    prefixes = admissionPrefixes(namespace);
    redis = new Redis(testStores().REDIS_URL);
    open();
  });
  afterEach(() => {
    flags.close();
    redis.disconnect();
  });

  const inMemory = () => Array.isArray(flags.read(keys));
  const kept = () =>
    until('the flags are in memory', async () => {
      await flags.read(keys);
      return inMemory();
    });
  const listener = async () => {
    const clients = String(await writer.client('LIST')).split('\n');
    return /^id=(\d+)/.exec(clients.find((line) => line.includes(` name=${name} `)) ?? '')?.[1];
  };

  it('are read from Redis once, and again after a change', async () => {
    await kept();
    const get = jest.spyOn(redis, 'get');
    expect(flags.read(keys)).toEqual(none);
    expect(get).not.toHaveBeenCalled();
    for (const key of keys) {
      await writer.set(key, 'ended');
      await until('the change is known', async () => (await flags.read(keys)).includes('ended'));
      await writer.del(key);
      await until('the change is known', async () => !(await flags.read(keys)).includes('ended'));
    }
    await kept();
    expect(flags.read(keys)).toEqual(none);
  });

  it('are not cached if they change during the read', async () => {
    await kept();
    const [first = ''] = keys;
    await writer.set(first, 'ended');
    await until('the change is known', async () => (await flags.read(keys)).includes('ended'));
    await writer.del(first);
    await until('the change is known', () => !inMemory());
    const answer = Promise.withResolvers<string | null>();
    const get = jest.spyOn(redis, 'get').mockReturnValueOnce(answer.promise);
    const reading = flags.read([first]);
    expect(get).toHaveBeenCalledTimes(1);
    await writer.set(first, 'ended');
    // Another reader sees the change, so the store has received it, too.
    await until('the change is known', async () => (await flags.read(keys)).includes('ended'));
    answer.resolve(null);
    expect(await reading).toEqual([null]);
    expect(await flags.read([first])).toEqual(['ended']);
  });

  it('are dropped when all keys are flushed', async () => {
    await kept();
    await writer.publish('__redis__:invalidate', '');
    expect(await until('the flags are forgotten', () => !inMemory())).toBe(true);
    await kept();
  });

  it('are read each time without invalidations', async () => {
    flags.close();
    // The connection that receives changes has a way of its own.
    const way = await createTcpProxy(testStores().REDIS_URL);
    jest.spyOn(redis, 'duplicate').mockImplementation((options = {}) => new Redis(way.url, options));
    open();
    await kept();
    way.cut();
    await until('the flags are forgotten', () => !inMemory());
    await flags.read(keys);
    expect(inMemory()).toBe(false);
    way.restore();
    await kept();
    flags.close();
    await way.close();
  });

  it('are cached although the test of the invalidations failed once', async () => {
    flags.close();
    jest.spyOn(redis, 'set').mockRejectedValueOnce(new Error('CLUSTERDOWN Hash slot not served'));
    open();
    await kept();
    expect(inMemory()).toBe(true);
  });

  it('are dropped when invalidations stop, and cached again when they resume', async () => {
    await kept();
    const id = await until('a connection of its own', listener);
    await writer.client('KILL', 'ID', id);
    await until('the flags are forgotten', () => !inMemory());
    // It comes back by itself, and with it the memory.
    await until('another connection', async () => {
      const next = await listener();
      return next !== undefined && next !== id;
    });
    await kept();
    await writer.set(keys[0] ?? '', 'ended');
    expect(await until('the change is known', async () => (await flags.read(keys)).includes('ended'))).toBe(
      true,
    );
  });
});
