import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Account, AccountStore } from '../accounts/account-store.ts';
import type { ShortLivedStore } from '../tokens/short-lived-store.ts';

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
}

/** A link that may be used: the account, and the language in which it was asked for. */
export interface Reset {
  /** The name under which the token is kept. */
  readonly id: string;
  readonly account: Account;
  readonly locale: string | undefined;
}

/** Makes a token of 256 random bits; only its hash is kept, for half an hour. */
export async function createReset(
  account: Account,
  locale: string | undefined,
  { shortLived }: ResetContext,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const { _id: member_id, email } = account;
  const reset = JSON.stringify({ member_id, email, fingerprint: fingerprintOf(account), locale });
  await shortLived.save([{ kind, id: hashOf(token), payload: reset }], resetMinutes * 60, member_id);
  return token;
}

/** What a token is for, or undefined when it is unknown, expired, used, or overtaken by another password or address. */
export async function findReset(
  token: string,
  { accounts, shortLived }: ResetContext,
): Promise<Reset | undefined> {
  const id = hashOf(token);
  const found = await shortLived.find(kind, id);
  if (!found || found.consumed !== undefined) return undefined;
  const { member_id, email, fingerprint, locale } = resetSchema.parse(JSON.parse(found.payload));
  const account = await accounts.find(member_id);
  const isGood =
    account?.status === 'active' && account.email === email && fingerprintOf(account) === fingerprint;
  return isGood ? { id, account, locale } : undefined;
}

/** Uses a token; of several uses at once one gets true. */
export function useReset({ id }: Reset, at: Date, { shortLived }: ResetContext): Promise<boolean> {
  return shortLived.consume(kind, id, Math.floor(at.getTime() / 1000));
}
