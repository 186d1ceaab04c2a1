import { admissionOf, endedFlag, endedMessage, flagsAreComplete } from '@covalence/contract/admission-flag';
import { endedSeconds, redisKeys } from '@covalence/contract/redis-keys';
import type { Redis } from 'ioredis';
import { inGroups } from './in-groups.ts';

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
  /** One read for all that ask in the same turn of the event loop. */
  const standingsOf = async (members: readonly number[]) => {
    const keys = members.map((member) => redisKeys.deactivated(namespace, member));
    const [complete, ...flags] = await redis.mget([redisKeys.flagsComplete(namespace), ...keys]);
    return members.map((_member, index) => {
      // A token issued from now on is not concerned by what ended earlier ones.
      if (admissionOf([flags[index] ?? null], Number.MAX_SAFE_INTEGER) !== 'good') return 'barred';
      return complete === flagsAreComplete ? 'good' : 'unknown';
    });
  };
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
    // Nobody waits for another group: where Redis hangs, each gives up after its own time.
    standingOf: inGroups(standingsOf, Infinity),
  };
}
