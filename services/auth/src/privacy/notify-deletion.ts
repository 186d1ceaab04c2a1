import { notFound } from '@covalence/contract/failure';
import { notifyDeletion as contract } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { MailContext } from '../mail/mail-context.ts';
import { sendNow, noticesOf } from '../mail/queued-mail.ts';

/** POST /internal/accounts/notify-deletion: mails the member, as an access token is enough to delete a profile. */
export const notifyDeletion = endpoint({
  access: 'service',
  summary: 'Notify a member of the deletion of the profile',
  ...contract,
  handler: async (
    { input: { member_id, days } },
    context: MailContext & { readonly background: { run(work: Promise<void>): void } },
  ) => {
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
