import { isSameEmail, pendingOf } from '../../accounts/addresses.ts';
import { confirmationLink } from '../../mail/member-links.ts';
import { linkPage } from '../link-page.ts';
import { applyPending } from './apply-pending.ts';

/** /email/:token: confirms the current address, or applies the pending one. */
export const confirmEmailPage = linkPage({
  kind: confirmationLink,
  invalid: 'linkOldEmailWhy',
  read(link, { context }) {
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
