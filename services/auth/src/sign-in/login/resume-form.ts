import type { z } from 'zod';
import type { Account } from '../../accounts/account.ts';
import { formOf, type SignInVisit } from '../during-sign-in.ts';
import { openProof, type Proof } from './proof.ts';
import { refuseSignIn } from './refuse-sign-in.ts';
import type { ProvenVisitor } from './visitor.ts';

/** The fields of every form that follows correct credentials. */
interface ReturnedForm {
  readonly proof: string;
}

/** The sender of such a form, and their account. */
interface ResumedForm<Form> {
  readonly form: Form;
  readonly visitor: ProvenVisitor;
  readonly account: Account;
  readonly reason: Proof['reason'];
}

/** Takes such a form, and opens its proof. Undefined when the form is stale: the login form says so. */
export async function resumeForm<Form extends ReturnedForm>(
  visit: SignInVisit,
  schema: z.ZodType<Form>,
  reasons: readonly Proof['reason'][],
): Promise<ResumedForm<Form> | undefined> {
  const { context, interaction } = visit;
  const form = formOf(schema, visit);
  const proof = form && openProof(form.proof, interaction, context);
  const account = proof && (await context.accounts.find(proof.accounts[0] ?? ''));
  const known = { ...visit, identity: proof?.identity };
  // The password may have changed since it was entered.
  const isValid = account && proof.authenticated_at > (account.signed_out_at?.getTime() ?? 0);
  if (!isValid || !reasons.includes(proof.reason)) {
    refuseSignIn(known, { status: form ? 200 : 403, problem: 'staleForm', account });
    return undefined;
  }
  const { method, factor, asked_at: askedAt, recovery_code: recoveryCode, reason } = proof;
  const authenticatedAt = new Date(proof.authenticated_at);
  const isSecondEntry = proof.is_second_entry;
  return {
    form,
    visitor: { ...known, method, factor, recoveryCode, authenticatedAt, askedAt, isSecondEntry },
    account,
    reason,
  };
}
