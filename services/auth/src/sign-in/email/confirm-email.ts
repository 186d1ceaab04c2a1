import { isSameEmail, pendingOf } from '../../accounts/addresses.ts';
import { confirmationLink } from '../../mail/member-links.ts';
import { linkPage, openLink } from '../link-page.ts';
import { applyPending } from './apply-pending.ts';

/** /email/:token: confirms the current address, or applies the pending one. */
export const confirmEmailPage = linkPage({
  route: confirmationLink.route,
  invalid: 'linkOldEmailWhy',
  async find({ token, request, context }) {
    const link = await openLink(confirmationLink.find(token, context), { request, context });
    if (!link) return undefined;
    const { account, email } = link;
    const pending = pendingOf(account, context.clock())?.email ?? '';
    const isPending = isSameEmail(pending, email);
    if (!isPending && !isSameEmail(account.email, email)) return undefined;
    // In the account's spelling.
    return { ...link, isPending, email: isPending ? pending : account.email };
  },
  question: ({ email, isPending }) => ({
    title: 'confirmEmail',
    text: isPending ? 'confirmNewEmailWhy' : 'confirmEmailWhy',
    button: 'confirm',
    email,
  }),
  async confirm({ account, email, isPending }, { context }) {
    if (isPending)
      return (await applyPending(account, email, context))
        ? ['emailConfirmed', 'emailChangedWhy']
        : 'worthless';
    await context.accounts.emails.confirm(account._id, email, context.clock());
    return ['emailConfirmed', 'signedOutWhy'];
  },
});
