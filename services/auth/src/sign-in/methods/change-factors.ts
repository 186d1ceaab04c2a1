import type { Account } from '../../accounts/account.ts';
import { factorKey, newRecoveryCodes, readCode, sealKey, stepOf } from '../../accounts/second-factors.ts';
import { noticesOf } from '../../mail/queued-mail.ts';
import { announceChange, undoDays, undoLinks } from './announce-change.ts';
import type { SignInContext } from '../sign-in-context.ts';

/** A new app, and the first code that it shows. */
interface NewApp {
  readonly key: string;
  readonly code: string;
}

/**
 * Adds an app with new recovery codes, and mails a notice that can remove it. Resolves with the recovery codes; `wrong` when the code is
 * not of the app, `changed` when the factors have changed since the account was read.
 */
export async function addApp(
  account: Account,
  { key, code }: NewApp,
  context: SignInContext,
): Promise<readonly string[] | 'wrong' | 'changed'> {
  const { accounts, issuer, keys, clock } = context;
  const { _id } = account;
  const at = clock();
  const step = stepOf(readCode(code).digits ?? '', key, at);
  if (step === undefined) return 'wrong';
  const codes = newRecoveryCodes();
  const link = issuer + undoLinks['two-step'].path({ member_id: _id, id: String(at.getTime()) }, context);
  const mails = noticesOf(account, { topic: 'mailTwoStepOn', values: { days: undoDays }, link }, context);
  const isSet = await accounts.secondFactors.setTotp(
    account,
    { secret: sealKey(key, _id, keys.seal), added_at: at, last_step: step },
    codes.map(({ hash }) => hash),
    { mails, at },
  );
  if (!isSet) return 'changed';
  await accounts.attempts.reset('appCode', factorKey(_id));
  announceChange(account, { mails, alert: { type: 'two_step', data: { on: true } } }, context);
  return codes.map((one) => one.code);
}

/** Replaces the recovery codes, and mails a notice; undefined when the factors have changed since the account was read. */
export async function renewRecoveryCodes(
  account: Account,
  context: SignInContext,
): Promise<readonly string[] | undefined> {
  const codes = newRecoveryCodes();
  const mails = noticesOf(account, { topic: 'mailRecoveryCodes' }, context);
  const hashes = codes.map(({ hash }) => hash);
  const extras = { mails, at: context.clock() };
  if (!(await context.accounts.secondFactors.setRecoveryCodes(account, hashes, extras))) return undefined;
  announceChange(account, { mails, alert: { type: 'two_step', data: { on: true } } }, context);
  return codes.map(({ code }) => code);
}

/** Turns two-step sign-in off and mails a notice; its caller alerts. False when the app is gone. */
export async function removeApp(account: Account, context: SignInContext): Promise<boolean> {
  if (!account.totp) return false;
  const mails = noticesOf(account, { topic: 'mailTwoStepOff' }, context);
  const extras = { mails, at: context.clock() };
  const isRemoved = await context.accounts.secondFactors.removeTotp(account, account.totp.added_at, extras);
  if (isRemoved) announceChange(account, { mails }, context);
  return isRemoved;
}
