import { invalidArgument, notFound } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { changeEmail } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import { v7 } from 'uuid';
import type { Context } from '../../context.ts';
import { sendConfirmationTo } from '../../mail/send-confirmation.ts';
import { writeRevertLetter } from '../../mail/revert-link.ts';
import { sendWritten } from '../../mail/queued-mail.ts';
import type { Account, Letter } from '../../accounts/account.ts';
import { isSameEmail, pendingOf, requested, withdrawn } from '../../accounts/emails/addresses.ts';
import { changeAddresses, type AddressChange } from '../../accounts/emails/change-addresses.ts';
import { freeUnneeded, takeClaim } from '../../accounts/names/claims.ts';
import { claimId } from '../../accounts/names/claim-id.ts';

/** A confirmation to the new address, a notice with the way back to the one in force, whose owner may not be the one who asked. */
async function tellBoth(memberId: string, letters: readonly Letter[], context: Context): Promise<void> {
  await Promise.all([sendConfirmationTo(memberId, context), sendWritten(memberId, letters, context)]);
}

/**
 * POST /internal/accounts/change-email: claims the new address, which waits until its own link is opened. The one in force is told at
 * once, and stays claimed for as long as its link reverts the change. The current address withdraws the one that waits.
 */
export const changeEmailAddress = endpoint({
  access: 'service',
  summary: 'Ask for another e-mail address of a member',
  ...changeEmail,
  codes: [failCodes.updatedEmailTaken],
  handler: async ({ input: { member_id, email, family } }, context: Context) => {
    const { accounts, now, background, security } = context;
    const found = await accounts.find(member_id);
    if (!found) throw notFound();
    if (!(await takeClaim(claimId(found.siteid, 'email', email), member_id, context)))
      throw invalidArgument(failCodes.updatedEmailTaken);
    let letters: Letter[] = [];
    const change = (account: Account): AddressChange => {
      letters = [];
      if (isSameEmail(account.email, email)) return { after: withdrawn(account, email) };
      const waiting = pendingOf(account, now());
      // Apps send a whole form again: it changes the spelling at most, and nobody is written to.
      if (waiting && isSameEmail(waiting.email, email))
        return { after: { ...account, pending_email: { ...waiting, email } } };
      const after = requested(account, { email, family, id: v7() }, now());
      letters = writeRevertLetter(account, after, 'mailEmailChange', context);
      return { after, effects: { letters, isConfirmationDue: true } };
    };
    const read = await changeAddresses(member_id, change, context);
    if (!read) throw notFound();
    await freeUnneeded(read, context);
    if (!letters.length) return {};
    security.record('email_change_requested', { member: member_id });
    background.run(tellBoth(member_id, letters, context));
    return {};
  },
});
