import type { RedisClient } from '@covalence/runtime/redis';
import type { Result } from 'ioredis';
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

/** KEYS entry; ARGV lifetime, payload. */
const saveScript = `
redis.call('HSET', KEYS[1], 'payload', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[1])
`;

/** KEYS index of an account; ARGV lifetime, time, lifetime of the index, entries. It is sorted by expiry, and expired entries are removed. */
const indexScript = `
local index, life, now = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', index, '-inf', now)
for at = 4, #ARGV do redis.call('ZADD', index, now + life, ARGV[at]) end
redis.call('EXPIRE', index, ARGV[3])
`;

/** Marks an existing entry: a mark of an expired one would never expire. */
const consumeScript = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
return redis.call('HSETNX', KEYS[1], 'consumed', ARGV[1])
`;

interface Scripts {
  consumeEntry(key: string, at: number): Result<number, { type: 'default' }>;
  saveEntry(key: string, life: number, payload: string): Result<unknown, { type: 'default' }>;
  indexEntries(index: string, ...args: (string | number)[]): Result<unknown, { type: 'default' }>;
}

/** Creates the store; keys carry the namespace. Each command has one key: in a cluster the keys are on different servers. */
export function createSessionStore(redis: RedisClient, namespace: string) {
  redis.defineCommand('saveEntry', { numberOfKeys: 1, lua: saveScript });
  redis.defineCommand('indexEntries', { numberOfKeys: 1, lua: indexScript });
  redis.defineCommand('consumeEntry', { numberOfKeys: 1, lua: consumeScript });
  const scripts = redis as RedisClient & Scripts;
  const keyOf = (kind: string, id: string) => `${namespace}:auth:${kind}:${id}`;
  const indexOf = (account: string) => `${namespace}:auth:of:${account}`;

  const read = async (key: string): Promise<StoredEntry | undefined> => {
    const { payload, consumed } = await redis.hgetall(key);
    return payload === undefined ? undefined : { payload, consumed: consumed ? Number(consumed) : undefined };
  };

  return {
    /** Saves entries; `account` indexes them by their account, first: its erasure finds each, unless it runs just in between. */
    async save(entries: readonly Entry[], seconds: number, account?: string) {
      const life = Math.max(1, Math.ceil(seconds));
      const keys = entries.map(({ kind, id }) => keyOf(kind, id));
      const now = Math.floor(Date.now() / 1000);
      const indexed = account && scripts.indexEntries(indexOf(account), life, now, maxSeconds, ...keys);
      // One connection keeps the order.
      if (redis.isCluster) await indexed;
      const save = ({ kind, id, payload }: Entry) => scripts.saveEntry(keyOf(kind, id), life, payload);
      await Promise.all([indexed, ...entries.map(save)]);
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
      if (id !== undefined) await Promise.all([redis.del(keyOf('Session', id)), redis.del(reference)]);
    },
    async isBrowserEnded(uid: string): Promise<boolean> {
      return (await redis.exists(keyOf(endedKind, uid))) === 1;
    },
    /** Removes every entry with this account. */
    async eraseAccount(account: string) {
      const keys = await redis.zrange(indexOf(account), 0, '-1');
      await Promise.all(keys.map((key) => redis.del(key)));
      await redis.del(indexOf(account));
    },
  };
}

/** Sessions, interactions, codes and mailed links, in Redis until they expire. */
export type SessionStore = ReturnType<typeof createSessionStore>;
