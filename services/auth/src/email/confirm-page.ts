import { loginKey } from '@covalence/contract/login-key';
import type { Request, Response } from 'express';
import type { Account } from '../accounts/account-store.ts';
import type { Context } from '../context.ts';
import { confirmEmailPage, messagePage } from '../pages/account-pages.ts';
import { noteSetting, strangersSetting, type PageSetting } from '../pages/setting.ts';
import { pageHeaders } from '../pages/style.ts';
import { mailSetting } from '../mail/mail-context.ts';
import { openConfirmation } from './confirmation.ts';

/** Whose address a link confirms, and in what its pages are shown. */
interface Meant {
  readonly account: Account;
  readonly setting: PageSetting;
}

/** What a link means; undefined when it is too old, or the member has another address now. */
async function meant(request: Request, { seal, now, accounts, sites }: Context): Promise<Meant | undefined> {
  const confirmation = openConfirmation(String(request.params['token']), seal, now());
  if (!confirmation) return undefined;
  const { member_id, email, locale } = confirmation;
  const account = await accounts.find(member_id);
  // The same address in other letters (D17) is nothing that anybody is written to about again.
  if (!account || loginKey(account.email) !== loginKey(email)) return undefined;
  return { account, setting: noteSetting(request, mailSetting(account, sites, locale)) };
}

function showOld(request: Request, response: Response, { sites }: Context): void {
  response
    .status(400)
    .set(pageHeaders())
    .send(messagePage(strangersSetting(request, sites), 'linkOld', 'linkOldEmailWhy'));
}

/** GET /email/:token: asks for the confirmation; programs that look into mails open links, but press no buttons. */
export async function askConfirmation(request: Request, response: Response, context: Context): Promise<void> {
  const found = await meant(request, context);
  if (!found) return showOld(request, response, context);
  const { email } = found.account;
  response.set(pageHeaders()).send(confirmEmailPage(found.setting, { action: request.originalUrl, email }));
}

/** POST /email/:token: the address is the member's. */
export async function takeConfirmation(
  request: Request,
  response: Response,
  context: Context,
): Promise<void> {
  const found = await meant(request, context);
  if (!found) return showOld(request, response, context);
  const { account, setting } = found;
  await context.accounts.confirmEmail(account._id, account.email, context.now());
  response.set(pageHeaders()).send(messagePage(setting, 'emailConfirmed', 'signedOutWhy'));
}
