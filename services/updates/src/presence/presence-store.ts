import { onlineSeconds, redisKeys } from '@covalence/contract/redis-keys';
import { chunks } from '@covalence/runtime/chunks';
import type { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';

/** A member to look at, and since when that is due: in ms since the epoch, below zero where it is to be asked anew. */
export interface Due {
  readonly id: number;
  readonly at: number;
}

/** A member who was looked at; `next` is when to look again, undefined for not any more. */
export interface Checked extends Due {
  readonly next: number | undefined;
}

/**
 * Who is here, as far as connections were told. `due` is a sorted set of the members to look at by time, `shown` the set of
 * those who were told to be online; what makes them so is what the record reads.
 */
export interface PresenceStore {
  /** Takes or keeps the right to look, which one process has at a time: `new` where another one had it, or nobody. */
  hold(): Promise<'new' | 'kept' | 'elsewhere'>;
  release(): Promise<void>;
  /**
   * Begins to look at whoever called, or was counted as holding a socket, since a time, in ms: a socket whose process did not
   * reach the store for long is there again without a call. Without a time at everybody who counts as here.
   */
  scheduleActive(now: number, since?: number): Promise<void>;
  /** Looks at members anew, whatever was found last. */
  recheck(ids: readonly number[]): Promise<void>;
  /** Those that are due, the longest waiting first; those to be asked anew before all. */
  due(now: number, limit: number): Promise<Due[]>;
  /** Until when each counts as here, in ms; 0 where nothing is known. */
  activeUntil(ids: readonly number[]): Promise<number[]>;
  /** Whether connections of each were told last that they are online. */
  areOnline(ids: readonly number[]): Promise<boolean[]>;
  setOnline(id: number, shown: boolean): Promise<void>;
  /** Says when to look again; one whom `recheck` named meanwhile stays due. */
  settle(looked: readonly Checked[]): Promise<void>;
  forget(id: number): Promise<void>;
}

const onlineMs = onlineSeconds * 1_000;

/** What puts a time below zero, and before every time of a look that is only repeated, in the order of the times. */
const beforeAll = 1e15;

const leaseMs = 15_000;
const perCall = 1_000;

/** KEYS turn; ARGV holder, ms. Returns 2 where it was free, 1 where it was held already, 0 where another process has it. */
const holdScript = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return holder and 1 or 2
`;

/** KEYS due; ARGV by threes: member, the time that was read, the next one or nothing. */
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

/**
 * Creates the store on Redis; a socket counts for `presentMs` after each heartbeat. Each command and script is about one key,
 * as a cluster wants it.
 */
export function createPresenceStore(redis: Redis, namespace: string, presentMs: number): PresenceStore {
  const names = { turn: `${namespace}:presence:turn`, due: `${namespace}:presence:due` };
  const shownName = `${namespace}:presence:shown`;
  const holder = randomUUID();
  const held = ['elsewhere', 'kept', 'new'] as const;

  const note = async (ids: readonly string[], mode: 'always' | 'new'): Promise<void> => {
    // Another number each time, so that it is noticed when it was set again.
    const at = Date.now() - beforeAll;
    for (const some of chunks(ids, perCall)) {
      const pairs = some.flatMap((id) => [at, id]);
      if (mode === 'new') await redis.zadd(names.due, 'NX', ...pairs);
      else await redis.zadd(names.due, ...pairs);
    }
  };

  return {
    async hold() {
      const answer = Number(await redis.eval(holdScript, 1, names.turn, holder, leaseMs));
      return held[answer] ?? 'elsewhere';
    },
    async release() {
      if ((await redis.get(names.turn)) === holder) await redis.del(names.turn);
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
