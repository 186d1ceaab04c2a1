import { failCodes } from '@covalence/contract/failure-codes';
import { invalidArgument, notFound } from '@covalence/contract/failure';
import { changeEmail } from '@covalence/contract/peers/auth-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import { v7 } from 'uuid';
import { sendConfirmationTo } from '../../mail/send-confirmation.ts';
import { revertMails } from '../../mail/member-links.ts';
import { noticesOf } from '../../mail/queued-mail.ts';
import type { Account, QueuedMail } from '../../accounts/account.ts';
import { isSameEmail, pendingOf, requested, withdrawn } from '../../accounts/addresses.ts';
import { changeAddresses, type AddressChange } from '../../accounts/emails/change-addresses.ts';
import { releaseUnneeded, claimName } from '../../accounts/names/claims.ts';
import { claimId } from '../../accounts/names/names.ts';
import { announceChange } from '../methods/announce-change.ts';
import { isOwners } from '../methods/recovery.ts';
import type { SignInContext } from '../sign-in-context.ts';

/**
 * POST /internal/accounts/change-email: claims the new address, which is pending until its link is opened. The
 * current address is notified and stays claimed while its link can revert the change; who asks after a recent sign-in by a settled
 * passkey is the owner, whose change no former address can revert. A request for the current
 * address withdraws the pending one.
 */
export const changeEmailAddress = serviceEndpoint(
  { ...changeEmail, codes: [failCodes.updatedEmailTaken] },
  async ({ member_id, email, family, sign_in }, context: SignInContext) => {
    const { accounts, clock, afterResponse, security } = context;
    const found = await accounts.find(member_id);
    if (!found) throw notFound();
    if (!(await claimName(claimId(found.siteid, 'email', email), member_id, context)))
      throw invalidArgument(failCodes.updatedEmailTaken);
    let mails: QueuedMail[] = [];
    const change = (account: Account): AddressChange => {
      mails = [];
      if (isSameEmail(account.email, email)) return { after: withdrawn(account, email) };
      const pending = pendingOf(account, clock());
      const byOwner = sign_in !== undefined && isOwners(account, sign_in, context);
      // A repeated request changes at most the spelling: no new mails.
      if (pending && isSameEmail(pending.email, email))
        return {
          after: { ...account, pending_email: { ...pending, email, by_owner: pending.by_owner || byOwner } },
        };
      const after = requested(account, { email, family, id: v7(), isOwners: byOwner }, clock());
      mails = byOwner
        ? noticesOf(account, { topic: 'mailEmailChangeOwn' }, context)
        : revertMails(account, after, 'mailEmailChange', context);
      return { after, effects: { mails, isConfirmationDue: true } };
    };
    const read = await changeAddresses(member_id, change, context);
    if (!read) throw notFound();
    await releaseUnneeded(read, context);
    if (!mails.length) return {};
    security.record('email_change_requested', { member: member_id });
    afterResponse.run(sendConfirmationTo(member_id, context));
    announceChange(found, { mails, alert: { type: 'email', data: {} } }, context);
    return {};
  },
);
