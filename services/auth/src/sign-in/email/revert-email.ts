import type { Request } from 'express';
import type { Account, ProtectedEmail } from '../../accounts/account.ts';
import { isSameEmail, pendingOf, protectedOf, reverted } from '../../accounts/addresses.ts';
import { currentLocale } from '../../accounts/current-locale.ts';
import { messagePage, revertEmailPage } from '../pages/account-pages.ts';
import { presentationOf, remember, type Presentation } from '../../localization/presentation.ts';
import { redirect, sendInvalidLink, sendPage } from '../pages/respond.ts';
import { sendReset } from '../password/forgotten-password.ts';
import { createReset } from '../password/reset-token.ts';
import { reclaim } from '../reclaim.ts';
import { isDelayed } from '../recovery.ts';
import { openRevertLink } from '../../mail/address-links.ts';
import type { PageHandler, SignInContext } from '../sign-in-context.ts';

/** The address that a link restores. */
interface Target {
  readonly account: Account;
  readonly address: ProtectedEmail;
  readonly locale: string | undefined;
  readonly presentation: Presentation;
}

/** Whether a link can still undo a change, or lead to a password after it has. */
function isNeeded(account: Account, address: ProtectedEmail, now: Date): boolean {
  if (address.reverted_at) return account.password_hash === undefined;
  return pendingOf(account, now) !== undefined || !isSameEmail(account.email, address.email);
}

/** The target of a link; undefined when it has expired, or there is nothing to undo. */
async function targetOf(request: Request, context: SignInContext): Promise<Target | undefined> {
  const { keys, now, accounts, sites, profile } = context;
  const link = openRevertLink(String(request.params['token']), keys.seal);
  const account = link && (await accounts.find(link.member_id));
  const address = account && protectedOf(account, now()).find(({ id }) => id === link.id);
  if (!address || !isNeeded(account, address, now())) return undefined;
  const locale = await currentLocale(account, profile);
  return {
    account,
    address,
    locale,
    presentation: remember(request, presentationOf({ siteid: account.siteid, locale }, sites)),
  };
}

/** GET /email/:token/revert: asks for confirmation. The link stays usable. */
export const askRevert: PageHandler = async (request, response, context) => {
  const found = await targetOf(request, context);
  if (!found) return sendInvalidLink(request, response, context, 'linkOldRevertWhy');
  const form = { action: request.originalUrl, email: found.address.email };
  sendPage(response, revertEmailPage(found.presentation, form));
};

/**
 * POST /email/:token/revert: reverts and redirects to the choice of a password. Only the oldest protected address may
 * choose it here. A newer one may be an attacker's: its link sends the mail to the oldest. With passkeys the link in that mail
 * opens the account later.
 */
export const takeRevert: PageHandler = async (request, response, context) => {
  const found = await targetOf(request, context);
  if (!found) return sendInvalidLink(request, response, context, 'linkOldRevertWhy');
  const { account, address, locale, presentation } = found;
  const { accounts, background, now, security } = context;
  const revert = (current: Account) => reverted(current, address.id, now());
  if (!address.reverted_at && (await reclaim(account._id, revert, context)))
    security.record('email_change_reverted', { member: account._id });
  const after = await accounts.find(account._id);
  if (!after || after.password_hash !== undefined)
    return sendInvalidLink(request, response, context, 'linkOldRevertWhy');
  const isLate = isDelayed(after, context);
  const [oldest] = protectedOf(after, now());
  if (oldest?.id === address.id && !isLate)
    return redirect(response, `/password/${await createReset(after, locale, context)}?why=reverted`);
  // The address that was in force may be the owner's.
  background.run(sendReset(after, locale, context, account));
  const why = isLate ? 'emailRevertedLateWhy' : 'emailRevertedWhy';
  sendPage(response, messagePage(presentation, 'emailReverted', why));
};
