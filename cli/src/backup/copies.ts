import { consumedQueuesAt, purgeQueuesAt } from '@covalence/events/topology';
import { CommandError } from '@covalence/runtime/command-error';
import { firstAnswer } from '@covalence/runtime/first-answer';
import { hostsOf } from '@covalence/runtime/host-urls';
import { createLogger } from '@covalence/runtime/logger';
import { connectRedis, primariesOf } from '@covalence/runtime/redis';
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

/** Calls a host of Elasticsearch; throws on an error status. */
async function askElasticsearch(host: string, method: string, path: string): Promise<object> {
  const { username, password, origin, pathname } = new URL(host);
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const headers = new Headers();
  if (username) headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
  const url = `${origin}${pathname.replace(/\/$/, '')}/${path}`;
  const answer = await fetch(url, { method, headers, signal: AbortSignal.timeout(60_000) });
  if (!answer.ok) throw new CommandError(`Elasticsearch answers ${answer.status} to ${method} /${path}.`);
  return (await answer.json()) as object;
}

/** Deletes the indices of members; search creates one at its start and fills it from profile. */
async function deleteIndices({ elasticsearch, namespace }: Copies): Promise<void> {
  const request = (method: string, path: string) =>
    firstAnswer(hostsOf(elasticsearch), (host) => askElasticsearch(host, method, path));
  const found = await request('GET', `${namespace}-members-*?allow_no_indices=true&features=aliases`);
  for (const index of Object.keys(found)) await request('DELETE', `${index}?ignore_unavailable=true`);
}

/** Empties the stores that are filled from MongoDB again. */
export const emptySteps: Readonly<Record<string, (copies: Copies) => Promise<void>>> = {
  'empty RabbitMQ': ({ rabbitmq, namespace }) => purgeQueuesAt(rabbitmq, namespace),
  'empty Redis': emptyRedis,
  'delete indices': deleteIndices,
};
