import { loginKey } from '@covalence/contract/login-key';
import type { Clock } from '@covalence/runtime/clock';
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Connection } from 'mongoose';
import { v7 } from 'uuid';
import { createBanStore, type Ban } from './store/ban-store.ts';

/** The ban list. */
export type Bans = ReturnType<typeof createBans>;

/** Domains of one provider with the same mailboxes, and the characters that it ignores in names. */
const providers: readonly { readonly domains: readonly string[]; readonly ignored?: RegExp }[] = [
  { domains: ['gmail.com', 'googlemail.com'], ignored: /\./g },
  { domains: ['icloud.com', 'me.com', 'mac.com'] },
  { domains: ['proton.me', 'protonmail.com', 'pm.me'], ignored: /[._-]/g },
  { domains: ['yandex.com', 'yandex.ru', 'ya.ru'], ignored: /[.-]/g },
];

/** The same text for all spellings that reach one mailbox: in any case, with `+tag`, and with what its provider ignores. */
export function mailboxOf(email: string): string {
  const [, local = '', domain = ''] = /^(.*)@([^@]*)$/s.exec(loginKey(email)) ?? [];
  const mailbox = /^[^+]+/.exec(local)?.[0] ?? local;
  const { domains: [main] = [domain], ignored = /$^/g } =
    providers.find(({ domains }) => domains.includes(domain)) ?? {};
  return `${mailbox.replaceAll(ignored, '')}@${main}`;
}

interface BansOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  /** The secret that the key of the MACs is derived from. With another one no earlier entry of an address matches. */
  readonly secret: string;
  /** Years after which an entry expires. */
  readonly years: number;
  /** The sites whose members meet those of a site: a ban on one of them counts there. */
  readonly groupOf: (siteid: number) => readonly number[];
}

const ivBytes = 12;
const tagBytes = 16;

/** Encrypts and decrypts hashes of photos, so that nobody tests photos against a copy of the database. */
function createSealedHashes(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'hashes of banned photos', 32));
  return {
    seal(hash: Uint8Array): string {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const data = Buffer.concat([cipher.update(hash), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), data]).toString('base64url');
    },
    /** Undefined for a hash that was sealed with another secret. */
    open(sealed: string): Buffer | undefined {
      const bytes = Buffer.from(sealed, 'base64url');
      const data = bytes.subarray(ivBytes + tagBytes);
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes));
        decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
        return Buffer.concat([decipher.update(data), decipher.final()]);
      } catch {
        return undefined;
      }
    },
  };
}

/** A banned part of a member: an email address, a device by the id of its push address, or a photo. */
export type Banned =
  | { readonly kind: 'email'; readonly email: string }
  | { readonly kind: 'device'; readonly device: string }
  | { readonly kind: 'photo'; readonly photo: number; readonly hash: Uint8Array };

/** Creates the ban list. It stores addresses and devices as HMAC-SHA256 only, and hashes of photos encrypted. */
export function createBans({ connection, clock, secret, years, groupOf }: BansOptions) {
  const store = createBanStore(connection);
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'ban list', 32));
  const macOf = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const emailMac = (email: string) => macOf(mailboxOf(email));
  // The text of a mailbox has an @.
  const deviceMac = (device: string) => macOf(`device ${device}`);
  const hashes = createSealedHashes(secret);
  const expiry = (at: Date): Date => {
    const expires = new Date(at);
    expires.setUTCFullYear(at.getUTCFullYear() + years);
    return expires;
  };
  const storedOf = (banned: Banned) => {
    if (banned.kind === 'photo') return { photo: banned.photo, hash: hashes.seal(banned.hash) };
    return { mac: banned.kind === 'email' ? emailMac(banned.email) : deviceMac(banned.device) };
  };
  return {
    store,
    /** Until when a ban of this time holds. */
    expiry,
    /** An entry that begins now. */
    entry(banned: Banned, about: Pick<Ban, 'siteid' | 'member' | 'staff' | 'reason'>): Ban {
      const at = clock();
      const expires_at = expiry(at);
      return { id: v7(), kind: banned.kind, ...storedOf(banned), ...about, at, expires_at };
    },
    /** The entries that ban an address on a site. */
    ofEmail: (email: string, siteid: number): Promise<Ban[]> =>
      store.ofMac(emailMac(email), groupOf(siteid), clock()),
    /** The entries that ban a device on a site, added before an account: people who share a device keep their earlier accounts. */
    ofDevice: (device: string, siteid: number, joined: Date): Promise<Ban[]> =>
      store.ofMac(deviceMac(device), groupOf(siteid), clock(), joined),
    /** The same of many addresses at once, in their order. */
    async ofEmails(
      addresses: readonly { readonly email: string; readonly siteid: number }[],
    ): Promise<Ban[][]> {
      const asked = addresses.map(({ email, siteid }) => ({
        mac: emailMac(email),
        siteids: groupOf(siteid),
      }));
      const found = await store.ofEmails(
        asked.map(({ mac }) => mac),
        clock(),
      );
      return asked.map(({ mac, siteids }) =>
        found.filter((ban) => ban.mac === mac && (ban.siteid === null || siteids.includes(ban.siteid))),
      );
    },
    /** Those of these entries that are in force on a site. */
    among: (ids: readonly string[], siteid: number): Promise<string[]> =>
      store.among(ids, groupOf(siteid), clock()),
    /** The hashes of photos that were added since a time, the oldest first. */
    async photosSince(time: Date): Promise<{ id: string; hash: Buffer; at: Date }[]> {
      const found = await store.photosSince(time);
      return found.flatMap(({ id, hash: sealed, at }) => {
        const hash = hashes.open(sealed);
        return hash ? [{ id, hash, at }] : [];
      });
    },
  };
}
