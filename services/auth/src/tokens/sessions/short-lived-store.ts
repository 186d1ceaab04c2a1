import type { Redis, Result } from 'ioredis';
import { lifetimes } from '../lifetimes.ts';

/** Something short-lived as it is kept. */
export interface ShortLived {
  readonly payload: string;
  /** Seconds since the epoch when it was used; undefined when it was not. */
  readonly consumed: number | undefined;
}

/** What is kept under the name of its kind and its id. */
export interface Entry {
  readonly kind: string;
  readonly id: string;
  readonly payload: string;
}

/** Codes, sessions and interactions, in Redis. */
export interface ShortLivedStore {
  /** Keeps entries for so many seconds, in one write; where they name an account, `account` lets them be found by that. */
  save(entries: readonly Entry[], seconds: number, account?: string): Promise<void>;
  find(kind: string, id: string): Promise<ShortLived | undefined>;
  /** Marks it used; false when it was used before, or is gone. */
  consume(kind: string, id: string, at: number): Promise<boolean>;
  /** Takes the mark away again. */
  giveBack(kind: string, id: string): Promise<void>;
  remove(kind: string, id: string): Promise<void>;
  /** Keeps it for so many seconds more, and no longer. */
  removeIn(kind: string, id: string, seconds: number): Promise<void>;
  /** What there is of a kind that names an account. */
  ofAccount(account: string, kind: string): Promise<ShortLived[]>;
  /** Removes everything that names an account. */
  eraseAccount(account: string): Promise<void>;
}

/** Nothing that is kept here lives longer. */
const longestSeconds = lifetimes.session + lifetimes.interaction;

/**
 * Writes entries, each for as long (ARGV: seconds to live, the time, seconds that names live, then their payloads; KEYS: theirs). Where one
 * more key names an account, they are noted there by when they end, and what has ended is forgotten.
 */
const keepScript = `
local life, now, count = tonumber(ARGV[1]), tonumber(ARGV[2]), #ARGV - 3
for at = 1, count do
  redis.call('HSET', KEYS[at], 'payload', ARGV[at + 3])
  redis.call('EXPIRE', KEYS[at], life)
end
local names = KEYS[count + 1]
if not names then return end
redis.call('ZREMRANGEBYSCORE', names, '-inf', now)
for at = 1, count do redis.call('ZADD', names, now + life, KEYS[at]) end
redis.call('EXPIRE', names, ARGV[3])
`;

/** Marks what is there still (KEYS) with the time (ARGV): a mark of what has ended would stay for ever. */
const consumeScript = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
return redis.call('HSETNX', KEYS[1], 'consumed', ARGV[1])
`;

interface Scripts {
  consumeShortLived(key: string, at: number): Result<number, { type: 'default' }>;
  keepShortLived(...args: (string | number)[]): Result<unknown, { type: 'default' }>;
}

/** Creates the store; keys carry the namespace. */
export function createShortLivedStore(redis: Redis, namespace: string): ShortLivedStore {
  redis.defineCommand('keepShortLived', { lua: keepScript });
  redis.defineCommand('consumeShortLived', { numberOfKeys: 1, lua: consumeScript });
  const scripts = redis as Redis & Scripts;
  const keyOf = (kind: string, id: string) => `${namespace}:auth:${kind}:${id}`;
  const namesKey = (account: string) => `${namespace}:auth:of:${account}`;

  const read = async (key: string): Promise<ShortLived | undefined> => {
    const { payload, consumed } = await redis.hgetall(key);
    return payload === undefined ? undefined : { payload, consumed: consumed ? Number(consumed) : undefined };
  };

  return {
    async save(entries, seconds, account) {
      const life = Math.max(1, Math.ceil(seconds));
      const keys = entries.map(({ kind, id }) => keyOf(kind, id));
      const named = account ? [...keys, namesKey(account)] : keys;
      const times = [life, Math.floor(Date.now() / 1000), longestSeconds];
      // One command, which each costs this process more than it costs Redis; nothing that names an account shall be there unknown.
      await scripts.keepShortLived(
        named.length,
        ...named,
        ...times,
        ...entries.map(({ payload }) => payload),
      );
    },
    find: (kind, id) => read(keyOf(kind, id)),
    async consume(kind, id, at) {
      return (await scripts.consumeShortLived(keyOf(kind, id), at)) === 1;
    },
    async giveBack(kind, id) {
      await redis.hdel(keyOf(kind, id), 'consumed');
    },
    async remove(kind, id) {
      await redis.del(keyOf(kind, id));
    },
    async removeIn(kind, id, seconds) {
      await redis.expire(keyOf(kind, id), seconds, 'LT');
    },
    async ofAccount(account, kind) {
      const keys = await redis.zrange(namesKey(account), 0, '-1');
      const found = await Promise.all(keys.filter((key) => key.startsWith(keyOf(kind, ''))).map(read));
      return found.flatMap((each) => each ?? []);
    },
    async eraseAccount(account) {
      await redis.del(...(await redis.zrange(namesKey(account), 0, '-1')), namesKey(account));
    },
  };
}
