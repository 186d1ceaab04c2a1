import { addressKey } from '@covalence/http/address-key';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { QueuedMail } from '../../accounts/account.ts';
import { isSameEmail, resetAddress } from '../../accounts/addresses.ts';
import { passwordAllowed, standardMinimum } from '../../accounts/passwords/password-rules.ts';
import { deviceOf, rememberDevice } from '../../tokens/sessions/known-device.ts';
import { sendNow, noticesOf } from '../../mail/queued-mail.ts';
import { mailPresentation } from '../../mail/mail-context.ts';
import { messagePage, newPasswordPage } from '../pages/account-pages.ts';
import { remember } from '../../localization/presentation.ts';
import { sendInvalidLink, sendPage } from '../pages/respond.ts';
import { signOutEverywhere } from '../../tokens/sessions/sign-out-everywhere.ts';
import { exists, findReset, removeReset, type Reset } from './reset-token.ts';
import type { SignInContext } from '../sign-in-context.ts';

const formSchema = z.object({ password: z.string() });

const resetOf = (request: Request, context: SignInContext) =>
  findReset(String(request.params['token']), context);

const resetPresentation = (request: Request, { account, locale }: Reset, { sites }: SignInContext) =>
  remember(request, mailPresentation(account, sites, locale));

const siteOf = ({ account }: Reset, { sites }: SignInContext) => sites.get(account.siteid);

const minimumOf = (reset: Reset, context: SignInContext) =>
  siteOf(reset, context)?.password_minimum ?? standardMinimum;

/** GET /password/:token: the form for a new password. The link stays usable. */
export async function showNewPassword(
  request: Request,
  response: Response,
  context: SignInContext,
): Promise<void> {
  const reset = await resetOf(request, context);
  if (!reset || reset.isUsed) return sendInvalidLink(request, response, context);
  const form = { action: request.originalUrl, minimum: minimumOf(reset, context), ...reset.account };
  sendPage(response, newPasswordPage(resetPresentation(request, reset, context), form));
}

/**
 * Sets the password and signs the member out everywhere, before and after, because the former password may sign in in
 * between. Resolves to the notices; undefined when the link has become worthless.
 */
async function change(
  reset: Reset,
  password: string,
  context: SignInContext,
): Promise<QueuedMail[] | undefined> {
  const { accounts, now } = context;
  const { account, locale } = reset;
  const { _id } = account;
  const mails = noticesOf(account, { topic: 'mailPasswordChanged', locale }, context);
  const confirms = isSameEmail(resetAddress(account, now()), account.email);
  const after = await accounts.passwords.hash(password, _id);
  await signOutEverywhere(_id, context);
  if (!(await exists(reset, context))) return undefined;
  if (!(await accounts.setPassword(account, after, now(), { mails, confirms }))) return undefined;
  await signOutEverywhere(_id, context);
  // The mail was read by the member, whom other people's failures must not limit.
  await accounts.attempts.reset('account', _id);
  return mails;
}

/**
 * Whether a used link has set this password: the form was sent again, e.g. after a lost response. A wrong guess
 * removes the link, in the same job of the hashing queue.
 */
async function isRepeated(reset: Reset, password: string, context: SignInContext): Promise<boolean> {
  const { accounts } = context;
  return accounts.passwords.inTurn(async (compare) => {
    if (!(await exists(reset, context))) return false;
    const account = await accounts.find(reset.account._id);
    const isSame = await compare(password, account?.password_hash);
    if (!isSame) await removeReset(reset, context);
    return isSame;
  }, reset.account._id);
}

/** POST /password/:token: sets the new password. The link works once; the same password may be sent again. */
export async function takeNewPassword(
  request: Request,
  response: Response,
  context: SignInContext,
): Promise<void> {
  const reset = await resetOf(request, context);
  if (!reset) return sendInvalidLink(request, response, context);
  const presentation = resetPresentation(request, reset, context);
  const form = formSchema.safeParse(request.body ?? {});
  const minimum = minimumOf(reset, context);
  const { username, email } = reset.account;
  const rules = { minimum, username, email, site: siteOf(reset, context) };
  if (!form.success || !passwordAllowed(form.data.password, rules)) {
    if (reset.isUsed) return sendInvalidLink(request, response, context);
    const problem = presentation.text('badPassword');
    const page = newPasswordPage(presentation, { action: request.originalUrl, minimum, username, problem });
    return sendPage(response, page);
  }
  const { password } = form.data;
  const notices = reset.isUsed ? undefined : await change(reset, password, context);
  if (notices) {
    const address = addressKey(request.ip ?? '');
    context.security.record('password_changed', { member: reset.account._id, address, reason: 'mail' });
    context.background.run(sendNow(reset.account._id, notices, context));
  } else if (!(await isRepeated(reset, password, context))) {
    return sendInvalidLink(request, response, context);
  }
  // The sign-in that follows is not limited by other people's failures.
  rememberDevice(response, deviceOf(request, context).withAccount(reset.account._id), context);
  sendPage(response, messagePage(presentation, 'passwordSaved', 'passwordSavedWhy'));
}
