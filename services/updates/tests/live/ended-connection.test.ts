import { connectRedis, type RedisClient } from '@covalence/runtime/redis';
import { isUnavailableError } from '@covalence/runtime/unavailable-error';
import { createTcpProxy, type TcpProxy } from '@covalence/testing/tcp-proxy';
import { testLogger } from '@covalence/testing/test-logger';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';

describe('a command whose connection ends before its answer', () => {
  const key = `${testNamespace('redis')}:count`;
  let proxy: TcpProxy;
  let client: RedisClient;
  let observer: Redis;

  beforeAll(async () => {
    proxy = await createTcpProxy(testStores().REDIS_URL);
    observer = new Redis(testStores().REDIS_URL);
    client = connectRedis({ url: proxy.url, logger: testLogger });
    await until('a connection', () => client.status === 'ready');
  });
  afterAll(async () => {
    client?.disconnect();
    observer?.disconnect();
    await proxy?.close();
  });

  it('fails at once and is not sent again, because its caller has given up or repeats it itself', async () => {
    // The server does not come to the second command before the first one ends.
    const commands = [client.blpop(`${key}:list`, 60), client.incr(key)];
    const outcomes = Promise.allSettled(commands);
    await until('the commands to arrive', async () =>
      /cmd=blpop/.test(String(await observer.client('LIST'))),
    );
    proxy.cut();
    const reasons = (await outcomes).map((outcome) => outcome.status === 'rejected' && outcome.reason);
    expect(reasons.map(isUnavailableError)).toEqual([true, true]);
    proxy.restore();
    await until('a connection', () => client.status === 'ready');
    await client.ping();
    expect(await observer.get(key)).toBeNull();
  });
});
