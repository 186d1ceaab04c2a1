import { invalidArgument, notFound } from '@covalence/contract/failure';
import { changeEmail } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';
import { takeClaim } from './claims.ts';
import { claimId } from './login-key.ts';

/** POST /internal/accounts/change-email: claims the new address, applies it, frees the old one. */
export const changeEmailAddress = endpoint({
  access: 'service',
  summary: "Change a member's e-mail address",
  input: changeEmail.input,
  output: changeEmail.output,
  codes: [20502],
  handler: async ({ input: { member_id, email } }, context: Context) => {
    const { accounts } = context;
    const account = await accounts.find(member_id);
    if (!account) throw notFound();
    const before = claimId(account.siteid, 'email', account.email);
    const after = claimId(account.siteid, 'email', email);
    if (!(await takeClaim(after, member_id, context))) throw invalidArgument(20502);
    await accounts.setEmail(member_id, email);
    if (before !== after) await accounts.release([before], member_id);
    return {};
  },
});
