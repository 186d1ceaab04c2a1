import { onlineSeconds, redisKeys } from '@covalence/contract/redis-keys';
import { chunks } from '@covalence/runtime/chunks';
import type { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';

/** A member whose presence is to be checked, and the time (ms) when that is due; below zero means profile has to be asked. */
export interface Due {
  readonly id: number;
  readonly at: number;
}

/** A checked member; `next` is the time of the next check, if any. */
export interface Checked extends Due {
  readonly next: number | undefined;
}

/**
 * Presence as it was sent to connections. `due` is a sorted set of the members to check by time, `shown` the set of members that
 * were reported online.
 */
export interface PresenceStore {
  /** Takes or renews the lease, which one process holds at a time. */
  hold(): Promise<'new' | 'kept' | 'elsewhere'>;
  release(): Promise<void>;
  /** Schedules a check of members who called or had a socket since a time (ms); without one, of everyone who is active. */
  scheduleActive(now: number, since?: number): Promise<void>;
  /** Has members checked again with profile. */
  recheck(ids: readonly number[]): Promise<void>;
  /** The members that are due, those to be asked about first, then the longest waiting. */
  due(now: number, limit: number): Promise<Due[]>;
  /** Until when each member counts as active, ms; 0 if unknown. */
  activeUntil(ids: readonly number[]): Promise<number[]>;
  /** Whether each member was last reported online. */
  areOnline(ids: readonly number[]): Promise<boolean[]>;
  setOnline(id: number, shown: boolean): Promise<void>;
  /** Sets the next checks; a member named by `recheck` meanwhile stays due. */
  settle(looked: readonly Checked[]): Promise<void>;
  forget(id: number): Promise<void>;
}

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
export function createPresenceStore(redis: Redis, namespace: string, presentMs: number): PresenceStore {
  const names = { lease: `${namespace}:presence:lease`, due: `${namespace}:presence:due` };
  const shownName = `${namespace}:presence:shown`;
  const holder = randomUUID();
  const held = ['elsewhere', 'kept', 'new'] as const;

  const note = async (ids: readonly string[], mode: 'always' | 'new'): Promise<void> => {
    // A new number each time, so that `settle` notices a repeated request.
    const at = Date.now() - beforeAll;
    for (const some of chunks(ids, perCall)) {
      const pairs = some.flatMap((id) => [at, id]);
      if (mode === 'new') await redis.zadd(names.due, 'NX', ...pairs);
      else await redis.zadd(names.due, ...pairs);
    }
  };

  return {
    async hold() {
      const answer = Number(await redis.eval(holdScript, 1, names.lease, holder, leaseMs));
      return held[answer] ?? 'elsewhere';
    },
    async release() {
      if ((await redis.get(names.lease)) === holder) await redis.del(names.lease);
    },
    async scheduleActive(now, since) {
      const from = { seen: since ?? now - onlineMs, present: since === undefined ? now : since + presentMs };
      const [seen, present] = await Promise.all([
        redis.zrange(redisKeys.seen(namespace), from.seen, '+inf', 'BYSCORE'),
        redis.zrange(redisKeys.present(namespace), from.present, '+inf', 'BYSCORE'),
      ]);
      await note([...seen, ...present], 'new');
    },
    recheck: (ids) => note(ids.map(String), 'always'),
    async due(now, limit) {
      const flat = await redis.zrangebyscore(names.due, '-inf', now, 'WITHSCORES', 'LIMIT', 0, limit);
      return flat.flatMap((id, index) =>
        index % 2 ? [] : [{ id: Number(id), at: Number(flat[index + 1]) }],
      );
    },
    async activeUntil(ids) {
      if (!ids.length) return [];
      const [seen, present] = await Promise.all([
        redis.zmscore(redisKeys.seen(namespace), ...ids.map(String)),
        redis.zmscore(redisKeys.present(namespace), ...ids.map(String)),
      ]);
      return ids.map((_id, index) => {
        const called = seen[index];
        return Math.max(called ? Number(called) + onlineMs : 0, Number(present[index] ?? 0));
      });
    },
    async areOnline(ids) {
      if (!ids.length) return [];
      return (await redis.smismember(shownName, ...ids.map(String))).map((answer) => answer === 1);
    },
    async setOnline(id, shown) {
      await (shown ? redis.sadd(shownName, id) : redis.srem(shownName, id));
    },
    async settle(looked) {
      for (const some of chunks(looked, perCall)) {
        const entries = some.flatMap(({ id, at, next }) => [id, at, next ?? '']);
        await redis.eval(settleScript, 1, names.due, ...entries);
      }
    },
    async forget(id) {
      await redis.zrem(names.due, String(id));
      await redis.srem(shownName, String(id));
    },
  };
}
