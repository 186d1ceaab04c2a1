import type { Request } from 'express';
import { currentLocale } from '../../accounts/current-locale.ts';
import { presentationOf, remember } from '../../localization/presentation.ts';
import { cancelRecoveryPage, messagePage } from '../pages/account-pages.ts';
import { sendInvalidLink, sendPage } from '../pages/respond.ts';
import { openCancelLink, stopRecovery } from '../recovery.ts';
import type { PageHandler, SignInContext } from '../sign-in-context.ts';

/** The account and recovery of a link; undefined when it is invalid. */
async function targetOf(request: Request, context: SignInContext) {
  const link = openCancelLink(String(request.params['token']), context);
  const account = link && (await context.accounts.find(link.member_id));
  if (!account) return undefined;
  const locale = await currentLocale(account, context.profile);
  const presentation = presentationOf({ siteid: account.siteid, locale }, context.sites);
  return { account, id: link.id, presentation: remember(request, presentation) };
}

/** GET /password/:token/cancel: asks for confirmation, because mail scanners open links, but press no buttons. */
export const askCancelRecovery: PageHandler = async (request, response, context) => {
  const found = await targetOf(request, context);
  if (!found) return sendInvalidLink(request, response, context);
  sendPage(response, cancelRecoveryPage(found.presentation, { action: request.originalUrl }));
};

/** POST /password/:token/cancel: the mailed links of the recovery stop working. A link of an earlier one says that it is old. */
export const takeCancelRecovery: PageHandler = async (request, response, context) => {
  const found = await targetOf(request, context);
  if (!found) return sendInvalidLink(request, response, context);
  const { account, id, presentation } = found;
  if (account.recovery && account.recovery.id !== id) return sendInvalidLink(request, response, context);
  await stopRecovery(account, id, request.ip ?? '', context);
  sendPage(response, messagePage(presentation, 'recoveryCancelled', 'recoveryCancelledWhy'));
};
