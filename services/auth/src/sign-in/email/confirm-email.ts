import type { Request, Response } from 'express';
import type { Account } from '../../accounts/account.ts';
import { isSameEmail, pendingOf } from '../../accounts/emails/addresses.ts';
import type { Context } from '../../context.ts';
import { confirmEmailPage, messagePage } from '../pages/account-pages.ts';
import { noteSetting, strangersSetting, type PageSetting } from '../../localization/presentation.ts';
import { pageHeaders } from '../pages/style.ts';
import { mailSetting } from '../../mail/mail-context.ts';
import { applyPending } from './apply-pending.ts';
import { openConfirmation } from '../../mail/confirmation-link.ts';

/** Whose address a link confirms, and in what its pages are shown. */
interface Meant {
  readonly account: Account;
  /** As the account has it. */
  readonly email: string;
  readonly isPending: boolean;
  readonly setting: PageSetting;
}

/** What a link means; undefined when it is too old, or the member has and wants another address now. */
async function meant(request: Request, { seal, now, accounts, sites }: Context): Promise<Meant | undefined> {
  const confirmation = openConfirmation(String(request.params['token']), seal, now());
  if (!confirmation) return undefined;
  const { member_id, email, locale } = confirmation;
  const account = await accounts.find(member_id);
  if (!account) return undefined;
  // The same address in other letters is nothing that anybody is written to about again.
  const waiting = pendingOf(account, now())?.email ?? '';
  const isPending = isSameEmail(waiting, email);
  if (!isPending && !isSameEmail(account.email, email)) return undefined;
  const setting = noteSetting(request, mailSetting(account, sites, locale));
  return { account, email: isPending ? waiting : account.email, isPending, setting };
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
  const { email, setting } = found;
  response.set(pageHeaders()).send(confirmEmailPage(setting, { action: request.originalUrl, email }));
}

/** POST /email/:token: the address is the member's; one that waited is in force from now on. */
export async function takeConfirmation(
  request: Request,
  response: Response,
  context: Context,
): Promise<void> {
  const found = await meant(request, context);
  if (!found) return showOld(request, response, context);
  const { account, email, isPending, setting } = found;
  if (!isPending) await context.accounts.confirmEmail(account._id, email, context.now());
  else if (!(await applyPending(account, email, context))) return showOld(request, response, context);
  response.set(pageHeaders()).send(messagePage(setting, 'emailConfirmed', 'signedOutWhy'));
}
