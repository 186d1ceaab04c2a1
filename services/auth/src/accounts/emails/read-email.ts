import { notFound } from '@covalence/contract/failure';
import { readEmail } from '@covalence/contract/peers/auth-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import { pendingOf, protectedOf } from '../addresses.ts';
import type { AccountsContext } from '../names/claims.ts';

/** POST /internal/accounts/emails: the addresses of a member, and whether one was ever confirmed. */
export const readEmailAddress = serviceEndpoint(
  readEmail,
  async (input, { accounts, clock }: Pick<AccountsContext, 'accounts' | 'clock'>) => {
    const account = await accounts.find(input.member_id);
    if (!account) throw notFound();
    const protected_emails = protectedOf(account, clock()).map(({ email }) => email);
    const pending_email = pendingOf(account, clock())?.email;
    return {
      email: account.email,
      confirmed: account.email_confirmed_at !== undefined,
      ...(pending_email !== undefined && { pending_email }),
      ...(protected_emails.length > 0 && { protected_emails }),
    };
  },
);
