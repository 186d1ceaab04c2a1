import { invalidArgument, notFound } from '@covalence/contract/failure';
import { changeEmail } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';
import { sendConfirmationTo } from '../email/send-confirmation.ts';
import { noticeMs, sendLetter, writeLetter } from '../mail/letters.ts';
import type { Letter } from './account-store.ts';
import { freeUnneeded, takeClaim } from './claims.ts';
import { claimId } from './login-key.ts';
import { signOutEverywhere } from '../sign-out/sign-out-everywhere.ts';

/** A confirmation to the new address, a notice to the one before, whose owner may not be the one who changed it. */
async function tellBoth(memberId: string, notice: Letter, context: Context): Promise<void> {
  await Promise.all([sendConfirmationTo(memberId, context), sendLetter(memberId, notice, context)]);
}

/**
 * POST /internal/accounts/change-email: claims the new address, applies it, frees the old one. Other sign-ins end: whoever
 * changes the address shall not have to share the account with somebody who had it before.
 */
export const changeEmailAddress = endpoint({
  access: 'service',
  summary: "Change a member's e-mail address",
  ...changeEmail,
  codes: [20502],
  handler: async ({ input: { member_id, email, family } }, context: Context) => {
    const { accounts, seal, now } = context;
    const account = await accounts.find(member_id);
    if (!account) throw notFound();
    const before = claimId(account.siteid, 'email', account.email);
    const after = claimId(account.siteid, 'email', email);
    if (!(await takeClaim(after, member_id, context))) throw invalidArgument(20502);
    if (before === after) {
      await accounts.respellEmail(member_id, email);
      return {};
    }
    // Before the address is written: a second try would find nothing changed and leave the sign-ins.
    await signOutEverywhere(member_id, context, family);
    const { email: to, username } = account;
    const until = new Date(now().getTime() + noticeMs);
    const notice = writeLetter({ topic: 'mailEmailChanged', to, username }, until, seal);
    await accounts.setEmail(member_id, email, now(), notice);
    await freeUnneeded(account, context);
    context.background.run(tellBoth(member_id, notice, context));
    return {};
  },
});
