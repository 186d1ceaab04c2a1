import { recentSignInSeconds } from '@covalence/contract/recent-sign-in';
import { hourMs, dayMs } from '@covalence/contract/time';
import { addressKey } from '@covalence/http/address-key';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Account, Passkey, Recovery } from '../../accounts/account.ts';
import { memberPresentation } from '../../accounts/member-presentation.ts';
import { longTimeIn } from '../../localization/dates.ts';
import { sealedLink } from '../../mail/links.ts';
import { noticesOf } from '../../mail/queued-mail.ts';
import { announceChange, undoDays } from './announce-change.ts';
import type { SignInContext } from '../sign-in-context.ts';

/** Hours in which the links of a recovery open the account, once they do. */
const openHours = 24;

/** Whether the mail about a passkey or app can no longer remove it. A younger one may be a thief's, to keep the owner out. */
export const isSettled = (added: Date, { clock }: Pick<SignInContext, 'clock'>): boolean =>
  added.getTime() <= clock().getTime() - undoDays * dayMs;

/** The passkeys that count more than a mailed link, because somebody else may read the mail of their owner. */
export const settledPasskeys = ({ passkeys = [] }: Account, context: SignInContext): readonly Passkey[] =>
  context.recoveryHours > 0 ? passkeys.filter(({ created_at }) => isSettled(created_at, context)) : [];

/**
 * Whether a mailed link opens the account only after a delay: somebody else may read the mail of a member with settled passkeys. One
 * that was removed counts for the time of a delay still, so that removing it gains nothing.
 */
export function isDelayed(account: Account, context: SignInContext): boolean {
  const removedAt = account.settled_passkey_removed_at?.getTime() ?? 0;
  const isRemovedOne = context.clock().getTime() - removedAt < context.recoveryHours * hourMs;
  return isRemovedOne || settledPasskeys(account, context).length > 0;
}

/** The methods of a sign-in, and its time in seconds since the epoch. */
interface SignInFacts {
  readonly methods: readonly string[];
  readonly at: number;
}

/**
 * Whether a sign-in is the owner's for certain: by passkey, in the last ten minutes, while every passkey is settled. Such a member
 * may lock out who reads the former mailbox.
 */
export function isOwners(account: Account, { methods, at }: SignInFacts, context: SignInContext): boolean {
  const settled = settledPasskeys(account, context).length;
  const isRecent = context.clock().getTime() / 1000 - at <= recentSignInSeconds;
  return methods.includes('pop') && isRecent && settled > 0 && settled === account.passkeys?.length;
}

/** The recovery of an account that has not expired. */
export const recoveryOf = ({ recovery }: Account, now: Date): Recovery | undefined =>
  recovery && recovery.until > now ? recovery : undefined;

/** Links that cancel a recovery, by its id. */
export const cancelLink = sealedLink({
  purpose: 'recovery-cancel',
  route: '/password/:token/cancel',
  schema: z.object({ member_id: z.string(), id: z.string() }),
});

/**
 * The recovery of an account: the one that has begun, or a new one, of which the member is notified by mail, at open sockets and on devices. A
 * repeated request neither delays it nor shortens the delay. The notice goes to the addresses of
 * `recipient`. Customer service begins one that no sign-in stops.
 */
export async function beginRecovery(
  account: Account,
  context: SignInContext,
  {
    recipient = account,
    by_support = false,
  }: { readonly recipient?: Account; readonly by_support?: boolean } = {},
): Promise<Recovery | undefined> {
  const { accounts, issuer, clock, recoveryHours } = context;
  const { _id: member_id } = account;
  const at = clock();
  const from = new Date(at.getTime() + recoveryHours * hourMs);
  const until = new Date(from.getTime() + openHours * hourMs);
  const recovery: Recovery = { id: randomUUID(), from, until, ...(by_support && { by_support }) };
  const presentation = await memberPresentation(account, context);
  const { locale } = presentation;
  const time = longTimeIn(presentation, from);
  const link = issuer + cancelLink.path({ member_id, id: recovery.id }, context);
  const topic = by_support ? 'mailSupportRecovery' : 'mailRecoveryBegun';
  const mails = noticesOf(recipient, { topic, values: { time }, link, locale }, context);
  if (await accounts.beginRecovery(member_id, recovery, mails, at)) {
    const alert = { type: 'recovery', data: { from: from.toISOString() } } as const;
    announceChange(account, { mails, alert }, context);
    return recovery;
  }
  const current = await accounts.find(member_id);
  return current && recoveryOf(current, at);
}

/**
 * Stops a recovery and mails a notice, because whoever stops it may not be the owner. False when it is not the current one. Customer
 * service can begin one that a sign-in does not stop.
 */
export async function stopRecovery(
  account: Account,
  id: string,
  address: string,
  context: SignInContext,
): Promise<boolean> {
  const { accounts, clock, security } = context;
  const mails = noticesOf(account, { topic: 'mailRecoveryStopped' }, context);
  if (!(await accounts.cancelRecovery(account._id, id, mails, clock()))) return false;
  security.record('recovery_cancelled', { member: account._id, address: addressKey(address) });
  announceChange(account, { mails }, context);
  return true;
}
