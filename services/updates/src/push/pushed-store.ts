import type { Redis } from 'ioredis';

/** Events that members' devices were told of. */
export interface PushedStore {
  /** Those of the events, by key, that no device was told of yet. */
  fresh(keys: readonly string[]): Promise<boolean[]>;
  mark(key: string): Promise<void>;
}

/** As long as the histories keep what they told. */
const seconds = 86_400;

/** Creates the store on Redis. */
export function createPushedStore(redis: Redis, namespace: string): PushedStore {
  const nameOf = (key: string) => `${namespace}:pushed:${key}`;
  return {
    fresh: (keys) => Promise.all(keys.map(async (key) => (await redis.exists(nameOf(key))) === 0)),
    mark: async (key) => void (await redis.set(nameOf(key), '1', 'EX', seconds)),
  };
}
