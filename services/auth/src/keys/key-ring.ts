import { dayMs } from '@covalence/contract/time';
import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import type { ServiceBase } from '@covalence/runtime/service-base';
import {
  calculateJwkThumbprint,
  errors,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose';
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

/** The valid keys at one moment. */
export interface KeySet {
  /** Changes when a key is added, removed or starts to sign. */
  readonly version: string;
  /** The key that signs now. */
  readonly signing: SigningKey;
  /** Every key that verifies, the signing one first. */
  readonly keys: readonly SigningKey[];
}

/** Dependencies of the operations on keys and of signing tokens. */
export interface KeyContext extends ServiceBase {
  readonly keys: { readonly ring: KeyRing };
  /** Address of this server. */
  readonly issuer: string;
  /** Address of the interface that takes the tokens. */
  readonly audience: string;
}

/** Time between two reads of the keys. */
const rereadMs = 30_000;
/** A new key is published for this time before it signs: longer than the time between two reads. */
const leadMs = 2 * rereadMs;
/** A replaced key verifies for this time: longer than the lifetime of a refresh token. */
const retiredMs = 16 * dayMs;

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

/** Throws when a key is unusable: stored with another AUTH_SECRET, or damaged. */
function openKey(stored: StoredKey, seal: Seal): SigningKey {
  const text = seal.open('signing-keys', stored.sealed_private, stored.kid);
  if (!text) throw new Error('not stored with this AUTH_SECRET');
  if (!(stored.active_from instanceof Date)) throw new Error('active_from is missing');
  return {
    kid: stored.kid,
    privateKey: createPrivateKey({ key: JSON.parse(text) as JWK, format: 'jwk' }),
    publicKey: createPublicKey({ key: JSON.parse(stored.public_jwk) as JWK, format: 'jwk' }),
    activeFrom: stored.active_from,
  };
}

/** The valid keys at `now`; `all` is newest first. Throws when there is none. */
function validKeys(all: readonly SigningKey[], now: Date): KeySet {
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

/** Creates the key ring; keys are read on first use. An unusable key is logged and skipped. */
export function createKeyRing(store: KeyStore, seal: Seal, clock: Clock, logger: Logger) {
  const opened = new Map<string, SigningKey>();
  const logged = new Set<number>();
  let keys: readonly SigningKey[] = [];
  let readAt = 0;
  let reading: Promise<void> | undefined;

  const open = (stored: StoredKey): SigningKey[] => {
    try {
      const key = opened.get(stored.kid) ?? openKey(stored, seal);
      opened.set(stored.kid, key);
      return [key];
    } catch (error) {
      if (!logged.has(stored._id))
        logger.error({ err: error, key: stored._id }, 'skipped an unusable signing key');
      logged.add(stored._id);
      return [];
    }
  };

  /** Seals a key with the first entry of AUTH_SECRET, so that the other entries can be removed. */
  const reseal = async (key: StoredKey): Promise<void> => {
    const sealed = seal.renewed('signing-keys', key.sealed_private, key.kid);
    if (sealed) await store.reseal(key, sealed);
  };

  const read = async (): Promise<void> => {
    let stored = await store.all();
    if (!stored.length) {
      await store.add(await createKey(1, clock(), seal));
      stored = await store.all();
    }
    await Promise.all(stored.map(reseal));
    const usable = stored.flatMap(open);
    if (!usable.length)
      throw new Error('no signing key is usable: set AUTH_SECRET to the value with which they were stored');
    keys = usable;
    readAt = clock().getTime();
  };
  const reread = (): Promise<void> => {
    reading ??= read().finally(() => (reading = undefined));
    return reading;
  };

  return {
    /** Rejects when no stored key is usable. */
    async current(): Promise<KeySet> {
      if (clock().getTime() - readAt >= rereadMs) {
        // While MongoDB is down, the keys read before stay in use.
        await reread().catch((error: unknown) => {
          if (!keys.length) throw error;
        });
      }
      return validKeys(keys, clock());
    },
    /** Adds a key and returns its id. It signs after a minute; older keys verify until their tokens expire. */
    async rotate(): Promise<string> {
      await reread();
      const newest = (await store.all())[0]?._id ?? 0;
      const key = await createKey(newest + 1, new Date(clock().getTime() + leadMs), seal);
      const added = await store.add(key);
      await reread();
      return added ? key.kid : (keys[0]?.kid ?? key.kid);
    },
  };
}

/** The service's signing keys: created on first use, stored in MongoDB, read again every 30 seconds. */
export type KeyRing = ReturnType<typeof createKeyRing>;

/** Keys for verifying this service's own tokens, without a request to its JWKS address. */
export function verificationKey(keyRing: KeyRing): JWTVerifyGetKey {
  return async ({ kid }) => {
    const { keys } = await keyRing.current();
    const key = keys.find((one) => one.kid === kid);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key.publicKey;
  };
}
