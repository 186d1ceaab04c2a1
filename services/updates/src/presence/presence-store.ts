import { onlineSeconds, redisKeys } from '@covalence/contract/redis-keys';
import { chunks } from '@covalence/runtime/chunks';
import type { RedisClient } from '@covalence/runtime/redis';
import { randomUUID } from 'node:crypto';

/** A member whose presence is to be checked, and the time (ms) when that is due; below zero requires a call to profile. */
export interface Due {
  readonly id: number;
  readonly at: number;
}

/** A checked member; `next` is the time of the next check, if any. */
export interface Checked extends Due {
  readonly next: number | undefined;
}

/** Presence as it was sent to connections. */
export type PresenceStore = ReturnType<typeof createPresenceStore>;

const onlineMs = onlineSeconds * 1_000;

/** Subtracted from a time to sort it before all repeated checks. */
const beforeAll = 1e15;

const leaseMs = 15_000;
const perCall = 1_000;

/** KEYS lease; ARGV holder, ms. Returns 2 when it was free, 1 when renewed, 0 when another process holds it. */
const holdScript = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return holder and 1 or 2
`;

const holdResults = ['elsewhere', 'renewed', 'new'] as const;

/** KEYS due; ARGV in threes: member, the time that was read, the next one or nothing. */
const settleScript = `
for i = 1, #ARGV, 3 do
  local at = redis.call('ZSCORE', KEYS[1], ARGV[i])
  if at and tonumber(at) == tonumber(ARGV[i + 1]) then
    if ARGV[i + 2] == '' then redis.call('ZREM', KEYS[1], ARGV[i])
    else redis.call('ZADD', KEYS[1], ARGV[i + 2], ARGV[i]) end
  end
end
return 1
`;

/** Creates the store on Redis; a socket counts for `presentMs` after each heartbeat. Each command uses one key, for clusters. */
export function createPresenceStore(redis: RedisClient, namespace: string, presentMs: number) {
  const keys = {
    lease: `${namespace}:presence:lease`,
    /** A sorted set of the members to check, by time. */
    due: `${namespace}:presence:due`,
    /** The set of members that were reported online. */
    shown: `${namespace}:presence:shown`,
    seen: redisKeys.seen(namespace),
    present: redisKeys.present(namespace),
  };
  const holder = randomUUID();

  const schedule = async (ids: readonly string[], mode: 'always' | 'new'): Promise<void> => {
    // A new number each time, so that `settle` notices a repeated request.
    const at = Date.now() - beforeAll;
    for (const some of chunks(ids, perCall)) {
      const pairs = some.flatMap((id) => [at, id]);
      if (mode === 'new') await redis.zadd(keys.due, 'NX', ...pairs);
      else await redis.zadd(keys.due, ...pairs);
    }
  };

  return {
    /** Acquires or renews the lease, which one process holds at a time. */
    async hold(): Promise<(typeof holdResults)[number]> {
      const result = Number(await redis.eval(holdScript, 1, keys.lease, holder, leaseMs));
      return holdResults[result] ?? 'elsewhere';
    },
    async release(): Promise<void> {
      if ((await redis.get(keys.lease)) === holder) await redis.del(keys.lease);
    },
    /** Schedules a check of members who called or had a socket since a time (ms); without one, of everyone who is active. */
    async scheduleActive(now: number, since?: number): Promise<void> {
      const from = { seen: since ?? now - onlineMs, present: since === undefined ? now : since + presentMs };
      const [seen, present] = await Promise.all([
        redis.zrange(keys.seen, from.seen, '+inf', 'BYSCORE'),
        redis.zrange(keys.present, from.present, '+inf', 'BYSCORE'),
      ]);
      await schedule([...seen, ...present], 'new');
    },
    /** Schedules a check of members with a call to profile. */
    recheck: (ids: readonly number[]) => schedule(ids.map(String), 'always'),
    /** The due members: first those that require a call to profile, then the longest waiting. */
    async due(now: number, limit: number): Promise<Due[]> {
      const flat = await redis.zrangebyscore(keys.due, '-inf', now, 'WITHSCORES', 'LIMIT', 0, limit);
      return flat.flatMap((id, index) =>
        index % 2 ? [] : [{ id: Number(id), at: Number(flat[index + 1]) }],
      );
    },
    /** Until when each member counts as active, ms; 0 if unknown. */
    async activeUntil(ids: readonly number[]): Promise<number[]> {
      if (!ids.length) return [];
      const [seen, present] = await Promise.all(
        [keys.seen, keys.present].map((key) => redis.zmscore(key, ...ids.map(String))),
      );
      return ids.map((_id, index) => {
        const called = seen?.[index];
        return Math.max(called ? Number(called) + onlineMs : 0, Number(present?.[index] ?? 0));
      });
    },
    /** Whether each member was last reported online. */
    async areOnline(ids: readonly number[]): Promise<boolean[]> {
      if (!ids.length) return [];
      return (await redis.smismember(keys.shown, ...ids.map(String))).map((answer) => answer === 1);
    },
    async setOnline(id: number, shown: boolean): Promise<void> {
      await (shown ? redis.sadd(keys.shown, id) : redis.srem(keys.shown, id));
    },
    /** Sets the next checks; a member named by `recheck` meanwhile stays due. */
    async settle(checked: readonly Checked[]): Promise<void> {
      for (const some of chunks(checked, perCall)) {
        const entries = some.flatMap(({ id, at, next }) => [id, at, next ?? '']);
        await redis.eval(settleScript, 1, keys.due, ...entries);
      }
    },
    async forget(id: number): Promise<void> {
      await redis.zrem(keys.due, String(id));
      await redis.srem(keys.shown, String(id));
    },
  };
}
