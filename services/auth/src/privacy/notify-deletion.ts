import { notFound } from '@covalence/contract/failure';
import { notifyDeletion as contract } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import { sendNow, noticesOf } from '../mail/queued-mail.ts';
import type { SignInContext } from '../sign-in/sign-in-context.ts';

/** POST /internal/accounts/notify-deletion: mails the member, as an access token is enough to delete a profile. */
export const notifyDeletion = endpoint({
  access: 'service',
  summary: 'Notify a member of the deletion of the profile',
  ...contract,
  handler: async ({ input: { member_id, days } }, context: SignInContext) => {
    const { accounts, now, background } = context;
    const account = await accounts.find(member_id);
    if (!account) throw notFound();
    const mails = noticesOf(account, { topic: 'mailDeletion', values: { days } }, context);
    if (!mails.length) return {};
    await context.mail.queue.add(member_id, mails, now());
    background.run(sendNow(member_id, mails, context));
    return {};
  },
});
