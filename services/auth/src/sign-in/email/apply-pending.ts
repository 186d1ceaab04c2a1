import type { Account } from '../../accounts/account.ts';
import { applied, pendingOf } from '../../accounts/emails/addresses.ts';
import { changeAddresses } from '../../accounts/emails/change-addresses.ts';
import { freeUnneeded, takeClaim } from '../../accounts/names/claims.ts';
import { claimId } from '../../accounts/names/claim-id.ts';
import type { Context } from '../../context.ts';
import { sendWritten } from '../../mail/queued-mail.ts';
import { signOutEverywhere } from '../../tokens/sessions/sign-out-everywhere.ts';
import { writeRevertLetter } from '../../mail/revert-link.ts';

/**
 * Puts the address that waits in force, whose own link was opened, and tells the one before. Other sign-ins end than the one that asked
 * for it: whoever changes the address shall not have to share the account with somebody who had it before. False where it does not
 * wait any more.
 */
export async function applyPending(account: Account, email: string, context: Context): Promise<boolean> {
  const { now, background, security } = context;
  const { _id, siteid } = account;
  const pending = pendingOf(account, now());
  if (!pending || !(await takeClaim(claimId(siteid, 'email', email), _id, context))) return false;
  // Before the address is written: a second try would find nothing changed and leave the sign-ins.
  await signOutEverywhere(_id, context, pending.family);
  let written = account.letters ?? [];
  const read = await changeAddresses(
    _id,
    (current) => {
      const after = applied(current, email, now());
      if (!after) return undefined;
      written = writeRevertLetter(current, after, 'mailEmailChanged', context);
      return { after, effects: { letters: written } };
    },
    context,
  );
  if (!read) return false;
  await freeUnneeded(read, context);
  security.record('email_changed', { member: _id });
  background.run(sendWritten(_id, written, context));
  return true;
}
