import { notFound } from '@covalence/contract/failure';
import { notifyDeletion as contract } from '@covalence/contract/internal/auth-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import { notify } from '../mail/queued-mail.ts';
import type { SignInContext } from '../sign-in/sign-in-context.ts';

/** POST /internal/accounts/notify-deletion: mails the member, as an access token is enough to delete a profile. */
export const notifyDeletion = serviceEndpoint(
  contract,
  async ({ member_id, days }, context: SignInContext) => {
    const account = await context.accounts.find(member_id);
    if (!account) throw notFound();
    await notify(account, { topic: 'mailDeletion', values: { days } }, context);
    return {};
  },
);
