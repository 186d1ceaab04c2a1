import { redisKeys } from '@covalence/contract/redis-keys';
import { createLogger } from '@covalence/runtime/logger';
import { connectRedis } from '@covalence/runtime/redis';
import { once } from 'node:events';
import { testStores } from './test-stores.ts';

/** Corrupts the Redis history of a member, so that its live updates fail; resolves with a function that repairs it. */
export async function spoilHistory(
  { namespace }: { readonly namespace: string },
  member: number,
): Promise<() => Promise<void>> {
  const logger = createLogger('test', 'silent');
  const redis = connectRedis({ url: testStores().REDIS_URL, logger });
  await once(redis, 'ready');
  const head = `${redisKeys.live(namespace, member)}:head`;
  const kept = `${head}:kept`;
  await redis.multi().rename(head, kept).set(head, 'spoiled').exec();
  return async () => {
    await redis.multi().rename(kept, head).exec();
    await redis.quit();
  };
}
