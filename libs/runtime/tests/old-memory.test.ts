import { leftInOldMemory } from '@covalence/testing/old-memory';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../src/logger.ts';
import { connectRedis } from '../src/redis.ts';
import { inStep } from '../src/tracing.ts';

const step = () => inStep({ name: 'step' }, () => Promise.resolve());

describe('what is over leaves nothing in old memory', () => {
  it('of a command to Redis', async () => {
    const redis = connectRedis({ url: testStores().REDIS_URL, logger: createLogger('test', 'fatal') });
    await until('Redis', () => redis.status === 'ready');
    const key = testNamespace('left');
    const value = 'x'.repeat(40_000);
    expect(await leftInOldMemory(() => redis.set(key, value, 'EX', 60))).toBeLessThan(4_000);
    await redis.quit();
  });

  it('of a step of a trace', async () => {
    expect(await leftInOldMemory(step)).toBeLessThan(200);
  });
});
