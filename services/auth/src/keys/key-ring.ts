import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { KeyStore, StoredKey } from './key-store.ts';
import type { Seal } from './seal.ts';

/** A key that signs or has signed. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly activeFrom: Date;
}

/** The keys in force at one moment. */
export interface KeySet {
  /** Changes whenever a key appears, leaves or takes over the signing. */
  readonly version: string;
  /** The key that signs now. */
  readonly signing: SigningKey;
  /** Every key that signatures are taken from, the signing one first. */
  readonly keys: readonly SigningKey[];
}

/** The service's signing keys: created on first use, kept in MongoDB, read again every half minute. */
export interface KeyRing {
  /** Rejects where there are keys and none of them can be used. */
  current(): Promise<KeySet>;
  /**
   * Adds a key and returns its id. It is shown at the JWKS address at once and signs a minute later, when every
   * process has read it; older ones verify until no token of theirs can be alive.
   */
  rotate(): Promise<string>;
}

/** How long a process may go on with the keys it read. */
const rereadMs = 30_000;
/** A new key is shown this long before it signs: longer than any process goes without reading the keys. */
const leadMs = 2 * rereadMs;
/** A replaced key verifies this long: longer than a refresh token lives. */
const retiredMs = 16 * 24 * 60 * 60 * 1000;

async function createKey(id: number, activeFrom: Date, seal: Seal): Promise<StoredKey> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  return {
    _id: id,
    kid,
    public_jwk: JSON.stringify(jwk),
    sealed_private: seal.seal('signing-keys', JSON.stringify(await exportJWK(privateKey)), kid),
    active_from: activeFrom,
  };
}

/** Throws for a key that cannot be used: another AUTH_SECRET, or a broken document. */
function openKey(stored: StoredKey, seal: Seal): SigningKey {
  const text = seal.open('signing-keys', stored.sealed_private, stored.kid);
  if (!text) throw new Error('it was not stored with this AUTH_SECRET');
  if (!(stored.active_from instanceof Date)) throw new Error('it does not say from when on it signs');
  return {
    kid: stored.kid,
    privateKey: createPrivateKey({ key: JSON.parse(text) as JWK, format: 'jwk' }),
    publicKey: createPublicKey({ key: JSON.parse(stored.public_jwk) as JWK, format: 'jwk' }),
    activeFrom: stored.active_from,
  };
}

/** The keys in force at `now` of all keys, newest first; throws when there is none. */
export function keysInForce(all: readonly SigningKey[], now: Date): KeySet {
  const signing = all.find((key) => key.activeFrom <= now) ?? all.at(-1);
  if (!signing) throw new Error('there is no signing key');
  const others = all.filter((key, index) => {
    const successor = all[index - 1];
    const retired = successor && now.getTime() - successor.activeFrom.getTime() > retiredMs;
    return key !== signing && !retired;
  });
  const keys = [signing, ...others];
  return { version: keys.map((key) => key.kid).join(' '), signing, keys };
}

/** Creates the key ring; nothing is read before the first use. A key that cannot be used is told and left out. */
export function createKeyRing(store: KeyStore, seal: Seal, now: Clock, logger: Logger): KeyRing {
  const opened = new Map<string, SigningKey>();
  const told = new Set<number>();
  let keys: readonly SigningKey[] = [];
  let readAt = 0;
  let reading: Promise<void> | undefined;

  const open = (stored: StoredKey): SigningKey[] => {
    try {
      const key = opened.get(stored.kid) ?? openKey(stored, seal);
      opened.set(stored.kid, key);
      return [key];
    } catch (error) {
      if (!told.has(stored._id)) logger.error({ err: error, key: stored._id }, 'a signing key is left out');
      told.add(stored._id);
      return [];
    }
  };

  /** After a change of AUTH_SECRET: sealed with the first entry, a key outlives the others. */
  const reseal = async (key: StoredKey): Promise<void> => {
    const sealed = seal.renewed('signing-keys', key.sealed_private, key.kid);
    if (sealed) await store.reseal(key, sealed);
  };

  const read = async (): Promise<void> => {
    let stored = await store.all();
    if (!stored.length) {
      await store.add(await createKey(1, now(), seal));
      stored = await store.all();
    }
    await Promise.all(stored.map(reseal));
    const usable = stored.flatMap(open);
    if (!usable.length)
      throw new Error(
        'none of the signing keys can be used: AUTH_SECRET is not the one they were stored with',
      );
    keys = usable;
    readAt = now().getTime();
  };
  const reread = (): Promise<void> => {
    reading ??= read().finally(() => (reading = undefined));
    return reading;
  };

  return {
    async current() {
      if (now().getTime() - readAt >= rereadMs) {
        // Keys already known go on working while the database is away.
        await reread().catch((error: unknown) => {
          if (!keys.length) throw error;
        });
      }
      return keysInForce(keys, now());
    },
    async rotate() {
      await reread();
      const newest = (await store.all())[0]?._id ?? 0;
      const key = await createKey(newest + 1, new Date(now().getTime() + leadMs), seal);
      const added = await store.add(key);
      await reread();
      return added ? key.kid : (keys[0]?.kid ?? key.kid);
    },
  };
}
