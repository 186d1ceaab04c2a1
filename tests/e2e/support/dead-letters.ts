import { redisKeys } from '@covalence/contract/redis-keys';
import type { StackUnderTest } from '@covalence/testing/stack-under-test';
import { testStores } from '@covalence/testing/test-stores';
import { Redis } from 'ioredis';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../cli/dist/covalence.js', import.meta.url));

/** Runs `covalence events …` on a stack with shared engines; resolves with exit code and output. */
export function runEvents({ namespace }: StackUnderTest, ...args: readonly string[]) {
  const env = { ...process.env, NAMESPACE: namespace, RABBITMQ_URL: testStores().RABBITMQ_URL };
  return new Promise<{ code: number; out: string }>((resolve) => {
    execFile(process.execPath, [program, 'events', ...args], { env }, (error, out) =>
      resolve({ code: Number(error?.code ?? 0), out }),
    );
  });
}

/** Corrupts the Redis history of a member, so that its live updates fail; resolves with a function that repairs it. */
export async function spoilHistory(
  { namespace }: StackUnderTest,
  member: number,
): Promise<() => Promise<void>> {
  const redis = new Redis(testStores().REDIS_URL);
  const head = `${redisKeys.live(namespace, member)}:head`;
  const kept = `${head}:kept`;
  await redis.multi().rename(head, kept).set(head, 'spoiled').exec();
  return async () => {
    await redis.multi().rename(kept, head).exec();
    await redis.quit();
  };
}
