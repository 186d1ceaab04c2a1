import { consumedQueuesAt, purgeQueuesAt } from '@covalence/events/topology';
import { CommandError } from '@covalence/runtime/command-error';
import { createLogger } from '@covalence/runtime/logger';
import { connectRedis, primariesOf } from '@covalence/runtime/redis';
import { askElasticsearch } from '@covalence/stack/engines/ask-elasticsearch';
import { once } from 'node:events';

/** The stores that hold no data of their own, with accounts that may empty them. */
export interface Copies {
  readonly namespace: string;
  readonly rabbitmq: string;
  readonly redis: string;
  readonly elasticsearch: string;
}

/** Throws while a service runs: it would write between the steps of a restore. */
export async function assertStopped({ rabbitmq, namespace }: Copies): Promise<void> {
  const consumed = await consumedQueuesAt(rabbitmq, namespace);
  if (consumed.length)
    throw new CommandError(`Stop every service first: the queue ${consumed.join(', ')} has consumers.`);
}

const keysPerScan = 1_000;

/** Deletes the keys of the namespace: flags and sessions from after the point. */
async function emptyRedis({ redis: url, namespace }: Copies): Promise<void> {
  const redis = connectRedis({ url, logger: createLogger('restore', 'warn', process.stderr) });
  try {
    await once(redis, 'ready', { signal: AbortSignal.timeout(10_000) });
    for (const server of primariesOf(redis)) {
      let cursor = '0';
      do {
        const [next, keys] = await server.scan(cursor, 'MATCH', `${namespace}:*`, 'COUNT', keysPerScan);
        // One command per key: in a cluster they are in different slots.
        await Promise.all(keys.map((key) => server.unlink(key)));
        cursor = next;
      } while (cursor !== '0');
    }
  } finally {
    redis.disconnect();
  }
}

/** Deletes the indices of members; search creates one at its start and fills it from profile. */
async function deleteIndices({ elasticsearch, namespace }: Copies): Promise<void> {
  const request = (method: string, path: string) =>
    askElasticsearch(elasticsearch, path, { method, limitMs: 60_000 });
  const found = await request('GET', `${namespace}-members-*?allow_no_indices=true&features=aliases`);
  for (const index of Object.keys(JSON.parse(found) as object))
    await request('DELETE', `${index}?ignore_unavailable=true`);
}

/** Empties the stores that are filled from MongoDB again. */
export const emptySteps: Readonly<Record<string, (copies: Copies) => Promise<void>>> = {
  'empty RabbitMQ': ({ rabbitmq, namespace }) => purgeQueuesAt(rabbitmq, namespace),
  'empty Redis': emptyRedis,
  'delete indices': deleteIndices,
};
