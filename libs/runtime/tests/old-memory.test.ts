import { leftInOldMemory } from '@covalence/testing/old-memory';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { describe, expect, it } from '@jest/globals';
import { createHealth } from '../src/health.ts';
import { createLogger } from '../src/logger.ts';
import { connectMongo, mongoReady } from '../src/mongo.ts';
import { connectRedis } from '../src/redis.ts';
import { inSpan } from '../src/tracing.ts';

const step = () => inSpan({ name: 'step' }, () => Promise.resolve());

describe('what is over leaves nothing in old memory', () => {
  it('of a command to Redis', async () => {
    const redis = connectRedis({ url: testStores().REDIS_URL, logger: createLogger('test', 'fatal') });
    await until('Redis', () => redis.status === 'ready');
    const key = testNamespace('left');
    const value = 'x'.repeat(40_000);
    expect(await leftInOldMemory(() => redis.set(key, value, 'EX', 60))).toBeLessThan(4_000);
    await redis.quit();
  });

  it('of commands that go to Redis at once', async () => {
    const redis = connectRedis({ url: testStores().REDIS_URL, logger: createLogger('test', 'fatal') });
    await until('Redis', () => redis.status === 'ready');
    const key = testNamespace('left');
    await redis.set(key, 'x'.repeat(20_000), 'EX', 600);
    expect(await leftInOldMemory(() => redis.pipeline().get(key).get(key).exec())).toBeLessThan(1_000);
    await redis.quit();
  });

  it('of queries to MongoDB, each begun before the last one is over', async () => {
    const connection = connectMongo({
      url: testStores().MONGODB_URL,
      database: testNamespace('left'),
      logger: createLogger('test', 'fatal'),
      health: createHealth(),
    });
    await mongoReady(connection);
    const collection = connection.collection('texts');
    await collection.insertMany(Array.from({ length: 20 }, () => ({ text: 'x'.repeat(2_000) })));
    let before: Promise<unknown> = Promise.resolve();
    const beginOne = async () => {
      const one = collection.find().toArray();
      await before;
      before = one;
    };
    expect(await leftInOldMemory(beginOne)).toBeLessThan(2_000);
    await before;
    await connection.dropDatabase();
    await connection.close();
  });

  it('of a step of a trace', async () => {
    expect(await leftInOldMemory(step)).toBeLessThan(200);
  });
});
