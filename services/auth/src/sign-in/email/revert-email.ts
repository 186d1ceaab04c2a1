import type { Request } from 'express';
import type { Account, ProtectedEmail } from '../../accounts/account.ts';
import { protectedOf, reverted } from '../../accounts/addresses.ts';
import { changeAddresses } from '../../accounts/emails/change-addresses.ts';
import { releaseUnneeded } from '../../accounts/names/claims.ts';
import { currentLocale } from '../../accounts/current-locale.ts';
import { messagePage, revertEmailPage } from '../pages/account-pages.ts';
import { presentationOf, remember, type Presentation } from '../../localization/presentation.ts';
import { redirect, sendInvalidLink, sendPage } from '../pages/respond.ts';
import { unlinkRecovered } from '../link-identity.ts';
import { sendReset } from '../password/forgotten-password.ts';
import { createReset } from '../password/reset-token.ts';
import { signOutEverywhere } from '../../tokens/sessions/sign-out-everywhere.ts';
import { openRevertLink } from '../../mail/address-links.ts';
import type { PageHandler, SignInContext } from '../sign-in-context.ts';

/** The address that a link restores. */
interface Target {
  readonly account: Account;
  readonly address: ProtectedEmail;
  readonly locale: string | undefined;
  readonly presentation: Presentation;
}

/** The target of a link; undefined when it has expired, or was used and a password was chosen since. */
async function targetOf(request: Request, context: SignInContext): Promise<Target | undefined> {
  const { keys, now, accounts, sites, profile } = context;
  const link = openRevertLink(String(request.params['token']), keys.seal);
  const account = link && (await accounts.find(link.member_id));
  const address = account && protectedOf(account, now()).find(({ id }) => id === link.id);
  if (!address || (address.reverted_at && account.password_hash !== undefined)) return undefined;
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
 * Restores an address, undoes later changes, removes the password and signs the member out everywhere, before and
 * after, because the password may sign in in between.
 */
async function revert({ account, address }: Target, context: SignInContext): Promise<void> {
  const { accounts, now, security } = context;
  const { _id } = account;
  await signOutEverywhere(_id, context);
  await unlinkRecovered(_id, context);
  const read = await changeAddresses(
    _id,
    (current) => {
      const after = reverted(current, address.id, now());
      return after && { after, effects: { withoutPassword: true } };
    },
    context,
  );
  await unlinkRecovered(_id, context);
  await signOutEverywhere(_id, context);
  // The mail was read by the member, whom other people's failures must not limit.
  await accounts.attempts.reset('account', _id);
  if (!read) return;
  await releaseUnneeded(read, context);
  security.record('email_change_reverted', { member: _id });
}

/**
 * POST /email/:token/revert: reverts and redirects to the choice of a password. Only the oldest protected address may
 * choose it here. A newer one may be an attacker's: its link sends the mail to the oldest.
 */
export const takeRevert: PageHandler = async (request, response, context) => {
  const found = await targetOf(request, context);
  if (!found) return sendInvalidLink(request, response, context, 'linkOldRevertWhy');
  const { account, address, locale, presentation } = found;
  if (!address.reverted_at) await revert(found, context);
  // The answer before may have been lost in the middle.
  else await unlinkRecovered(account._id, context);
  const after = await context.accounts.find(account._id);
  if (!after || after.password_hash !== undefined)
    return sendInvalidLink(request, response, context, 'linkOldRevertWhy');
  const [oldest] = protectedOf(after, context.now());
  if (oldest?.id === address.id) {
    const token = await createReset(after, locale, context);
    return redirect(response, `/password/${token}`);
  }
  context.background.run(sendReset(after, locale, context));
  sendPage(response, messagePage(presentation, 'emailReverted', 'emailRevertedWhy'));
};
