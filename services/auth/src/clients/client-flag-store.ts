import { endedFlag } from '@covalence/contract/admission-flag';
import { endedSeconds, redisKeys } from '@covalence/contract/redis-keys';
import type { Redis } from 'ioredis';

/** What the gateway reads about clients in Redis. */
export interface ClientFlagStore {
  /** Rejects the access tokens of a client application, or accepts them again. */
  setDisabled(clientId: string, disabled: boolean): Promise<void>;
  /** Sets the origins whose pages may call the API. */
  setOrigins(origins: readonly string[]): Promise<void>;
}

/** Creates the store; keys carry the namespace. */
export function createClientFlagStore(redis: Redis, namespace: string): ClientFlagStore {
  return {
    async setDisabled(clientId, disabled) {
      const key = redisKeys.ended(namespace, 'client', clientId);
      await (disabled ? redis.set(key, endedFlag, 'EX', endedSeconds) : redis.del(key));
    },
    async setOrigins(origins) {
      await redis.set(redisKeys.origins(namespace), JSON.stringify(origins));
    },
  };
}
