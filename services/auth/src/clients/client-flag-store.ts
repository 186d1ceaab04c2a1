import { endedFlag } from '@covalence/contract/admission-flag';
import { endedSeconds, redisKeys } from '@covalence/contract/redis-keys';
import type { RedisClient } from '@covalence/runtime/redis';

/** Creates the store; keys carry the namespace. */
export function createClientFlagStore(redis: RedisClient, namespace: string) {
  return {
    /** Rejects the access tokens of a client application, or accepts them again. */
    async setDisabled(clientId: string, disabled: boolean) {
      const key = redisKeys.ended(namespace, 'client', clientId);
      await (disabled ? redis.set(key, endedFlag, 'EX', endedSeconds) : redis.del(key));
    },
    /** Sets the origins whose pages may call the API. */
    async setOrigins(origins: readonly string[]) {
      await redis.set(redisKeys.origins(namespace), JSON.stringify(origins));
    },
  };
}

/** Store of the client flags that the gateway reads in Redis. */
export type ClientFlagStore = ReturnType<typeof createClientFlagStore>;
