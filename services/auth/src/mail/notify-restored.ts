import { notifyRestored as contract } from '@covalence/contract/internal/decisions-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import type { MailContext } from './mail-context.ts';
import { notify } from './queued-mail.ts';

/** POST /internal/accounts/notify-restored: mails a member that a deletion by staff was taken back. */
export const notifyRestored = serviceEndpoint(
  contract,
  async ({ member_id, locale }, context: MailContext) => {
    const account = await context.accounts.find(member_id);
    if (account) await notify(account, { topic: 'mailRestored', locale }, context);
    return {};
  },
);
