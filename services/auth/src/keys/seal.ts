import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';

/** Purpose of a derived key; no two purposes share a key. */
export type Purpose =
  | 'signing-keys'
  | 'refresh-answers'
  | 'login-proof'
  | 'sign-in-result'
  | 'login-csrf'
  | 'account-csrf'
  | 'account-done'
  | 'passkey-challenge'
  | 'passkey-undo'
  | 'two-step-undo'
  | 'known-device'
  | 'new-member'
  | 'cookies'
  | 'dpop-nonce'
  | 'email-confirmation'
  | 'email-revert'
  | 'recovery-cancel'
  | 'queued-mails'
  | 'digest-stop'
  | 'appeal'
  | 'provider-tokens'
  | 'provider-people'
  | 'totp-keys'
  | 'totp-enrollment';

const ivBytes = 12;
const tagBytes = 16;

/** Compares two texts in constant time. */
export function isSameText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

/** Opens a sealed text; undefined with another key. */
function openWith(key: KeyObject, bytes: Buffer, bound: string): string | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes))
    .setAAD(Buffer.from(bound))
    .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
    return text.toString('utf8');
  } catch {
    return undefined;
  }
}

function sealWith(key: KeyObject, text: string, bound: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(bound));
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), data]).toString('base64url');
}

const macWith = (key: KeyObject, text: string) => createHmac('sha256', key).update(text).digest('base64url');

type Keys = readonly [KeyObject, ...KeyObject[]];

/** Derives the keys of every purpose from the secrets with HKDF. */
export function createSeal([first, ...others]: readonly string[]) {
  if (first === undefined) throw new Error('AUTH_SECRET is empty');
  const derived = new Map<Purpose, Keys>();
  const keysOf = (purpose: Purpose): Keys => {
    const known = derived.get(purpose);
    if (known) return known;
    const keyOf = (secret: string) =>
      createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'covalence-auth', purpose, 32)));
    const keys: Keys = [keyOf(first), ...others.map(keyOf)];
    derived.set(purpose, keys);
    return keys;
  };
  /** The text, and the index of the key that has sealed it. */
  const openAny = (purpose: Purpose, sealed: string, bound: string) => {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < ivBytes + tagBytes) return undefined;
    for (const [index, key] of keysOf(purpose).entries()) {
      const text = openWith(key, bytes, bound);
      if (text !== undefined) return { text, index };
    }
    return undefined;
  };
  /** The MAC with each secret, the first one first. */
  const macs = (purpose: Purpose, text: string) => keysOf(purpose).map((key) => macWith(key, text));

  return {
    macs,
    /** HMAC-SHA256 as base64url. */
    mac: (purpose: Purpose, text: string): string => macWith(keysOf(purpose)[0], text),
    /** Compares a MAC in constant time. */
    checkMac: (purpose: Purpose, text: string, mac: string): boolean =>
      macs(purpose, text).some((expected) => isSameText(expected, mac)),
    /** Encrypts with AES-256-GCM. Opening needs the same purpose and the same `bound` value. */
    seal: (purpose: Purpose, text: string, bound: string): string =>
      sealWith(keysOf(purpose)[0], text, bound),
    /** The text, or undefined when it was not sealed for this or was changed. */
    open: (purpose: Purpose, sealed: string, bound: string): string | undefined =>
      openAny(purpose, sealed, bound)?.text,
    /** The text sealed with the first secret; undefined when that one has sealed it already. */
    renewed(purpose: Purpose, sealed: string, bound: string): string | undefined {
      const opened = openAny(purpose, sealed, bound);
      return opened?.index ? sealWith(keysOf(purpose)[0], opened.text, bound) : undefined;
    },
  };
}

/** Encryption and authentication with keys derived from AUTH_SECRET: its first entry seals, every entry opens. */
export type Seal = ReturnType<typeof createSeal>;
