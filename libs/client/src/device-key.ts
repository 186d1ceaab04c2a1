import { claimOf, type Tokens } from './tokens.ts';

/** A call that a proof belongs to. */
export interface ProvenCall {
  readonly method: string;
  readonly url: string;
  readonly accessToken?: string;
  /** A nonce of the server, which stands in for the time. */
  readonly nonce?: string;
  /** Milliseconds since the epoch by the server's clock. */
  readonly at?: number;
}

/**
 * A key of this device that tokens are bound to (DPoP, RFC 9449): without it they are worth nothing. An app may keep the key in
 * hardware and make the proofs itself.
 */
export interface DeviceKey {
  /** Makes the proof of one call. */
  prove(call: ProvenCall): Promise<string>;
}

/** Storage of a key. The private key cannot be exported. */
export interface KeyStorage {
  read(): Promise<CryptoKeyPair | undefined>;
  /** Stores the key unless there is one: another page may have been first. */
  add(keys: CryptoKeyPair): Promise<void>;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const encoder = new TextEncoder();

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const encode = (value: object) => base64url(encoder.encode(JSON.stringify(value)));

const hashOf = async (text: string) =>
  base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))));

/** The address without query and fragment. */
const plain = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
};

/** Does something with the browser's database of keys. */
const perform = <Result>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<Result>) =>
  new Promise<Result>((resolve, reject) => {
    const opening = indexedDB.open('covalence', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('keys');
    opening.onerror = () => reject(opening.error ?? new Error('no database'));
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction('keys', mode);
      const request = work(transaction.objectStore('keys'));
      transaction.oncomplete = () => {
        database.close();
        resolve(request.result);
      };
      transaction.onabort = () => {
        database.close();
        reject(transaction.error ?? new Error('no key'));
      };
    };
  });

/** Keeps the key in the browser, for all pages of the origin. */
export const browserKeyStorage = (): KeyStorage => ({
  read: () => perform('readonly', (store): IDBRequest<CryptoKeyPair | undefined> => store.get('device')),
  async add(keys) {
    await perform('readwrite', (store) => store.add(keys, 'device')).catch((error: unknown) => {
      if ((error as Error).name !== 'ConstraintError') throw error;
    });
  },
});

/** Creates the key of this device, which is generated once and stored. */
export function createDeviceKey(storage: KeyStorage = browserKeyStorage()): DeviceKey {
  const create = async (): Promise<CryptoKeyPair> => {
    const stored = await storage.read();
    if (stored) return stored;
    const made = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
    await storage.add(made);
    return (await storage.read()) ?? made;
  };
  let keys: Promise<CryptoKeyPair> | undefined;
  return {
    async prove({ method, url, accessToken, nonce, at = Date.now() }) {
      keys ??= create().catch((error: unknown) => {
        keys = undefined;
        throw error;
      });
      const { privateKey, publicKey } = await keys;
      const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
      const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } };
      const claims = {
        jti: crypto.randomUUID(),
        htm: method,
        htu: plain(url),
        iat: Math.floor(at / 1000),
        ...(accessToken !== undefined && { ath: await hashOf(accessToken) }),
        ...(nonce !== undefined && { nonce }),
      };
      const text = `${encode(header)}.${encode(claims)}`;
      const signing = { name: 'ECDSA', hash: 'SHA-256' };
      const signature = await crypto.subtle.sign(signing, privateKey, encoder.encode(text));
      return `${text}.${base64url(new Uint8Array(signature))}`;
    },
  };
}

/** The time by the server's clock: the claim `exp` and `expires_at` are the same moment by the two clocks. */
export function serverTime({ access_token, expires_at }: Tokens): number {
  const exp = claimOf(access_token, 'exp');
  return Date.now() + (typeof exp === 'number' ? exp * 1000 - expires_at : 0);
}
