import { admissionOf, endedFlag, endedMessage, flagsAreComplete } from '@covalence/contract/admission-flag';
import { ephemeralMessage, type UpdateBody } from '@covalence/contract/live-updates';
import { endedSeconds, redisKeys } from '@covalence/contract/redis-keys';
import { publish, type RedisClient } from '@covalence/runtime/redis';
import { settle } from '@covalence/runtime/settle';
import { randomUUID } from 'node:crypto';

/** Creates the store; keys carry the namespace. */
export function createRevocationStore(redis: RedisClient, namespace: string) {
  const revoke = async ({ id, member }: { readonly id: string; readonly member: number }) => {
    await redis.set(redisKeys.ended(namespace, 'family', id), endedFlag, 'EX', endedSeconds);
    if (member) await publish(redis, redisKeys.live(namespace, member), endedMessage(id));
  };
  return {
    /** Rejects the access tokens of families and closes the sockets opened with them. */
    async revokeFamilies(families: readonly { readonly id: string; readonly member: number }[]) {
      await settle(families.map(revoke));
    },
    /** Sends a live update that no history keeps to the open sockets of a member. */
    async alertSockets(member: number, update: UpdateBody) {
      const tag = randomUUID().slice(-8);
      await publish(redis, redisKeys.live(namespace, member), ephemeralMessage(tag, JSON.stringify(update)));
    },
    /**
     * The state of a member by the flags; `unknown` when Redis may have lost flags. `active` holds for
     * members who were active within `memberCheckSeconds`, because older flags have expired.
     */
    async memberState(member: number): Promise<'active' | 'inactive' | 'unknown'> {
      const [flag, complete] = await Promise.all([
        redis.get(redisKeys.deactivated(namespace, member)),
        redis.get(redisKeys.flagsComplete(namespace)),
      ]);
      // The time of issue is the largest possible: flags against earlier tokens do not matter for the next one.
      if (admissionOf([flag], Number.MAX_SAFE_INTEGER) !== 'good') return 'inactive';
      return complete?.split(' ')[0] === flagsAreComplete ? 'active' : 'unknown';
    },
  };
}

/** Revocations in Redis, which the gateway and the live-updates service check. */
export type RevocationStore = ReturnType<typeof createRevocationStore>;
