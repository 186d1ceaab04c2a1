import { z } from 'zod';
import type { Account, Recovery } from '../../accounts/account.ts';
import { isSameEmail, resetAddress } from '../../accounts/addresses.ts';
import { sha256 } from '../../keys/algorithms.ts';
import { storedLink } from '../../mail/links.ts';
import { isDelayed, recoveryOf } from '../methods/recovery.ts';
import type { SignInContext } from '../sign-in-context.ts';

/** Links for a new password. */
export const resetLink = storedLink({
  kind: 'password-reset',
  route: '/password/:token',
  minutes: 30,
  schema: z.object({
    member_id: z.string(),
    email: z.string(),
    /** Hash of the password to replace: without a recovery the link is worthless once the password changes. */
    fingerprint: z.string(),
    locale: z.string().optional(),
    /** Id of the recovery that it belongs to. */
    recovery: z.string().optional(),
  }),
});

const fingerprintOf = (account: Account) => sha256(account.password_hash ?? '');

/** Minutes from now until a time. */
export const minutesUntil = (time: Date, now: Date): number =>
  Math.ceil((time.getTime() - now.getTime()) / 60_000);

/** A link that has not expired. */
export interface Reset {
  readonly token: string;
  readonly account: Account;
  readonly locale: string | undefined;
  /** From when on it opens the account, when that is later. */
  readonly opensAt: Date | undefined;
  /** The recovery that the link belongs to. */
  readonly recovery: Recovery | undefined;
  /** The password has changed since the link was created. */
  readonly isUsed: boolean;
}

/** Creates a link; resolves to its path. */
export async function resetPath(
  account: Account,
  locale: string | undefined,
  context: SignInContext,
  recovery?: Recovery,
): Promise<string> {
  const now = context.clock();
  const email = resetAddress(account, now);
  const fingerprint = fingerprintOf(account);
  const content = { member_id: account._id, email, fingerprint, locale, recovery: recovery?.id };
  const lifetime = recovery && minutesUntil(recovery.until, now);
  return resetLink.path(content, context, { lifetime });
}

/**
 * The link of a token; undefined when it is unknown or expired, password mails have another recipient now, or it would open an
 * account at once whose links open it later.
 */
export async function findReset(token: string, context: SignInContext): Promise<Reset | undefined> {
  const { accounts, clock } = context;
  const content = await resetLink.find(token, context);
  if (!content) return undefined;
  const account = await accounts.find(content.member_id);
  if (account?.status !== 'active' || !isSameEmail(resetAddress(account, clock()), content.email))
    return undefined;
  const current = recoveryOf(account, clock());
  const recovery = content.recovery !== undefined && content.recovery === current?.id ? current : undefined;
  // Another new password does not use up a recovery: who knows the old one would stop it so.
  const isUsed = !recovery && fingerprintOf(account) !== content.fingerprint;
  if (!isUsed && content.recovery === undefined && isDelayed(account, context)) return undefined;
  // Canceled; a used one is gone with its recovery, but the same form may be sent again.
  if (!isUsed && !recovery && content.recovery !== undefined) return undefined;
  const opensAt = recovery?.from;
  return {
    token,
    account,
    locale: content.locale,
    opensAt: opensAt && opensAt > clock() ? opensAt : undefined,
    recovery,
    isUsed,
  };
}
