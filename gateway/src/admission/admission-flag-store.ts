import type { Logger } from '@covalence/runtime/logger';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';

/** The flags that admission reads for every request, cached in memory. */
export type AdmissionFlagStore = ReturnType<typeof createAdmissionFlagStore>;

type Flags = readonly (string | null)[];

const rememberedFlags = 200_000;

/** The channel on which Redis announces changed keys to RESP2 connections. */
const channel = '__redis__:invalidate';

/** Subscribes to changes of keys with the prefixes (client-side caching, broadcasting mode). */
async function followChanges(redis: Redis, listener: Redis, prefixes: readonly string[]): Promise<void> {
  const own = await listener.client('ID');
  const named = prefixes.flatMap((prefix) => ['PREFIX', prefix]);
  await listener.call('CLIENT', 'TRACKING', 'ON', 'REDIRECT', String(own), 'BCAST', ...named);
  await listener.subscribe(channel);
  if (redis.status !== 'ready') await new Promise((resolve) => redis.once('ready', resolve));
  // A proxy in between may accept the command and forward nothing: wait for the notification of a test change.
  await redis.set(prefixes[0] ?? '', '', 'PX', 1);
}

/**
 * Creates the store. Flags are cached while a separate connection receives invalidations, which Redis sends before it answers the
 * writer. Without that connection every flag is read from Redis.
 */
export function createAdmissionFlagStore(options: {
  readonly redis: Redis;
  /** Client name of the invalidation connection. */
  readonly name: string;
  /** Key prefixes of all flags. */
  readonly prefixes: readonly string[];
  /** Longest time in the cache, in case the connection is dead without notice. */
  readonly rememberedMs: number;
  readonly logger: Logger;
}) {
  const { redis, name, prefixes, rememberedMs, logger } = options;
  const known = new LRUCache<string, { readonly flag: string | null }>({
    max: rememberedFlags,
    ttl: rememberedMs,
  });
  let follows = false;
  let changes = 0;

  // RESP2: ioredis does not deliver the push messages of RESP3.
  const listener = redis.duplicate({ connectionName: name, protocol: 2, autoResubscribe: false });
  listener.on('error', (error: unknown) =>
    logger.debug({ err: error }, 'no invalidations of flags from redis'),
  );
  listener.on('ready', () => {
    followChanges(redis, listener, prefixes).catch((error: unknown) =>
      logger.warn({ err: error }, 'flags of admission are not cached'),
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
    // Without keys, all of them were flushed.
    if (Array.isArray(keys)) for (const key of keys) known.delete(String(key));
    else known.clear();
  });

  const readOne = async (key: string): Promise<string | null> => {
    const before = changes;
    const flag = await redis.get(key);
    // Do not cache a value that may have changed during the read.
    if (follows && changes === before) known.set(key, { flag });
    return flag;
  };
  return {
    /** Reads flags: synchronously if all are cached, else from Redis. Rejects while Redis is down. */
    read(keys: readonly string[]): Flags | Promise<Flags> {
      const held = keys.map((key) => known.get(key));
      // One pipelined call per key: in a cluster the keys are on different nodes.
      return held.every((one) => one !== undefined)
        ? held.map(({ flag }) => flag)
        : Promise.all(keys.map(readOne));
    },
    close: () => listener.disconnect(),
  };
}
