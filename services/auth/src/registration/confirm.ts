import { notFound } from '@covalence/contract/failure';
import { confirmAccount } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { ClaimContext } from '../accounts/names/claims.ts';
import type { MailContext } from '../mail/mail-context.ts';
import { sendConfirmation } from '../mail/send-confirmation.ts';

/** Dependencies of a confirmation. */
interface ConfirmContext extends MailContext {
  readonly accounts: ClaimContext['accounts'];
  readonly background: { run(work: Promise<void>): void };
}

/** POST /internal/accounts/confirm: the member exists, so the account can sign in. 404 for a removed account. */
export const confirm = endpoint({
  access: 'service',
  summary: 'Activate a reserved account',
  ...confirmAccount,
  handler: async ({ input }, context: ConfirmContext) => {
    const { accounts, background, now } = context;
    await accounts.pending.activate(input.member_id, now(), input.locale);
    const account = await accounts.find(input.member_id);
    if (!account) throw notFound();
    background.run(sendConfirmation(account, context));
    return {};
  },
});
