import type { Logger } from '@covalence/runtime/logger';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';

/** The flags that admission asks for at every request, read from memory where that is as good as Redis. */
export interface AdmissionFlagStore {
  /** The flags at these keys; at once, and no promise, when all of them are in memory. Rejects while Redis is away. */
  read(keys: readonly string[]): Flags | Promise<Flags>;
  close(): void;
}

type Flags = readonly (string | null)[];

const rememberedFlags = 200_000;

/** Where Redis tells a connection of RESP2 which keys have changed. */
const channel = '__redis__:invalidate';

/** Has Redis send every change under the prefixes to the listener (client-side caching, broadcasting mode). */
async function followChanges(redis: Redis, listener: Redis, prefixes: readonly string[]): Promise<void> {
  const own = await listener.client('ID');
  const named = prefixes.flatMap((prefix) => ['PREFIX', prefix]);
  await listener.call('CLIENT', 'TRACKING', 'ON', 'REDIRECT', String(own), 'BCAST', ...named);
  await listener.subscribe(channel);
  if (redis.status !== 'ready') await new Promise((resolve) => redis.once('ready', resolve));
  // What stands between may agree to all of it and pass nothing on: only a change that is told shows that they are.
  await redis.set(prefixes[0] ?? '', '', 'PX', 1);
}

/**
 * Creates the store. A flag is kept while a connection of its own hears from Redis of every change, which Redis sends before
 * it answers whoever made it; without that connection every flag is read anew.
 */
export function createAdmissionFlagStore(options: {
  readonly redis: Redis;
  /** Names the connection of its own among Redis' clients. */
  readonly name: string;
  /** What the keys of all flags begin with. */
  readonly prefixes: readonly string[];
  /** How long a flag is kept at most, for a connection may be dead and not show it. */
  readonly rememberedMs: number;
  readonly logger: Logger;
}): AdmissionFlagStore {
  const { redis, name, prefixes, rememberedMs, logger } = options;
  const known = new LRUCache<string, { readonly flag: string | null }>({
    max: rememberedFlags,
    ttl: rememberedMs,
  });
  let follows = false;
  let changes = 0;

  // RESP2, because ioredis does not pass on the pushes of RESP3.
  const listener = redis.duplicate({ connectionName: name, protocol: 2, autoResubscribe: false });
  listener.on('error', (error: unknown) => logger.debug({ err: error }, 'redis tells of no changed flags'));
  listener.on('ready', () => {
    followChanges(redis, listener, prefixes).catch((error: unknown) =>
      logger.warn({ err: error }, 'every flag of admission is read from redis'),
    );
  });
  listener.on('close', () => {
    follows = false;
    changes += 1;
    known.clear();
  });
  listener.on('messageBuffer', (_channel, keys: unknown) => {
    follows = true;
    changes += 1;
    // Redis names no keys when all of them are gone.
    if (Array.isArray(keys)) for (const key of keys) known.delete(String(key));
    else known.clear();
  });

  const readOne = async (key: string): Promise<string | null> => {
    const before = changes;
    const flag = await redis.get(key);
    // What changed while it was on its way may have been this one.
    if (follows && changes === before) known.set(key, { flag });
    return flag;
  };
  return {
    read(keys) {
      const held = keys.map((key) => known.get(key));
      // One call per key, sent together and not as one: in a cluster they live on different nodes.
      return held.every((one) => one !== undefined)
        ? held.map(({ flag }) => flag)
        : Promise.all(keys.map(readOne));
    },
    close: () => listener.disconnect(),
  };
}
