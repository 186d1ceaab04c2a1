import type { Account } from '../../accounts/account.ts';
import { accountStateOf } from '../../accounts/member-state.ts';
import { hasSecondFactor, needsTwoFactors } from '../../accounts/second-factors.ts';
import { amrOf, isTwoFactor } from '../../tokens/sessions/sign-in-result.ts';
import { completeSignIn } from './complete-sign-in.ts';
import { askForFactor, askForPassword, askForSite, askToReactivate } from './next-page.ts';
import { refuseSignIn } from './refuse-sign-in.ts';
import type { ProvenVisitor } from './visitor.ts';

/** Whether somebody still has to prove a second factor. A passkey verifies who uses it, so it counts as both. */
const needsFactor = ({ context, method, factor }: ProvenVisitor, account: Account): boolean =>
  !isTwoFactor(amrOf(method, factor)) && needsTwoFactors(account, context.secondFactor);

/** The state of a password that was generated for a staff account. A passkey signs in without one that has expired. */
function initialPassword({ method, context }: ProvenVisitor, { initial_password_until: until }: Account) {
  if (until === undefined) return undefined;
  if (until > context.clock()) return 'replace';
  return method === 'pwd' ? 'expired' : undefined;
}

/**
 * Signs the account in, unless its member is suspended, deleted, or has to prove a second factor or confirm the reactivation. Every
 * sign-in of a browser ends here, so no sign-in method misses the second factor.
 */
export async function admit(visitor: ProvenVisitor, account: Account): Promise<void> {
  const { context, isSecondEntry } = visitor;
  const state = await accountStateOf(account, context.profile);
  if (state === 'suspended') return refuseSignIn(visitor, { status: 403, problem: 'suspended', account });
  if (state === 'deleted') return refuseSignIn(visitor, { problem: 'wrong', account });
  const initial = initialPassword(visitor, account);
  if (initial === 'expired') return refuseSignIn(visitor, { problem: 'wrong', account, reason: 'expired' });
  const isFactorDue = needsFactor(visitor, account);
  // A factor is proven before the password is replaced, and set up after that.
  if (isFactorDue && (!initial || hasSecondFactor(account))) return askForFactor(visitor, account);
  if (initial) return askForPassword(visitor, account);
  if (visitor.recoveryCode !== undefined) return askForFactor(visitor, account);
  if (state === 'active') return completeSignIn(visitor, account);
  if (!isSecondEntry) return askToReactivate(visitor, account);
  await context.profile.reactivateMember({ member_id: account._id });
  return completeSignIn(visitor, account);
}

/** Continues after correct credentials of one or several accounts. */
export async function admitOneOf(visitor: ProvenVisitor, accounts: readonly Account[]): Promise<void> {
  const { proof } = visitor;
  const isSecondEntry = proof?.reason === 'reactivate';
  const matching = isSecondEntry ? accounts.filter(({ _id }) => proof.accounts.includes(_id)) : accounts;
  const [first, second] = matching;
  if (!first) return refuseSignIn(visitor, { problem: 'otherAccount' });
  if (second) return askForSite(visitor, matching);
  // The first entry has proven the second factor.
  return admit(isSecondEntry ? { ...visitor, isSecondEntry, factor: proof.factor } : visitor, first);
}
