import { notFound } from '@covalence/contract/failure';
import { notifyDeletion as contract } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import { notify } from '../mail/queued-mail.ts';
import type { SignInContext } from '../sign-in/sign-in-context.ts';

/** POST /internal/accounts/notify-deletion: mails the member, as an access token is enough to delete a profile. */
export const notifyDeletion = endpoint({
  access: 'service',
  summary: 'Notify a member of the deletion of the profile',
  ...contract,
  handler: async ({ input: { member_id, days } }, context: SignInContext) => {
    const account = await context.accounts.find(member_id);
    if (!account) throw notFound();
    await notify(account, { topic: 'mailDeletion', values: { days } }, context);
    return {};
  },
});
