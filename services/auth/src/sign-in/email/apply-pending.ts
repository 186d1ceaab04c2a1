import type { Account } from '../../accounts/account.ts';
import { applied, pendingOf } from '../../accounts/addresses.ts';
import { changeAddresses } from '../../accounts/emails/change-addresses.ts';
import { releaseUnneeded, claimName } from '../../accounts/names/claims.ts';
import { claimId } from '../../accounts/names/names.ts';
import { signOutEverywhere } from '../../tokens/sessions/sign-out-everywhere.ts';
import { revertMails } from '../../mail/member-links.ts';
import { announceChange } from '../methods/announce-change.ts';
import type { SignInContext } from '../sign-in-context.ts';

/**
 * Applies the pending address and notifies the former one. Every sign-in ends except the one that asked for the
 * change, because others may have had the account before. False when the address is no longer pending.
 */
export async function applyPending(
  account: Account,
  email: string,
  context: SignInContext,
): Promise<boolean> {
  const { clock, security } = context;
  const { _id, siteid } = account;
  const pending = pendingOf(account, clock());
  if (!pending || !(await claimName(claimId(siteid, 'email', email), _id, context))) return false;
  announceChange(account, { alert: { type: 'email', data: {} } }, context);
  // Before the change: a retry after a crash would find nothing to change.
  await signOutEverywhere(_id, context, pending.family);
  let notices = account.queued_mails ?? [];
  const read = await changeAddresses(
    _id,
    (current) => {
      const after = applied(current, email, clock());
      if (!after) return undefined;
      notices = revertMails(current, after, 'mailEmailChanged', context);
      return { after, effects: { mails: notices } };
    },
    context,
  );
  if (!read) return false;
  await releaseUnneeded(read, context);
  security.record('email_changed', { member: _id });
  announceChange(account, { mails: notices }, context);
  return true;
}
