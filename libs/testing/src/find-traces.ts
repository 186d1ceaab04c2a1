import { createLogger } from '@covalence/runtime/logger';
import { connectRedis, primariesOf, type RedisClient } from '@covalence/runtime/redis';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { testStores, type TestStores } from './test-stores.ts';
import { withDatabases } from './with-databases.ts';

/** The texts and numbers to search for, and the stores to search. */
export interface TraceSearch {
  readonly namespace: string;
  /** Texts, which match anywhere and in any case, and numbers, which match as a whole. */
  readonly of: readonly (string | number)[];
  readonly photoDir?: string;
  /** Redis keys to skip, e.g. keys that expire within a day. */
  readonly skipKeys?: RegExp;
  /** The engines; default: those of the test run. */
  readonly stores?: TestStores;
}

const escape = (text: string) => text.replaceAll(/[^\w]/g, '\\$&');
const patternOf = (traces: TraceSearch['of']) =>
  new RegExp(
    traces.map((trace) => (typeof trace === 'number' ? `(?<!\\d)${trace}(?!\\d)` : escape(trace))).join('|'),
    'i',
  );

function inMongo(url: string, namespace: string, pattern: RegExp): Promise<string[]> {
  return withDatabases(async (connection) => {
    const { databases } = await connection.listDatabases();
    const found: string[] = [];
    for (const { name } of databases.filter((each) => each.name.startsWith(`${namespace}-`))) {
      const database = connection.useDb(name);
      for (const { name: collection } of await database.listCollections()) {
        const documents = await database.collection(collection).find().toArray();
        const texts = documents.map((document) => JSON.stringify(document));
        found.push(
          ...texts.filter((text) => pattern.test(text)).map((text) => `${name}.${collection}: ${text}`),
        );
      }
    }
    return found;
  }, url);
}

const readers: Readonly<Record<string, (redis: RedisClient, key: string) => Promise<unknown>>> = {
  string: (redis, key) => redis.get(key),
  hash: (redis, key) => redis.hgetall(key),
  set: (redis, key) => redis.smembers(key),
  zset: (redis, key) => redis.zrange(key, 0, '-1'),
  stream: (redis, key) => redis.xrange(key, '-', '+'),
};

async function inRedis(
  { namespace, skipKeys }: TraceSearch,
  url: string,
  pattern: RegExp,
): Promise<string[]> {
  const redis = connectRedis({ url, logger: createLogger('test', 'silent') });
  try {
    await once(redis, 'ready');
    const ofServers = primariesOf(redis).map((server) => server.keys(`${namespace}:*`));
    const keys = (await Promise.all(ofServers)).flat().filter((key) => !skipKeys?.test(key));
    const texts = await Promise.all(
      keys.map(
        async (key) => `${key}: ${JSON.stringify(await readers[await redis.type(key)]?.(redis, key))}`,
      ),
    );
    return texts.filter((text) => pattern.test(text));
  } finally {
    redis.disconnect();
  }
}

async function inElasticsearch(url: string, namespace: string, pattern: RegExp): Promise<string[]> {
  const post = (path: string) =>
    fetch(new URL(path, url), { method: 'POST', headers: { 'Content-Type': 'application/json' } });
  await post(`/${namespace}-*/_refresh`);
  const response = await post(`/${namespace}-*/_search?size=10000`);
  const { hits } = (await response.json()) as { hits: { hits: object[] } };
  const texts = hits.hits.map((hit) => JSON.stringify(hit));
  return texts.filter((text) => pattern.test(text));
}

/**
 * Everything in the databases, indices, Redis and photo folder of a namespace that contains one of the texts
 * or numbers. Used to verify erasures.
 */
export async function findTraces(search: TraceSearch): Promise<string[]> {
  const { namespace, photoDir, stores = testStores() } = search;
  const pattern = patternOf(search.of);
  const files = photoDir === undefined ? [] : await readdir(photoDir, { recursive: true });
  const found = await Promise.all([
    inMongo(stores.MONGODB_URL, namespace, pattern),
    inRedis(search, stores.REDIS_URL, pattern),
    inElasticsearch(stores.ELASTICSEARCH_URL, namespace, pattern),
  ]);
  return [...found.flat(), ...files.filter((file) => pattern.test(file))];
}
