import { notFound } from '@covalence/contract/failure';
import { readEmail } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';

/** POST /internal/accounts/emails: a member's e-mail address, and whether the member has ever confirmed one. */
export const readEmailAddress = endpoint({
  access: 'service',
  summary: "A member's e-mail address",
  ...readEmail,
  handler: async ({ input }, { accounts }: Context) => {
    const account = await accounts.find(input.member_id);
    if (!account) throw notFound();
    return { email: account.email, confirmed: account.email_confirmed_at !== undefined };
  },
});
