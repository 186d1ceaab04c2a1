import { loginKey } from '@covalence/contract/login-key';
import type { Clock } from '@covalence/runtime/clock';
import { createHmac, hkdfSync } from 'node:crypto';
import type { Connection } from 'mongoose';
import { v7 } from 'uuid';
import { createBanStore, type Ban } from './store/ban-store.ts';

/** The ban list. */
export type Bans = ReturnType<typeof createBans>;

/** Domains of Google's mail, which ignores dots in addresses. */
const google = ['gmail.com', 'googlemail.com'];

/** The same text for all spellings that reach one mailbox: in any case, with `+tag`, and with dots where they mean nothing. */
export function mailboxOf(email: string): string {
  const [, local = '', domain = ''] = /^(.*)@([^@]*)$/s.exec(loginKey(email)) ?? [];
  const mailbox = /^[^+]+/.exec(local)?.[0] ?? local;
  return google.includes(domain) ? `${mailbox.replaceAll('.', '')}@${google[0]}` : `${mailbox}@${domain}`;
}

interface BansOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  /** The secret that the key of the MACs is derived from. With another one no earlier entry of an address matches. */
  readonly secret: string;
  /** Years after which an entry expires. */
  readonly years: number;
}

/** What of a member is banned. */
export type Banned =
  | { readonly kind: 'email'; readonly email: string }
  | { readonly kind: 'photo'; readonly photo: number; readonly hash: string };

/** Creates the ban list. It stores addresses as HMAC-SHA256 only. */
export function createBans({ connection, clock, secret, years }: BansOptions) {
  const store = createBanStore(connection);
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'ban list', 32));
  const macOf = (email: string) => createHmac('sha256', key).update(mailboxOf(email)).digest('base64url');
  return {
    store,
    /** Adds an entry. Resolves with whether it is new. */
    put(banned: Banned, about: Pick<Ban, 'siteid' | 'member' | 'staff' | 'reason'>): Promise<boolean> {
      const at = clock();
      const expires_at = new Date(at);
      expires_at.setUTCFullYear(at.getUTCFullYear() + years);
      const { kind } = banned;
      const what =
        kind === 'email' ? { mac: macOf(banned.email) } : { photo: banned.photo, hash: banned.hash };
      return store.put({ id: v7(), kind, ...what, ...about, at, expires_at });
    },
    /** Whether an address is banned on a site. */
    hasEmail: (email: string, siteid: number): Promise<boolean> =>
      store.hasEmail(macOf(email), siteid, clock()),
  };
}
