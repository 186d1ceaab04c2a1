import { z } from 'zod';
import type { Account } from '../../accounts/account.ts';
import { hasDevice, hasSecondFactor, newRecoveryCodes, readCode } from '../../accounts/second-factors.ts';
import { signOutEverywhere } from '../../tokens/sessions/sign-out-everywhere.ts';
import { addPasskey } from '../methods/add-passkey.ts';
import { admit } from './admit.ts';
import { refuseSignIn } from './refuse-sign-in.ts';
import { recordEvent } from '../record-event.ts';
import type { ProvenVisitor } from './visitor.ts';
import { duringSignIn } from '../during-sign-in.ts';
import { sealedProof } from './proof.ts';
import { resumeForm } from './resume-form.ts';
import { boundToEnrollment, showEnrollment, showSecondFactor } from './show-second-factor.ts';
import { addApp } from '../methods/change-factors.ts';
import { useCode } from '../methods/use-code.ts';

const formSchema = z.object({
  proof: sealedProof,
  code: z.string().max(64).default(''),
  /** The sealed key of the app that is added. */
  enrollment: z.string().max(1_024).default(''),
  /** Answer of an authenticator that is added, and the challenge for it. */
  credential: z.string().default(''),
  challenge: z.string().max(1_024).default(''),
  /** Keeps the factors as they are, after a recovery code. */
  skip: z.literal('yes').optional(),
});

type Form = z.output<typeof formSchema>;

async function enterCode(visitor: ProvenVisitor, account: Account, { code, proof }: Form): Promise<void> {
  const outcome = await useCode(visitor, account, code);
  if (outcome.kind === 'limited') {
    recordEvent(visitor, 'sign_in_limited', { account });
    const { problem, seconds } = outcome;
    return showSecondFactor(visitor, account, { proof, problem, seconds });
  }
  if (outcome.kind === 'wrong') {
    recordEvent(visitor, 'sign_in_failed', { account, reason: 'wrongCode' });
    const isRecoveryWrong = readCode(code).recovery !== undefined;
    const problem = isRecoveryWrong ? 'wrongRecoveryCode' : 'wrongCode';
    return showSecondFactor(visitor, account, { proof, problem, isRecoveryWrong });
  }
  const recoveryCode = outcome.kind === 'recovery' ? outcome.hash : undefined;
  return admit({ ...visitor, factor: 'otp', recoveryCode }, account);
}

/** Adds the app or the passkey, and goes on to the new recovery codes. */
async function enroll(visitor: ProvenVisitor, account: Account, form: Form): Promise<void> {
  const { context, interaction, factor, recoveryCode } = visitor;
  const { secondFactors } = context.accounts;
  const { proof } = form;
  const recordUse = () => recoveryCode && recordEvent(visitor, 'recovery_code_used', { account });
  const stale = () => refuseSignIn(visitor, { problem: 'staleForm', account });
  // The password alone adds the first factor, and no other one. A new one replaces the code, in the same write, with those that are left.
  const mayEnroll = recoveryCode ? account.recovery_codes?.includes(recoveryCode) : !hasSecondFactor(account);
  if (!mayEnroll) return stale();
  if (form.skip) {
    const mayGoOn = recoveryCode !== undefined && hasDevice(account);
    if (!mayGoOn || !(await secondFactors.useRecovery(account, recoveryCode))) return stale();
    recordUse();
    return admit({ ...visitor, recoveryCode: undefined }, account);
  }
  const bound = boundToEnrollment(interaction, account._id);
  let codes: readonly string[];
  if (form.credential) {
    const made = newRecoveryCodes();
    codes = made.map(({ code }) => code);
    const recoveryCodes = made.map(({ hash }) => hash);
    if (!(await addPasskey(visitor, account, { ...form, bound, recoveryCodes })))
      return showEnrollment(visitor, account, { proof, problem: 'passkeyNotAdded' });
  } else {
    const key = context.keys.seal.open('totp-enrollment', form.enrollment, bound);
    if (key === undefined) return stale();
    const added = await addApp(account, { key, code: form.code }, context);
    if (added === 'wrong') return showEnrollment(visitor, account, { proof, key, problem: 'wrongCode' });
    if (added === 'changed') return stale();
    codes = added;
  }
  recordUse();
  recordEvent(visitor, 'second_factor_added', { account });
  const proven = factor ?? (form.credential ? 'pop' : 'otp');
  const admitted = { ...visitor, factor: proven, recoveryCode: undefined, recoveryCodes: codes };
  if (!account.staff || factor === undefined) return admit(admitted, account);
  // A lost phone may be signed in. This sign-in is the one after.
  await signOutEverywhere(account._id, context);
  return admit({ ...admitted, authenticatedAt: new Date(context.clock().getTime() + 1) }, account);
}

/** POST /login/:uid/factor: takes a second factor, or adds one, and goes on with the sign-in. */
export const submitSecondFactor = duringSignIn(async (visit) => {
  const resumed = await resumeForm(visit, formSchema, ['factor', 'enroll']);
  if (!resumed) return;
  const { form, visitor, account, reason } = resumed;
  return reason === 'factor' ? enterCode(visitor, account, form) : enroll(visitor, account, form);
});
