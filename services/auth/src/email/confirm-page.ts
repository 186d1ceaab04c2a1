import type { Request, Response } from 'express';
import type { Account } from '../accounts/account-store.ts';
import type { Context } from '../context.ts';
import { confirmEmailPage, messagePage } from '../pages/account-pages.ts';
import { noteSetting, strangersSetting } from '../pages/setting.ts';
import { pageHeaders } from '../pages/style.ts';
import { mailSetting } from '../mail/mail-context.ts';
import { openConfirmation } from './confirmation.ts';

/** The account whose address a link confirms; undefined when the link is too old, or the member has another address now. */
async function meant(request: Request, { seal, now, accounts }: Context): Promise<Account | undefined> {
  const confirmation = openConfirmation(String(request.params['token']), seal, now());
  const account = confirmation && (await accounts.find(confirmation.member_id));
  return account?.email === confirmation?.email ? account : undefined;
}

function showOld(request: Request, response: Response, { sites }: Context): void {
  response
    .status(400)
    .set(pageHeaders())
    .send(messagePage(strangersSetting(request, sites), 'linkOld', 'linkOldEmailWhy'));
}

/** GET /email/:token: asks for the confirmation; programs that look into mails open links, but press no buttons. */
export async function askConfirmation(request: Request, response: Response, context: Context): Promise<void> {
  const account = await meant(request, context);
  if (!account) return showOld(request, response, context);
  const setting = mailSetting(account, context.sites);
  response.set(pageHeaders()).send(confirmEmailPage(setting, { action: request.originalUrl, ...account }));
}

/** POST /email/:token: the address is the member's. */
export async function takeConfirmation(
  request: Request,
  response: Response,
  context: Context,
): Promise<void> {
  const account = await meant(request, context);
  if (!account) return showOld(request, response, context);
  const setting = noteSetting(request, mailSetting(account, context.sites));
  await context.accounts.confirmEmail(account._id, account.email, context.now());
  response.set(pageHeaders()).send(messagePage(setting, 'emailConfirmed', 'signedOutWhy'));
}
