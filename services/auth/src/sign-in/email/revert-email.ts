import type { Request, Response } from 'express';
import type { Account } from '../../accounts/account.ts';
import { protectedOf, reverted, type ProtectedEmail } from '../../accounts/emails/addresses.ts';
import { changeAddresses } from '../../accounts/emails/change-addresses.ts';
import { freeUnneeded } from '../../accounts/names/claims.ts';
import { currentLocale } from '../../accounts/current-locale.ts';
import type { Context } from '../../context.ts';
import { mailSetting } from '../../mail/mail-context.ts';
import { messagePage, revertEmailPage } from '../pages/account-pages.ts';
import { noteSetting, strangersSetting, type PageSetting } from '../../localization/presentation.ts';
import { pageHeaders } from '../pages/style.ts';
import { sendReset } from '../password/forgotten-password.ts';
import { createReset } from '../password/reset-token.ts';
import { signOutEverywhere } from '../../tokens/sessions/sign-out-everywhere.ts';
import { openRevertLink } from '../../mail/revert-link.ts';

/** Which address a link brings back, and in what its pages are shown. */
interface Meant {
  readonly account: Account;
  readonly address: ProtectedEmail;
  readonly locale: string | undefined;
  readonly setting: PageSetting;
}

/** What a link means; undefined when it is too old, or was used and a password was chosen since. */
async function meant(request: Request, context: Context): Promise<Meant | undefined> {
  const { seal, now, accounts, sites, profile } = context;
  const link = openRevertLink(String(request.params['token']), seal);
  const account = link && (await accounts.find(link.member_id));
  const address = account && protectedOf(account, now()).find(({ id }) => id === link.id);
  if (!address || (address.reverted_at && account.password_hash !== undefined)) return undefined;
  const locale = await currentLocale(account, profile);
  return { account, address, locale, setting: noteSetting(request, mailSetting(account, sites, locale)) };
}

function showOld(request: Request, response: Response, { sites }: Context): void {
  response
    .status(400)
    .set(pageHeaders())
    .send(messagePage(strangersSetting(request, sites), 'linkOld', 'linkOldRevertWhy'));
}

/** GET /email/:token/revert: asks whether to revert; opening the link uses nothing up. */
export async function askRevert(request: Request, response: Response, context: Context): Promise<void> {
  const found = await meant(request, context);
  if (!found) return showOld(request, response, context);
  const form = { action: request.originalUrl, email: found.address.email };
  response.set(pageHeaders()).send(revertEmailPage(found.setting, form));
}

/**
 * Brings an address back: the change and whatever came after it is gone, the password works no longer, and every sign-in ends, those
 * there are before and those that the password made in the meantime after.
 */
async function revert({ account, address }: Meant, context: Context): Promise<void> {
  const { now, attempts, security } = context;
  const { _id } = account;
  await signOutEverywhere(_id, context);
  const read = await changeAddresses(
    _id,
    (current) => {
      const after = reverted(current, address.id, now());
      return after && { after, effects: { withoutPassword: true } };
    },
    context,
  );
  await signOutEverywhere(_id, context);
  // Whoever reads the mail is the rightful member, and shall not wait for the failures of others to be forgotten.
  await attempts.forgive('account', _id);
  if (!read) return;
  await freeUnneeded(read, context);
  security.record('email_change_reverted', { member: _id });
}

/**
 * POST /email/:token/revert: reverts, and leads to the choice of a password. Only the oldest protected address may choose it here;
 * with the link of a newer one, which may be a thief's, the mail goes to the oldest.
 */
export async function takeRevert(request: Request, response: Response, context: Context): Promise<void> {
  const found = await meant(request, context);
  if (!found) return showOld(request, response, context);
  const { account, address, locale, setting } = found;
  if (!address.reverted_at) await revert(found, context);
  const after = await context.accounts.find(account._id);
  if (!after || after.password_hash !== undefined) return showOld(request, response, context);
  const [oldest] = protectedOf(after, context.now());
  if (oldest?.id === address.id) {
    const token = await createReset(after, locale, context);
    response
      .status(303)
      .set({ Location: `/password/${token}`, 'Cache-Control': 'no-store' })
      .end();
    return;
  }
  context.background.run(sendReset(after, locale, context));
  response.set(pageHeaders()).send(messagePage(setting, 'emailReverted', 'emailRevertedWhy'));
}
