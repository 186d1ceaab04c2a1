import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '@covalence/runtime/clock';
import type { AccountStore } from '../../accounts/account-store.ts';
import type { Account } from '../../accounts/account.ts';
import { isSameEmail, resetAddress } from '../../accounts/emails/addresses.ts';
import type { ShortLivedStore } from '../../tokens/sessions/short-lived-store.ts';

/** Minutes that the link of a reset mail works. */
export const resetMinutes = 30;

const kind = 'password-reset';

const resetSchema = z.object({
  member_id: z.string(),
  email: z.string(),
  /** Of the password that is to be replaced: another one meanwhile makes the link worthless. */
  fingerprint: z.string(),
  locale: z.string().optional(),
});

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');

const fingerprintOf = (account: Account) => hashOf(account.password_hash ?? '');

/** Where reset tokens are and whom they are for. */
export interface ResetContext {
  readonly accounts: AccountStore;
  readonly shortLived: ShortLivedStore;
  readonly now: Clock;
}

/** A link whose time is not over: the account, and the language in which it was asked for. */
export interface Reset {
  /** The name under which the token is kept. */
  readonly id: string;
  readonly account: Account;
  readonly locale: string | undefined;
  /** The password that it was to replace is replaced, by it or otherwise: it replaces nothing any more. */
  readonly isUsed: boolean;
}

/** Makes a token of 256 random bits; only its hash is kept, for half an hour. */
export async function createReset(
  account: Account,
  locale: string | undefined,
  { shortLived, now }: ResetContext,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const { _id: member_id } = account;
  const email = resetAddress(account, now());
  const reset = JSON.stringify({ member_id, email, fingerprint: fingerprintOf(account), locale });
  await shortLived.save([{ kind, id: hashOf(token), payload: reset }], resetMinutes * 60, member_id);
  return token;
}

/** What a token is for, or undefined when it is unknown, expired, or links go to another address by now. */
export async function findReset(
  token: string,
  { accounts, shortLived, now }: ResetContext,
): Promise<Reset | undefined> {
  const id = hashOf(token);
  const found = await shortLived.find(kind, id);
  if (!found) return undefined;
  const { member_id, email, fingerprint, locale } = resetSchema.parse(JSON.parse(found.payload));
  const account = await accounts.find(member_id);
  if (account?.status !== 'active' || !isSameEmail(resetAddress(account, now()), email)) return undefined;
  return { id, account, locale, isUsed: fingerprintOf(account) !== fingerprint };
}

/** Whether the time of a token is not over by now. */
export async function isGoodStill({ id }: Reset, { shortLived }: ResetContext): Promise<boolean> {
  return (await shortLived.find(kind, id)) !== undefined;
}

/** Makes a token worth nothing. */
export function removeReset({ id }: Reset, { shortLived }: ResetContext): Promise<void> {
  return shortLived.remove(kind, id);
}
