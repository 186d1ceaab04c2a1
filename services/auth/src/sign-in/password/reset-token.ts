import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '@covalence/runtime/clock';
import type { AccountStore } from '../../accounts/account-store.ts';
import type { Account } from '../../accounts/account.ts';
import { isSameEmail, resetAddress } from '../../accounts/addresses.ts';
import type { SessionStore } from '../../tokens/sessions/session-store.ts';

/** Lifetime of a reset link. */
export const resetMinutes = 30;

const kind = 'password-reset';

const resetSchema = z.object({
  member_id: z.string(),
  email: z.string(),
  /** Hash of the password to replace: the link is worthless once the password changes. */
  fingerprint: z.string(),
  locale: z.string().optional(),
});

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');

const fingerprintOf = (account: Account) => hashOf(account.password_hash ?? '');

/** Dependencies of reset tokens. */
export interface ResetContext {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly tokens: { readonly sessions: SessionStore };
  readonly now: Clock;
}

/** A link that has not expired. */
export interface Reset {
  /** Hash of the token. */
  readonly id: string;
  readonly account: Account;
  readonly locale: string | undefined;
  /** The password has changed since the link was created. */
  readonly isUsed: boolean;
}

/** Creates a token of 256 random bits and stores its hash. */
export async function createReset(
  account: Account,
  locale: string | undefined,
  { tokens, now }: ResetContext,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const { _id: member_id } = account;
  const email = resetAddress(account, now());
  const reset = JSON.stringify({ member_id, email, fingerprint: fingerprintOf(account), locale });
  await tokens.sessions.save([{ kind, id: hashOf(token), payload: reset }], resetMinutes * 60, member_id);
  return token;
}

/** The link of a token; undefined when it is unknown or expired, or password mails have another recipient now. */
export async function findReset(
  token: string,
  { accounts, tokens, now }: ResetContext,
): Promise<Reset | undefined> {
  const id = hashOf(token);
  const found = await tokens.sessions.find(kind, id);
  if (!found) return undefined;
  const { member_id, email, fingerprint, locale } = resetSchema.parse(JSON.parse(found.payload));
  const account = await accounts.find(member_id);
  if (account?.status !== 'active' || !isSameEmail(resetAddress(account, now()), email)) return undefined;
  return { id, account, locale, isUsed: fingerprintOf(account) !== fingerprint };
}

/** Whether a link still exists. */
export async function exists({ id }: Reset, { tokens }: ResetContext): Promise<boolean> {
  return (await tokens.sessions.find(kind, id)) !== undefined;
}

export function removeReset({ id }: Reset, { tokens }: ResetContext): Promise<void> {
  return tokens.sessions.remove(kind, id);
}
