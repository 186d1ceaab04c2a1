import type { Redis } from 'ioredis';

/** Something short-lived as it is kept. */
export interface ShortLived {
  readonly payload: string;
  /** Seconds since the epoch when it was used; undefined when it was not. */
  readonly consumed: number | undefined;
}

/** Codes, sessions, interactions and answers to refreshes, in Redis. */
export interface ShortLivedStore {
  save(kind: string, id: string, payload: string, seconds: number): Promise<void>;
  find(kind: string, id: string): Promise<ShortLived | undefined>;
  /** Marks it used; false when it was used before. */
  consume(kind: string, id: string, at: number): Promise<boolean>;
  remove(kind: string, id: string): Promise<void>;
}

/** Creates the store; keys carry the namespace. */
export function createShortLivedStore(redis: Redis, namespace: string): ShortLivedStore {
  const keyOf = (kind: string, id: string) => `${namespace}:auth:${kind}:${id}`;
  return {
    async save(kind, id, payload, seconds) {
      const key = keyOf(kind, id);
      const writes = redis
        .multi()
        .hset(key, { payload })
        .expire(key, Math.max(1, Math.ceil(seconds)));
      for (const [error] of (await writes.exec()) ?? []) if (error) throw error;
    },
    async find(kind, id) {
      const { payload, consumed } = await redis.hgetall(keyOf(kind, id));
      return payload === undefined
        ? undefined
        : { payload, consumed: consumed ? Number(consumed) : undefined };
    },
    async consume(kind, id, at) {
      return (await redis.hsetnx(keyOf(kind, id), 'consumed', String(at))) === 1;
    },
    async remove(kind, id) {
      await redis.del(keyOf(kind, id));
    },
  };
}
