import { z } from 'zod';
import type { Account } from '../accounts/account.ts';
import type { Counter } from '../accounts/attempts-store.ts';
import {
  hasDevice,
  hasSecondFactor,
  newRecoveryCodes,
  openKey,
  readCode,
  sealKey,
  stepOf,
} from '../accounts/second-factors.ts';
import { deviceOf } from '../tokens/sessions/known-device.ts';
import { addPasskey } from './add-passkey.ts';
import { admit, record, sealed, showAgain, type Admission } from './admission.ts';
import { findInteraction } from './interaction.ts';
import { sendExpired } from './pages/respond.ts';
import { openProof } from './proof.ts';
import type { PageHandler, SignInContext } from './sign-in-context.ts';
import { boundToEnrollment, showEnrollment, showSecondFactor } from './show-second-factor.ts';

const formSchema = z.object({
  csrf: z.string(),
  proof: z.string().max(4_096),
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

/** Counter of wrong codes. Only who knows the password can raise it; in a browser that signed in before it is one of its own. */
function counterOf({ request, context }: Admission, { _id }: Account): Counter {
  const device = deviceOf(request, context);
  return device.knows(_id)
    ? { kind: 'device', key: `factor:${_id}:${device.id}` }
    : { kind: 'account', key: `factor:${_id}` };
}

/** Checks and uses up a code. */
async function useCode(
  account: Account,
  entered: string,
  { accounts: { secondFactors }, keys: { seal }, now }: SignInContext,
): Promise<'app' | 'recovery' | undefined> {
  const { _id, totp } = account;
  const { digits, recovery } = readCode(entered);
  if (recovery !== undefined)
    return (await secondFactors.useRecovery(account, recovery)) ? 'recovery' : undefined;
  if (digits === undefined || !totp || !(await secondFactors.tryTotp(account))) return undefined;
  const key = openKey(totp, _id, seal);
  const step = key === undefined ? undefined : stepOf(digits, key, now());
  if (step === undefined) return undefined;
  const isFirst = await secondFactors.useTotp(account, step, seal.renewed('totp-keys', totp.secret, _id));
  return isFirst ? 'app' : undefined;
}

async function enterCode(admission: Admission, account: Account, { code, proof }: Form): Promise<void> {
  const { context, interaction, response } = admission;
  const { text } = interaction.presentation;
  const { attempts } = context.accounts;
  const counter = counterOf(admission, account);
  // Counted before it is checked: attempts at the same time count too.
  const seconds = await attempts.count(counter.kind, counter.key);
  if (seconds) {
    record(admission, 'sign_in_limited', { account });
    response.set('Retry-After', String(seconds));
    const problem = text('limited', { minutes: Math.ceil(seconds / 60) });
    return showSecondFactor(admission, account, { proof, problem, status: 429 });
  }
  const used = await useCode(account, code, context);
  if (!used) {
    record(admission, 'sign_in_failed', { account, reason: 'wrongCode' });
    return showSecondFactor(admission, account, { proof, problem: text('wrongCode') });
  }
  await attempts.reset(counter.kind, counter.key);
  const proven = { ...admission, factor: 'otp' } as const;
  if (used === 'app') return admit(proven, account);
  record(admission, 'recovery_code_used', { account });
  return showEnrollment(admission, account, { proof: sealed('enroll', [account], proven) });
}

/** Adds an app; undefined when the code is not of the app, false when the factors have changed meanwhile. */
async function addApp(
  account: Account,
  key: string,
  code: string,
  hashes: readonly string[],
  { accounts, keys, now }: SignInContext,
): Promise<boolean | undefined> {
  const { digits = '' } = readCode(code);
  const step = stepOf(digits, key, now());
  if (step === undefined) return undefined;
  const secret = sealKey(key, account._id, keys.seal);
  return accounts.secondFactors.setTotp(
    account,
    { secret, added_at: now(), last_step: step, failures: 0 },
    hashes,
  );
}

/** Adds the app or the passkey, and goes on to the new recovery codes. */
async function enroll(admission: Admission, account: Account, form: Form): Promise<void> {
  const { context, interaction, factor, request } = admission;
  const { proof } = form;
  const { text } = interaction.presentation;
  const stale = () => showAgain(admission, { status: 200, problem: 'staleForm', account });
  // The password alone adds the first factor, and no other one.
  if (factor === undefined && hasSecondFactor(account)) return stale();
  if (form.skip) return factor && hasDevice(account) ? admit(admission, account) : stale();
  const codes = newRecoveryCodes();
  const hashes = codes.map(({ hash }) => hash);
  const bound = boundToEnrollment(interaction, account._id);
  if (form.credential) {
    const answer = { ...form, bound, ip: request.ip ?? '', recoveryCodes: hashes };
    if (!(await addPasskey(account, answer, context)))
      return showEnrollment(admission, account, { proof, problem: text('passkeyNotAdded') });
  } else {
    const key = context.keys.seal.open('totp-enrollment', form.enrollment, bound);
    if (key === undefined) return stale();
    const isAdded = await addApp(account, key, form.code, hashes, context);
    if (isAdded === undefined)
      return showEnrollment(admission, account, { proof, key, problem: text('wrongCode') });
    if (!isAdded) return stale();
  }
  record(admission, 'second_factor_added', { account });
  const proven = factor ?? (form.credential ? 'pop' : 'otp');
  return admit({ ...admission, factor: proven, recoveryCodes: codes.map(({ code }) => code) }, account);
}

/** POST /login/:uid/factor: takes a second factor, or adds one, and goes on with the sign-in. */
export const submitSecondFactor: PageHandler = async (request, response, context) => {
  const interaction = await findInteraction(request, response, context);
  if (!interaction) return sendExpired(request, response, context);
  const { data: form } = formSchema.safeParse(request.body ?? {});
  const visitor = { request, response, context, interaction };
  const isOurs = form && context.keys.seal.checkMac('login-csrf', interaction.uid, form.csrf);
  const proof = isOurs ? openProof(form.proof, interaction, context) : undefined;
  const account = proof && (await context.accounts.find(proof.accounts[0] ?? ''));
  const isForFactor = proof?.reason === 'factor' || proof?.reason === 'enroll';
  // The password may have changed since it was entered.
  const isValid = account && proof.authenticated_at > (account.signed_out_at?.getTime() ?? 0);
  if (!form || !isForFactor || !isValid)
    return showAgain(visitor, { status: isOurs ? 200 : 403, problem: 'staleForm', account });
  const { method, factor, authenticated_at, reason } = proof;
  const admission = { ...visitor, method, factor, authenticatedAt: new Date(authenticated_at) };
  return reason === 'factor' ? enterCode(admission, account, form) : enroll(admission, account, form);
};
