import type { Account } from '../../accounts/account.ts';
import { openProof, type Proof } from './proof.ts';
import { refuseSignIn } from './refuse-sign-in.ts';
import type { ProvenVisitor, Visitor } from './visitor.ts';

/** The fields of every form that follows correct credentials. */
interface ReturnedForm {
  readonly csrf: string;
  readonly proof: string;
}

/** The sender of such a form, and their account. */
interface ResumedForm {
  readonly visitor: ProvenVisitor;
  readonly account: Account;
  readonly reason: Proof['reason'];
}

/** Opens the proof of a form. Undefined when the form is stale: the login form says so. */
export async function resumeForm(
  visitor: Visitor,
  form: ReturnedForm | undefined,
  reasons: readonly Proof['reason'][],
): Promise<ResumedForm | undefined> {
  const { context, interaction } = visitor;
  const isOurs = form && context.keys.seal.checkMac('login-csrf', interaction.uid, form.csrf);
  const proof = isOurs ? openProof(form.proof, interaction, context) : undefined;
  const account = proof && (await context.accounts.find(proof.accounts[0] ?? ''));
  const known = { ...visitor, identity: proof?.identity };
  // The password may have changed since it was entered.
  const isValid = account && proof.authenticated_at > (account.signed_out_at?.getTime() ?? 0);
  if (!isValid || !reasons.includes(proof.reason)) {
    refuseSignIn(known, { status: isOurs ? 200 : 403, problem: 'staleForm', account });
    return undefined;
  }
  const { method, factor, asked_at: askedAt, recovery_code: recoveryCode, reason } = proof;
  const authenticatedAt = new Date(proof.authenticated_at);
  const isSecondEntry = proof.is_second_entry;
  return {
    visitor: { ...known, method, factor, recoveryCode, authenticatedAt, askedAt, isSecondEntry },
    account,
    reason,
  };
}
