import { flagsAreComplete, flagText, type Bar } from '@covalence/contract/admission-flag';
import { flagSeconds, redisKeys } from '@covalence/contract/redis-keys';
import type { Logger } from '@covalence/runtime/logger';
import { serversOf, type RedisClient } from '@covalence/runtime/redis';
import type { Sighting } from '../document/presence.ts';

/** Last seen times, open sockets and the flag of members whose tokens are refused, all in Redis. */
export type PresenceStore = ReturnType<typeof createPresenceStore>;

const scoreOf = (text: string | null | undefined): number | null =>
  text === null || text === undefined ? null : Number(text);

const scores = (flat: readonly string[]): Map<number, number> => {
  const found = new Map<number, number>();
  for (let index = 0; index + 1 < flat.length; index += 2) {
    found.set(Number(flat[index]), Number(flat[index + 1]));
  }
  return found;
};

/** Creates the store; `namespace` is the stack's. */
export function createPresenceStore(redis: RedisClient, namespace: string, logger: Logger) {
  const seenKey = redisKeys.seen(namespace);
  const presentKey = redisKeys.present(namespace);
  /** The mark of complete flags, with the servers at the beginning of the round. */
  let complete = flagsAreComplete;

  const sightings = async (ids: readonly number[], now: Date) => {
    const members = ids.map(String);
    const [seen, present] = await Promise.all([
      redis.zmscore(seenKey, ...members),
      redis.zmscore(presentKey, ...members),
    ]);
    const entries = ids.map((id, index) => {
      const until = scoreOf(present[index]);
      return [id, { seen: scoreOf(seen[index]), present: until !== null && until > now.getTime() }] as const;
    });
    return new Map(entries);
  };

  return {
    /** By member id; empty while Redis is down, so that callers use the member documents. */
    async read(ids: readonly number[], now: Date): Promise<Map<number, Sighting>> {
      if (!ids.length) return new Map();
      try {
        return await sightings(ids, now);
      } catch (error) {
        logger.warn({ err: error }, 'presence read from member documents because Redis is down');
        return new Map();
      }
    },
    /** Members seen or present since a time, with the time in ms. */
    async seenSince(since: Date, now: Date): Promise<Map<number, number>> {
      const [seen, present] = await Promise.all([
        redis.zrange(seenKey, since.getTime(), '+inf', 'BYSCORE', 'WITHSCORES'),
        redis.zrange(presentKey, now.getTime(), '+inf', 'BYSCORE', 'WITHSCORES'),
      ]);
      const found = scores(seen);
      for (const id of scores(present).keys()) found.set(id, now.getTime());
      return found;
    },
    /** Sets or clears the flag that admission reads, and auth before a refresh. */
    async setBar(id: number, bar: Bar | undefined) {
      const key = redisKeys.deactivated(namespace, id);
      if (bar) await redis.set(key, flagText(bar), 'EX', flagSeconds);
      else await redis.del(key);
    },
    /**
     * Whether every flag of the last `flagSeconds` is set, and no server was replaced or restarted since. If not, the caller has
     * `seconds` to set them again.
     */
    async flagsComplete(seconds: number): Promise<boolean> {
      const key = redisKeys.flagsComplete(namespace);
      complete = `${flagsAreComplete} ${await serversOf(redis)}`;
      if ((await redis.get(key)) === complete) return true;
      await redis.set(key, 'begun', 'EX', seconds);
      return false;
    },
    /** Marks the flags as complete for `seconds`, unless Redis lost its data since `flagsComplete`. */
    async setFlagsComplete(seconds: number) {
      await redis.set(redisKeys.flagsComplete(namespace), complete, 'EX', seconds, 'XX');
    },
    async forget(id: number) {
      await redis.zrem(seenKey, String(id));
      await redis.zrem(presentKey, String(id));
      await redis.del(redisKeys.deactivated(namespace, id));
    },
  };
}
