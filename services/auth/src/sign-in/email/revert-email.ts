import type { Account, ProtectedEmail } from '../../accounts/account.ts';
import { isSameEmail, pendingOf, protectedOf, reverted } from '../../accounts/addresses.ts';
import { revertLink } from '../../mail/member-links.ts';
import { linkPage } from '../link-page.ts';
import { sendReset } from '../password/forgotten-password.ts';
import { resetPath } from '../password/reset-link.ts';
import { reclaim } from '../methods/reclaim.ts';
import { isDelayed } from '../methods/recovery.ts';

/** Whether a link can still undo a change, or lead to a password after it has. */
function isNeeded(account: Account, address: ProtectedEmail, now: Date): boolean {
  if (address.reverted_at) return account.password_hash === undefined;
  return pendingOf(account, now) !== undefined || !isSameEmail(account.email, address.email);
}

/**
 * /email/:token/revert: reverts a change of the address and leads to the choice of a password. Only the oldest protected address may
 * choose it here. A newer one may be an attacker's: its link sends the mail to the oldest. With passkeys the link in that mail
 * opens the account later.
 */
export const revertEmailPage = linkPage({
  kind: revertLink,
  invalid: 'linkOldRevertWhy',
  read(link, { context }) {
    const address = protectedOf(link.account, context.clock()).find(({ id }) => id === link.id);
    return address && isNeeded(link.account, address, context.clock()) ? { ...link, address } : undefined;
  },
  question: ({ address: { email } }) => ({
    title: 'revertEmail',
    text: 'revertEmailWhy',
    button: 'revertEmailButton',
    email,
  }),
  async confirm({ account, address, presentation: { locale } }, { context }) {
    const { accounts, afterResponse, clock, security } = context;
    const change = (current: Account) => reverted(current, address.id, clock());
    if (await reclaim(account._id, { change, alert: { type: 'email', data: {} } }, context))
      security.record('email_change_reverted', { member: account._id });
    const after = await accounts.find(account._id);
    if (!after || after.password_hash !== undefined) return 'worthless';
    const isLate = isDelayed(after, context);
    const [oldest] = protectedOf(after, clock());
    if (oldest?.id === address.id && !isLate)
      return { location: `${await resetPath(after, locale, context)}?why=reverted` };
    // The address that was in force may be the owner's.
    afterResponse.run(sendReset(after, locale, context, account));
    return ['emailReverted', isLate ? 'emailRevertedLateWhy' : 'emailRevertedWhy'];
  },
});
