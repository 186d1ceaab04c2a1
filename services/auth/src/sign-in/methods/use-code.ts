import { addressKey } from '@covalence/http/address-key';
import type { Request } from 'express';
import type { Account } from '../../accounts/account.ts';
import type { Counter } from '../../accounts/attempts-store.ts';
import { factorKey, openKey, readCode, stepOf } from '../../accounts/second-factors.ts';
import { notify } from '../../mail/queued-mail.ts';
import { deviceOf } from '../../tokens/sessions/known-device.ts';
import { recordEvent } from '../record-event.ts';
import type { PageVisit, SignInContext } from '../sign-in-context.ts';

/** The result for a code: right, wrong, or not checked after too many wrong ones. */
export type CodeOutcome =
  | { readonly kind: 'app' }
  | { readonly kind: 'wrong' }
  /** Its hash. Any use of the code uses it up. */
  | { readonly kind: 'recovery'; readonly hash: string }
  | LimitedCode;

interface LimitedCode {
  readonly kind: 'limited';
  readonly seconds: number;
  /** `codeBlocked`: for so long that only another sign-in method helps. */
  readonly problem: 'limited' | 'codeBlocked';
}

/** Interval, in seconds, in which a member is notified of wrong codes at most once. */
const notifiedSeconds = 24 * 60 * 60;

/** Notifies a member that somebody gets as far as the second step. */
async function notifyOfWrongCodes(account: Account, context: SignInContext): Promise<void> {
  if (account.staff) return;
  if (await context.tokens.sessions.claim('wrong-codes-told', account._id, notifiedSeconds))
    await notify(account, { topic: 'mailWrongCodes' }, context);
}

/** Counters of wrong codes. A browser that has proven two factors before has its own, so that strangers do not lock out the owner. */
function appCounters({ request, context }: PageVisit, account: Account): readonly Counter[] {
  const device = deviceOf(request, context);
  const isKnown = device.knowsBothFactors(account);
  const key = factorKey(account._id, isKnown ? device.id : undefined);
  return [
    { kind: isKnown ? 'device' : 'account', key },
    { kind: 'appCode', key },
  ];
}

/** Recovery codes cannot be guessed: as with passkeys, wrong ones count for the address alone, and lock nobody else out. */
const recoveryCounters = ({ ip }: Request): readonly Counter[] => [
  { kind: 'recoveryCode', key: addressKey(ip ?? '') },
];

async function useAppCode(
  account: Account,
  digits: string,
  { accounts: { secondFactors }, keys: { seal }, clock }: SignInContext,
): Promise<boolean> {
  const { _id, totp } = account;
  const key = totp && openKey(totp, _id, seal);
  const step = key === undefined ? undefined : stepOf(digits, key, clock());
  if (!totp || step === undefined) return false;
  return secondFactors.useTotp(account, step, seal.renewed('totp-keys', totp.secret, _id));
}

/**
 * Checks a code of an account's app and uses it up, or checks a recovery code. Attempts count before they are checked, so that those at the same
 * time count too. A right code takes back its own count only: the owner's sign-in gives a thief no new attempts.
 */
export async function useCode(visit: PageVisit, account: Account, entered: string): Promise<CodeOutcome> {
  const { request, context } = visit;
  const { attempts } = context.accounts;
  const { digits, recovery: hash = '' } = readCode(entered);
  const isApp = digits !== undefined;
  const counters = isApp ? appCounters(visit, account) : recoveryCounters(request);
  for (const { kind, key } of counters) {
    const seconds = await attempts.count(kind, key);
    if (!seconds) continue;
    if (isApp) await notifyOfWrongCodes(account, context);
    const isBlocked = kind === 'appCode';
    if (isBlocked) recordEvent({ request, context }, 'second_factor_locked', { account });
    return { kind: 'limited', seconds, problem: isBlocked ? 'codeBlocked' : 'limited' };
  }
  const isRight = isApp ? await useAppCode(account, digits, context) : account.recovery_codes?.includes(hash);
  if (!isRight) return { kind: 'wrong' };
  await Promise.all(counters.map(({ kind, key }) => attempts.uncount(kind, key)));
  return isApp ? { kind: 'app' } : { kind: 'recovery', hash };
}
