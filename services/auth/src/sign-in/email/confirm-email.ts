import type { Request } from 'express';
import type { Account } from '../../accounts/account.ts';
import { isSameEmail, pendingOf } from '../../accounts/addresses.ts';
import { confirmEmailPage, confirmNewEmailPage, messagePage } from '../pages/account-pages.ts';
import { presentationOf, remember, type Presentation } from '../../localization/presentation.ts';
import { sendInvalidLink, sendPage } from '../pages/respond.ts';
import { applyPending } from './apply-pending.ts';
import { openConfirmation } from '../../mail/address-links.ts';
import type { PageHandler, SignInContext } from '../sign-in-context.ts';

/** The address that a link confirms. */
interface Target {
  readonly account: Account;
  /** In the account's spelling. */
  readonly email: string;
  readonly isPending: boolean;
  readonly presentation: Presentation;
}

/** The target of a link; undefined when it has expired or the address is neither current nor pending. */
async function targetOf(
  request: Request,
  { keys, now, accounts, sites }: SignInContext,
): Promise<Target | undefined> {
  const confirmation = openConfirmation(String(request.params['token']), keys.seal, now());
  if (!confirmation) return undefined;
  const { member_id, email, locale } = confirmation;
  const account = await accounts.find(member_id);
  if (!account) return undefined;
  const pending = pendingOf(account, now())?.email ?? '';
  const isPending = isSameEmail(pending, email);
  if (!isPending && !isSameEmail(account.email, email)) return undefined;
  const presentation = remember(request, presentationOf({ siteid: account.siteid, locale }, sites));
  return { account, email: isPending ? pending : account.email, isPending, presentation };
}

/** GET /email/:token: asks for confirmation, because mail scanners open links, but press no buttons. */
export const askConfirmation: PageHandler = async (request, response, context) => {
  const found = await targetOf(request, context);
  if (!found) return sendInvalidLink(request, response, context, 'linkOldEmailWhy');
  const { email, isPending, presentation } = found;
  const ask = isPending ? confirmNewEmailPage : confirmEmailPage;
  sendPage(response, ask(presentation, { action: request.originalUrl, email }));
};

/** POST /email/:token: confirms the current address, or applies the pending one. */
export const takeConfirmation: PageHandler = async (request, response, context) => {
  const found = await targetOf(request, context);
  if (!found) return sendInvalidLink(request, response, context, 'linkOldEmailWhy');
  const { account, email, isPending, presentation } = found;
  if (!isPending) await context.accounts.emails.confirm(account._id, email, context.now());
  else if (!(await applyPending(account, email, context)))
    return sendInvalidLink(request, response, context, 'linkOldEmailWhy');
  sendPage(
    response,
    messagePage(presentation, 'emailConfirmed', isPending ? 'emailChangedWhy' : 'signedOutWhy'),
  );
};
