import type { Logger } from '@covalence/runtime/logger';
import type { RedisClient } from '@covalence/runtime/redis';
import { followPrimaries } from '@covalence/runtime/redis-primaries';
import { Cluster, type Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';

/** The flags that admission reads for every request, cached in memory. */
export type AdmissionFlagStore = ReturnType<typeof createAdmissionFlagStore>;

/** Undefined where the server of the flag is down. */
type Flags = readonly (string | null | undefined)[];

const rememberedFlags = 200_000;
/** Time between two attempts to receive invalidations. */
const retryMs = 1_000;

/** The channel on which Redis announces changed keys to RESP2 connections. */
const channel = '__redis__:invalidate';

/** Subscribes to changes of keys with the prefixes on one server (client-side caching, broadcasting mode). */
async function followChanges(listener: Redis, prefixes: readonly string[]): Promise<void> {
  const own = await listener.client('ID');
  const named = prefixes.flatMap((prefix) => ['PREFIX', prefix]);
  await listener.call('CLIENT', 'TRACKING', 'ON', 'REDIRECT', String(own), 'BCAST', ...named);
  await listener.subscribe(channel);
}

/**
 * Creates the store. A flag is cached while a separate connection to its server receives invalidations, which Redis sends before it
 * answers the writer. Without that connection the flag is read from Redis.
 */
export function createAdmissionFlagStore(options: {
  readonly redis: RedisClient;
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
  /** Connections that have received an invalidation. */
  const following = new Set<Redis>();
  let changes = 0;
  const forgetAll = () => {
    changes += 1;
    known.clear();
  };

  const follow = async (listener: Redis): Promise<void> => {
    await followChanges(listener, prefixes);
    if (redis.status !== 'ready') await new Promise((resolve) => redis.once('ready', resolve));
    // A proxy in between may accept the commands and forward nothing: wait for the notification of a test change.
    const key = primaries.keyAt(listener, prefixes[0] ?? '');
    if (key === undefined) throw new Error('no key of the server is known');
    await redis.set(key, '', 'PX', 1);
  };

  // RESP2: ioredis does not deliver the push messages of RESP3.
  const ofListener = { connectionName: name, protocol: 2, autoResubscribe: false } as const;
  const primaries = followPrimaries(
    redis instanceof Cluster ? redis : redis.duplicate(ofListener),
    ofListener,
    (listener) => {
      listener.on('error', (error: unknown) =>
        logger.debug({ err: error }, 'receiving invalidations of flags from Redis failed'),
      );
      listener.on('ready', () => {
        follow(listener).catch((error: unknown) => {
          logger.warn({ err: error }, 'caching admission flags failed: will retry');
          setTimeout(() => {
            if (listener.status === 'ready') listener.disconnect(true);
          }, retryMs).unref();
        });
      });
      listener.on('close', () => {
        following.delete(listener);
        forgetAll();
      });
      listener.on('messageBuffer', (_channel, keys: unknown) => {
        following.add(listener);
        changes += 1;
        // Without keys, all of them were flushed.
        if (Array.isArray(keys)) for (const key of keys) known.delete(String(key));
        else known.clear();
      });
    },
    // A former owner may have sent nothing about the last changes.
    (hasChanged) => {
      if (hasChanged) forgetAll();
    },
  );

  const readOne = async (key: string): Promise<string | null | undefined> => {
    const before = changes;
    const flag = await redis.get(key).catch((error: unknown) => {
      logger.debug({ err: error }, 'admission continues without a flag');
    });
    if (flag === undefined) return undefined;
    const owner = primaries.ownerOf(key);
    // Do not cache a value that may have changed during the read.
    if (owner && following.has(owner) && changes === before) known.set(key, { flag });
    return flag;
  };
  return {
    /** Reads flags: synchronously if all are cached, else from Redis. */
    read(keys: readonly string[]): Flags | Promise<Flags> {
      const held = keys.map((key) => known.get(key));
      // One pipelined call per key: in a cluster the keys are on different nodes.
      return held.every((one) => one !== undefined)
        ? held.map(({ flag }) => flag)
        : Promise.all(held.map(async (one, at) => (one ? one.flag : readOne(keys[at] ?? ''))));
    },
    close: () => primaries.close(),
  };
}
