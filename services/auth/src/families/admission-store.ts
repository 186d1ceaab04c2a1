import { admissionOf, endedFlag, endedMessage, flagsAreComplete } from '@covalence/contract/admission-flag';
import { endedSeconds, redisKeys } from '@covalence/contract/redis-keys';
import type { Redis } from 'ioredis';

/** What admission is told, and what it knows, in Redis. */
export interface AdmissionStore {
  /** Refuses the access tokens of families, and closes the sockets that were opened with them. */
  endFamilies(families: readonly { readonly id: string; readonly member: number }[]): Promise<void>;
  /** Refuses the access tokens of a client application, or lets them in again. */
  setClientEnded(clientId: string, ended: boolean): Promise<void>;
  /**
   * What the flags say of a member: `barred`, `good`, or `unknown` where Redis may have lost flags. `good` holds for those
   * who were found good within `standingSeconds`, because older flags are gone.
   */
  standingOf(member: number): Promise<'good' | 'barred' | 'unknown'>;
}

/** Creates the store; keys carry the namespace. */
export function createAdmissionStore(redis: Redis, namespace: string): AdmissionStore {
  const refuse = (key: string) => redis.set(key, endedFlag, 'EX', endedSeconds);
  return {
    async endFamilies(families) {
      await Promise.all(families.map(({ id }) => refuse(redisKeys.ended(namespace, 'family', id))));
      const told = families.filter(({ member }) => member);
      await Promise.all(
        told.map(({ id, member }) => redis.publish(redisKeys.live(namespace, member), endedMessage(id))),
      );
    },
    async setClientEnded(clientId, ended) {
      const key = redisKeys.ended(namespace, 'client', clientId);
      await (ended ? refuse(key) : redis.del(key));
    },
    async standingOf(member) {
      const keys = [redisKeys.flagsComplete(namespace), redisKeys.deactivated(namespace, member)];
      const [complete, flag = null] = await redis.mget(keys);
      // A token issued from now on is not concerned by what ended earlier ones.
      if (admissionOf([flag], Number.MAX_SAFE_INTEGER) !== 'good') return 'barred';
      return complete === flagsAreComplete ? 'good' : 'unknown';
    },
  };
}
