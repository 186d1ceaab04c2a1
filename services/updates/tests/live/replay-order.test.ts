import { connectRedis } from '@covalence/runtime/redis';
import { createTcpProxy, type TcpProxy } from '@covalence/testing/tcp-proxy';
import { testLogger } from '@covalence/testing/test-logger';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { createHistoryStore, type HistoryStore } from '../../src/live/history-store.ts';
import { memberKeys } from '../../src/live/member-keys.ts';

const likedBy = (profileid: number) =>
  ({ type: 'like', at: new Date().toISOString(), data: { profileid } }) as const;

describe('messages of several processes that Redis lost', () => {
  const namespace = testNamespace('order');
  let redis: Redis;
  let proxies: TcpProxy[];
  let histories: HistoryStore[];
  let member = 0;
  let disconnect: () => void;

  beforeAll(async () => {
    redis = new Redis(testStores().REDIS_URL);
    proxies = await Promise.all([1, 2].map(() => createTcpProxy(testStores().REDIS_URL)));
    const clients = proxies.map(({ url }) => connectRedis({ url, logger: testLogger }));
    const options = { namespace, length: 100, seconds: 3_600, logger: testLogger, clock: () => new Date() };
    histories = clients.map((client) => createHistoryStore(client, options));
    disconnect = () => {
      for (const client of clients) client.disconnect();
    };
    await until('connections', () => clients.every(({ status }) => status === 'ready'));
  });
  afterAll(async () => {
    disconnect?.();
    redis?.disconnect();
    await Promise.all((proxies ?? []).map((proxy) => proxy.close()));
  });
  beforeEach(() => {
    member += 1;
  });

  const eventId = (index: number) => `${member}-${index}`;
  const append = (process: number, index: number) =>
    histories[process]?.append({ member, eventId: eventId(index), update: likedBy(index) });
  /** Event ids and tags, oldest first. */
  const stored = async () => {
    const entries = await redis.xrange(memberKeys(namespace, member).stream, '-', '+');
    return entries.map(([at, fields]) => [at, fields[3], fields[5]]);
  };
  /** Cuts the processes off, and takes back what they wrote after the first message. */
  const lose = async (count: number) => {
    for (const proxy of proxies) proxy.cut();
    const { head, stream, delivered } = memberKeys(namespace, member);
    const [first] = await redis.xrange(stream, '-', '+', 'COUNT', 1);
    await redis.del(stream);
    if (first) await redis.xadd(stream, ...first.flat());
    await redis.hset(head, { number: 1, tag: first?.[1][3] ?? '' });
    for (let index = 2; index <= count; index += 1) await redis.del(delivered(eventId(index)));
  };

  it('come back in their order, before newer ones', async () => {
    for (let index = 1; index <= 6; index += 1) await append(index % 2, index);
    const before = await stored();
    await lose(6);
    for (const proxy of proxies) proxy.restore();
    await until('all', async () => (await stored()).length === 6);
    expect(await stored()).toEqual(before);
    await Promise.all([append(0, 7), append(1, 8)]);
    expect((await stored()).slice(0, 6)).toEqual(before);
  });

  it('come back without those of a process that is gone, after a while', async () => {
    for (let index = 1; index <= 3; index += 1) await append(index % 2, index);
    await lose(3);
    proxies[1]?.restore();
    await until('the third', async () => (await stored()).length === 2, 20_000);
    expect((await stored()).map(([, , id]) => id)).toEqual([eventId(1), eventId(3)]);
    proxies[0]?.restore();
    await until('the second', async () => (await stored()).length === 3, 20_000);
    expect((await stored()).at(-1)?.[2]).toBe(eventId(2));
  });
});
