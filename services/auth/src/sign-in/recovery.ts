import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Account, Passkey, Recovery } from '../accounts/account.ts';
import { currentLocale } from '../accounts/current-locale.ts';
import { presentationOf, timeText } from '../localization/presentation.ts';
import { noticesOf, sendNow } from '../mail/queued-mail.ts';
import type { SignInContext } from './sign-in-context.ts';
import { undoDays } from './undo-link.ts';

const hourMs = 60 * 60 * 1000;

/** Hours in which the links of a recovery open the account, once they do. */
const openHours = 24;

/** Whether the mail about a passkey or app can no longer remove it. A younger one may be a thief's, to keep the owner out. */
export const isSettled = (added: Date, { now }: Pick<SignInContext, 'now'>): boolean =>
  added.getTime() <= now().getTime() - undoDays * 24 * hourMs;

/** The passkeys that count more than a mailed link, because somebody else may read the mail of their owner. */
export const settledPasskeys = ({ passkeys = [] }: Account, context: SignInContext): readonly Passkey[] =>
  context.recoveryHours > 0 ? passkeys.filter(({ created_at }) => isSettled(created_at, context)) : [];

/** Whether mailed links open the account only after a delay. */
export const isDelayed = (account: Account, context: SignInContext): boolean =>
  settledPasskeys(account, context).length > 0;

/** The recovery of an account that has not expired. */
export const recoveryOf = ({ recovery }: Account, now: Date): Recovery | undefined =>
  recovery && recovery.until > now ? recovery : undefined;

const linkSchema = z.object({ member_id: z.string(), id: z.string() });

const bound = 'link';

/** The account and recovery that a link cancels. It is encrypted, not stored: using it again changes nothing. */
export function openCancelLink(
  token: string,
  { keys }: SignInContext,
): z.output<typeof linkSchema> | undefined {
  const text = keys.seal.open('recovery-cancel', token, bound);
  return text === undefined ? undefined : linkSchema.parse(JSON.parse(text));
}

/**
 * The recovery of an account: the one that has begun, or a new one, of which the member is told by mail and at open sockets. A
 * repeated request neither delays it nor shortens the delay. The notice goes to the addresses of `told`.
 */
export async function beginRecovery(
  account: Account,
  context: SignInContext,
  told = account,
): Promise<Recovery | undefined> {
  const { accounts, background, issuer, keys, now, profile, recoveryHours, sites, tokens } = context;
  const { _id: member_id, siteid } = account;
  const at = now();
  const from = new Date(at.getTime() + recoveryHours * hourMs);
  const recovery = { id: randomUUID(), from, until: new Date(from.getTime() + openHours * hourMs) };
  const token = keys.seal.seal('recovery-cancel', JSON.stringify({ member_id, id: recovery.id }), bound);
  const locale = await currentLocale(account, profile);
  const time = timeText(presentationOf({ siteid, locale }, sites), from);
  const link = `${issuer}/password/${token}/cancel`;
  const content = { topic: 'mailRecoveryBegun', values: { time }, link, locale } as const;
  const mails = noticesOf(told, content, context);
  if (await accounts.beginRecovery(member_id, recovery, mails, at)) {
    const update = { type: 'recovery', at: at.toISOString(), data: { from: from.toISOString() } } as const;
    background.run(tokens.revocations.tellSockets(account.id, update));
    background.run(sendNow(member_id, mails, context));
    return recovery;
  }
  const current = await accounts.find(member_id);
  return current && recoveryOf(current, at);
}
