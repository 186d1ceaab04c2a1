import type { Request } from 'express';
import { currentLocale } from '../../accounts/current-locale.ts';
import { presentationOf, remember } from '../../localization/presentation.ts';
import { openStopLink } from '../../mail/send-digest.ts';
import { messagePage, stopDigestPage } from '../pages/account-pages.ts';
import { sendInvalidLink, sendPage } from '../pages/respond.ts';
import type { PageHandler, SignInContext } from '../sign-in-context.ts';

/** The member of a link, and how a page is shown to them; undefined when it is invalid. */
async function targetOf(request: Request, context: SignInContext) {
  const memberId = openStopLink(String(request.params['token']), context);
  const account = memberId === undefined ? undefined : await context.accounts.find(memberId);
  if (!account) return undefined;
  const locale = await currentLocale(account, context.profile);
  const presentation = presentationOf({ siteid: account.siteid, locale }, context.sites);
  return { memberId: account._id, presentation: remember(request, presentation) };
}

/** GET /digest/:token: asks for confirmation, because mail scanners open links, but press no buttons. */
export const askStopDigest: PageHandler = async (request, response, context) => {
  const found = await targetOf(request, context);
  if (!found) return sendInvalidLink(request, response, context);
  sendPage(response, stopDigestPage(found.presentation, { action: request.originalUrl }));
};

/** POST /digest/:token: turns the digest off, for the button and for the mail program of a reader (RFC 8058). */
export const takeStopDigest: PageHandler = async (request, response, context) => {
  const found = await targetOf(request, context);
  if (!found) return sendInvalidLink(request, response, context);
  await context.profile.stopDigest({ member_id: found.memberId });
  sendPage(response, messagePage(found.presentation, 'digestStopped', 'digestStoppedWhy'));
};
