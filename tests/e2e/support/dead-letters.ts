import { redisKeys } from '@covalence/contract/redis-keys';
import type { StackUnderTest } from '@covalence/testing/stack-under-test';
import { testStores } from '@covalence/testing/test-stores';
import { Redis } from 'ioredis';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url));

/** `pnpm covalence events …` against a stack on shared engines; resolves with the exit code and what it printed. */
export function runEvents({ namespace }: StackUnderTest, ...args: readonly string[]) {
  const env = { ...process.env, NAMESPACE: namespace, RABBITMQ_URL: testStores().RABBITMQ_URL };
  return new Promise<{ code: number; out: string }>((resolve) => {
    execFile(process.execPath, [program, 'events', ...args], { env }, (error, out) =>
      resolve({ code: Number(error?.code ?? 0), out }),
    );
  });
}

/** Makes a member's history in Redis something else, so that nothing can be told them; resolves with what mends it. */
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
