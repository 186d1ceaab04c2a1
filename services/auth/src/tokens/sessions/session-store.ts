import type { Redis, Result } from 'ioredis';
import { lifetimes } from '../families/lifetimes.ts';

/** A stored entry. */
export interface StoredEntry {
  readonly payload: string;
  /** When it was consumed, in seconds since the epoch; undefined before. */
  readonly consumed: number | undefined;
}

/** An entry under its kind and id. */
export interface Entry {
  readonly kind: string;
  readonly id: string;
  readonly payload: string;
}

/** Marks of ended sessions. */
const endedKind = 'EndedSession';

/** No entry lives longer. */
const maxSeconds = lifetimes.session + lifetimes.interaction;

/**
 * Saves entries. ARGV: lifetime, time, lifetime of the index, payloads. KEYS: the entries, then the index of the account
 * if there is one; it is sorted by expiry, and expired members are removed.
 */
const saveScript = `
local life, now, count = tonumber(ARGV[1]), tonumber(ARGV[2]), #ARGV - 3
for at = 1, count do
  redis.call('HSET', KEYS[at], 'payload', ARGV[at + 3])
  redis.call('EXPIRE', KEYS[at], life)
end
local index = KEYS[count + 1]
if not index then return end
redis.call('ZREMRANGEBYSCORE', index, '-inf', now)
for at = 1, count do redis.call('ZADD', index, now + life, KEYS[at]) end
redis.call('EXPIRE', index, ARGV[3])
`;

/** Marks an existing entry: a mark of an expired one would never expire. */
const consumeScript = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
return redis.call('HSETNX', KEYS[1], 'consumed', ARGV[1])
`;

interface Scripts {
  consumeEntry(key: string, at: number): Result<number, { type: 'default' }>;
  saveEntries(...args: (string | number)[]): Result<unknown, { type: 'default' }>;
}

/** Creates the store; keys carry the namespace. */
export function createSessionStore(redis: Redis, namespace: string) {
  redis.defineCommand('saveEntries', { lua: saveScript });
  redis.defineCommand('consumeEntry', { numberOfKeys: 1, lua: consumeScript });
  const scripts = redis as Redis & Scripts;
  const keyOf = (kind: string, id: string) => `${namespace}:auth:${kind}:${id}`;
  const indexOf = (account: string) => `${namespace}:auth:of:${account}`;

  const read = async (key: string): Promise<StoredEntry | undefined> => {
    const { payload, consumed } = await redis.hgetall(key);
    return payload === undefined ? undefined : { payload, consumed: consumed ? Number(consumed) : undefined };
  };

  return {
    /** Saves entries in one command; `account` indexes them by their account. */
    async save(entries: readonly Entry[], seconds: number, account?: string) {
      const life = Math.max(1, Math.ceil(seconds));
      const keys = entries.map(({ kind, id }) => keyOf(kind, id));
      if (account) keys.push(indexOf(account));
      const times = [life, Math.floor(Date.now() / 1000), maxSeconds];
      await scripts.saveEntries(keys.length, ...keys, ...times, ...entries.map(({ payload }) => payload));
    },
    find: (kind: string, id: string): Promise<StoredEntry | undefined> => read(keyOf(kind, id)),
    /** Marks an entry as consumed; false when it was consumed before, or does not exist. */
    async consume(kind: string, id: string, at: number): Promise<boolean> {
      return (await scripts.consumeEntry(keyOf(kind, id), at)) === 1;
    },
    /** Removes the mark of consume(). */
    async unconsume(kind: string, id: string) {
      await redis.hdel(keyOf(kind, id), 'consumed');
    },
    /** Claims an id; false when it was claimed within these seconds. */
    async claim(kind: string, id: string, seconds: number): Promise<boolean> {
      return (await redis.set(keyOf(kind, id), '', 'EX', seconds, 'NX')) === 'OK';
    },
    async remove(kind: string, id: string) {
      await redis.del(keyOf(kind, id));
    },
    /** Removes an entry; false when there was none, or another request was first. */
    async take(kind: string, id: string): Promise<boolean> {
      return (await redis.del(keyOf(kind, id))) === 1;
    },
    /** Limits the remaining lifetime. */
    async removeIn(kind: string, id: string, seconds: number) {
      await redis.expire(keyOf(kind, id), seconds, 'LT');
    },
    /** The entries of a kind with this account. */
    async ofAccount(account: string, kind: string): Promise<StoredEntry[]> {
      const keys = await redis.zrange(indexOf(account), 0, '-1');
      const found = await Promise.all(keys.filter((key) => key.startsWith(keyOf(kind, ''))).map(read));
      return found.flatMap((each) => each ?? []);
    },
    /** Ends the session of a browser for good, by its `uid`. */
    async endBrowser(uid: string) {
      await redis.set(keyOf(endedKind, uid), '', 'EX', maxSeconds);
      const reference = keyOf('SessionUid', uid);
      const { payload: id } = (await read(reference)) ?? {};
      if (id !== undefined) await redis.del(keyOf('Session', id), reference);
    },
    async isBrowserEnded(uid: string): Promise<boolean> {
      return (await redis.exists(keyOf(endedKind, uid))) === 1;
    },
    /** Removes every entry with this account. */
    async eraseAccount(account: string) {
      await redis.del(...(await redis.zrange(indexOf(account), 0, '-1')), indexOf(account));
    },
  };
}

/** Sessions, interactions, codes and mailed links, in Redis until they expire. */
export type SessionStore = ReturnType<typeof createSessionStore>;
