import { addressKey } from '@covalence/http/address-key';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Letter } from '../../accounts/account.ts';
import { isSameEmail, resetAddress } from '../../accounts/emails/addresses.ts';
import { passwordAllowed, standardMinimum } from '../../accounts/passwords/password-rules.ts';
import type { Context } from '../../context.ts';
import { deviceOf, rememberDevice } from '../../tokens/sessions/known-device.ts';
import { sendWritten, writeNotices } from '../../mail/queued-mail.ts';
import { mailSetting } from '../../mail/mail-context.ts';
import { messagePage, newPasswordPage } from '../pages/account-pages.ts';
import { noteSetting, strangersSetting } from '../../localization/presentation.ts';
import { pageHeaders } from '../pages/style.ts';
import { signOutEverywhere } from '../../tokens/sessions/sign-out-everywhere.ts';
import { findReset, isGoodStill, removeReset, type Reset } from './reset-token.ts';

const formSchema = z.object({ password: z.string() });

function showOld(request: Request, response: Response, { sites }: Context): void {
  response
    .status(400)
    .set(pageHeaders())
    .send(messagePage(strangersSetting(request, sites), 'linkOld', 'linkOldWhy'));
}

const resetOf = (request: Request, context: Context) => findReset(String(request.params['token']), context);

const settingOf = (request: Request, { account, locale }: Reset, { sites }: Context) =>
  noteSetting(request, mailSetting(account, sites, locale));

const siteOf = ({ account }: Reset, { sites }: Context) => sites.get(account.siteid);

const minimumOf = (reset: Reset, context: Context) =>
  siteOf(reset, context)?.password_minimum ?? standardMinimum;

/** GET /password/:token: the form for a new password; opening it uses nothing up. */
export async function showNewPassword(request: Request, response: Response, context: Context): Promise<void> {
  const reset = await resetOf(request, context);
  if (!reset || reset.isUsed) return showOld(request, response, context);
  const form = { action: request.originalUrl, minimum: minimumOf(reset, context), ...reset.account };
  response.set(pageHeaders()).send(newPasswordPage(settingOf(request, reset, context), form));
}

/**
 * Sets the password and ends every sign-in: those there are before, and those that the old password made in the meantime
 * after. Resolves with the letters that tell of it, or with undefined when the link has become worthless meanwhile.
 */
async function change(reset: Reset, password: string, context: Context): Promise<Letter[] | undefined> {
  const { accounts, passwords, attempts, now } = context;
  const { account, locale } = reset;
  const { _id } = account;
  const letters = writeNotices(account, { topic: 'mailPasswordChanged', locale }, context);
  const confirms = isSameEmail(resetAddress(account, now()), account.email);
  const after = await passwords.hash(password, _id);
  await signOutEverywhere(_id, context);
  if (!(await isGoodStill(reset, context))) return undefined;
  if (!(await accounts.setPassword(account, after, now(), { letters, confirms }))) return undefined;
  await signOutEverywhere(_id, context);
  // Whoever reads the mail is the rightful member, and shall not wait for the failures of others to be forgotten.
  await attempts.forgive('account', _id);
  return letters;
}

/**
 * Whether a link that is used has set this very password: the form was sent twice, or again because its answer was lost. Whoever
 * tries to find a password out by it has one try; it is looked up in the same turn, so that a burst has hardly more.
 */
async function wasChosen(reset: Reset, password: string, context: Context): Promise<boolean> {
  const { accounts, passwords } = context;
  return passwords.inTurn(async (compare) => {
    if (!(await isGoodStill(reset, context))) return false;
    const account = await accounts.find(reset.account._id);
    const isSame = await compare(password, account?.password_hash);
    if (!isSame) await removeReset(reset, context);
    return isSame;
  }, reset.account._id);
}

/** POST /password/:token: takes the new password. The link works once; the same password may be sent again. */
export async function takeNewPassword(request: Request, response: Response, context: Context): Promise<void> {
  const reset = await resetOf(request, context);
  if (!reset) return showOld(request, response, context);
  const setting = settingOf(request, reset, context);
  const form = formSchema.safeParse(request.body ?? {});
  const minimum = minimumOf(reset, context);
  const { username, email } = reset.account;
  const rules = { minimum, username, email, site: siteOf(reset, context) };
  if (!form.success || !passwordAllowed(form.data.password, rules)) {
    if (reset.isUsed) return showOld(request, response, context);
    const problem = setting.text('badPassword');
    response
      .set(pageHeaders())
      .send(newPasswordPage(setting, { action: request.originalUrl, minimum, username, problem }));
    return;
  }
  const { password } = form.data;
  const notices = reset.isUsed ? undefined : await change(reset, password, context);
  if (notices) {
    const address = addressKey(request.ip ?? '');
    context.security.record('password_changed', { member: reset.account._id, address, reason: 'mail' });
    context.background.run(sendWritten(reset.account._id, notices, context));
  } else if (!(await wasChosen(reset, password, context))) {
    return showOld(request, response, context);
  }
  // Whoever reads the member's mail is not limited by the failures of others in the sign-in that follows.
  rememberDevice(response, deviceOf(request, context).withAccount(reset.account._id), context);
  response.set(pageHeaders()).send(messagePage(setting, 'passwordSaved', 'passwordSavedWhy'));
}
