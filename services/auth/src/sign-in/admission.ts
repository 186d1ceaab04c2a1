import { addressKey } from '@covalence/http/address-key';
import type { SecurityEventName } from '@covalence/runtime/security-events';
import type { Request, Response } from 'express';
import type { Account, Recovery } from '../accounts/account.ts';
import { hasSecondFactor, needsTwoFactors } from '../accounts/second-factors.ts';
import type { ProvenIdentity } from '../accounts/identities/provider-connection.ts';
import { accountStateOf } from '../accounts/member-state.ts';
import { deviceOf, identifyDevice } from '../tokens/sessions/known-device.ts';
import {
  amrOf,
  isTwoFactor,
  type SecondFactor,
  type SignInMethod,
} from '../tokens/sessions/sign-in-result.ts';
import { timeText } from '../localization/presentation.ts';
import { announceSignIn } from './announce-sign-in.ts';
import { enteredAt } from './entered-at.ts';
import { resume, type Interaction } from './interaction.ts';
import { linkIdentity, type LinkRefusal } from './link-identity.ts';
import { isOffered, offerPasskey } from './offer-passkey.ts';
import { redirect } from './pages/respond.ts';
import { recoveryNoticePage } from './pages/account-page.ts';
import { choicePage, loginPage } from './pages/sign-in-pages.ts';
import { sealProof, type Proof } from './proof.ts';
import { recoveryOf } from './recovery.ts';
import { showEnrollment, showRecoveryCodes, showSecondFactor } from './show-second-factor.ts';
import type { SignInContext } from './sign-in-context.ts';

/** Somebody at a sign-in page, on the way into an account. */
export interface Visitor {
  readonly request: Request;
  readonly response: Response;
  readonly context: SignInContext;
  readonly interaction: Interaction;
  /** The entered login, which a form that is shown again keeps. */
  readonly login?: string | undefined;
  /** What the form has proven before; sealed in `sealedProof`. */
  readonly proof?: Proof | undefined;
  readonly sealedProof?: string | undefined;
  /** Their account at a provider, which is linked with the account here once both are proven. */
  readonly identity?: ProvenIdentity | undefined;
  /** Whether the device can keep passkeys. */
  readonly canKeepPasskeys?: boolean;
}

/** A visitor with correct credentials. */
export interface Admission extends Visitor {
  /** How the credentials were proven. */
  readonly method: SignInMethod;
  /** When they were proven. */
  readonly authenticatedAt: Date;
  /** When a provider asked for credentials, in seconds since the epoch, if it says so. */
  readonly askedAt?: number | undefined;
  /** The second factor, if it was proven too. */
  readonly factor?: SecondFactor | undefined;
  /** Hash of the recovery code that it was proven with, which is still to be used up. */
  readonly recoveryCode?: string | undefined;
  /** Recovery codes that were just made, which the last page of the sign-in shows. */
  readonly recoveryCodes?: readonly string[];
  /** Two entries confirm that a deactivated profile becomes active again. */
  readonly isSecondEntry?: boolean;
  /** The member has just registered, on the only device so far. */
  readonly isRegistration?: boolean;
}

type Problem =
  | 'wrong'
  | 'limited'
  | 'suspended'
  | 'otherAccount'
  | 'staleForm'
  | 'identityTaken'
  | 'notFresh'
  | 'wrongPasskey'
  | 'wrongCode';

/** Records a security event with account, client and address. */
export function record(
  { request, interaction, context }: Visitor,
  name: SecurityEventName,
  { account, reason }: { account?: Account | undefined; reason?: Problem },
): void {
  const { client_id } = interaction.details.params;
  context.security.record(name, {
    [account?.staff ? 'staff' : 'member']: account?._id,
    client: String(client_id),
    address: addressKey(request.ip ?? ''),
    reason,
  });
}

/** Why the form is shown again. */
interface Refusal {
  readonly status: number;
  readonly problem: Problem;
  /** The only candidate account, if there is one. */
  readonly account?: Account | undefined;
  readonly minutes?: number;
  /** Id of a refused passkey that no account has. */
  readonly unknownPasskey?: string | undefined;
}

/** Shows the login form again with a problem, and records it. */
export function showAgain(visitor: Visitor, refusal: Refusal): void {
  const { status, problem, account, minutes = 0, unknownPasskey } = refusal;
  const { request, response, context, interaction, login, proof, sealedProof } = visitor;
  identifyDevice(request, response, context);
  if (problem === 'limited') record(visitor, 'sign_in_limited', { account });
  else record(visitor, 'sign_in_failed', { account, reason: problem });
  response
    .status(status)
    .set(interaction.headers)
    .send(
      loginPage(interaction.presentation, {
        ...interaction,
        login,
        ...((proof?.reason === 'reactivate' || proof?.reason === 'link') && {
          proof: sealedProof,
          reason: proof.reason,
        }),
        problem: interaction.presentation.text(problem, { minutes }),
        isPasskeyRefused: problem === 'wrongPasskey',
        unknownPasskey,
        isEntryWrong: problem === 'wrong' || problem === 'otherAccount',
        deviceLink: problem === 'limited' ? interaction.device : undefined,
      }),
    );
}

/** Seals what the next form has to bring back. */
export function sealed(reason: Proof['reason'], accounts: readonly Account[], admission: Admission): string {
  const { request, response, interaction, context, method, factor, identity, recoveryCode } = admission;
  identifyDevice(request, response, context);
  const ids = accounts.map(({ _id }) => _id);
  const authenticated_at = admission.authenticatedAt.getTime();
  const asked_at = admission.askedAt;
  return sealProof(
    {
      reason,
      accounts: ids,
      method,
      authenticated_at,
      asked_at,
      factor,
      identity,
      recovery_code: recoveryCode,
      is_second_entry: admission.isSecondEntry,
    },
    interaction,
    context,
  );
}

/** Asks for the credentials again, to confirm the reactivation. */
function askToReactivate(admission: Admission, account: Account): void {
  const { response, interaction } = admission;
  const proof = sealed('reactivate', [account], admission);
  response
    .set(interaction.headers)
    .send(loginPage(interaction.presentation, { ...interaction, proof, reason: 'reactivate' }));
}

function askForSite(admission: Admission, accounts: readonly Account[]): void {
  const { response, interaction, context } = admission;
  const proof = sealed('site', accounts, admission);
  const sites = accounts.flatMap(({ siteid }) => context.sites.get(siteid) ?? []);
  response
    .set(interaction.headers)
    .send(choicePage(interaction.presentation, { ...interaction, proof, sites }));
}

/**
 * Sets the result for the account; resolves to the path that resumes the authorization request. The browser becomes a known device
 * of the account. A session of another one ends, so that the provider does not ask for a sign-out first.
 */
async function finishInteraction(admission: Admission, account: Account): Promise<string> {
  const { interaction, method, factor, authenticatedAt, request, response, context } = admission;
  const { details, provider } = interaction;
  const session = await provider.Session.get(provider.createContext(request, response));
  if (session.accountId !== undefined && session.accountId !== account._id) await session.destroy();
  if (details.session) {
    details.session = undefined;
    await details.persist();
  }
  const amr = amrOf(method, factor);
  const login = { accountId: account._id, amr, ts: enteredAt(admission, account) };
  const device = deviceOf(request, context);
  const browser = { id: device.id, cookie: device.withAccount(account, isTwoFactor(amr)) };
  return resume(details, { login, authenticated_at: authenticatedAt.getTime() }, browser, response, context);
}

const newSignIn = ({ interaction: { app, details } }: Admission) => ({
  client: app,
  parameters: details.params,
});

/** Shows the form again because an account at a provider is not linked. No mailed link helps against the limit. */
function refuseLink(admission: Admission, account: Account, { problem, seconds }: LinkRefusal): void {
  const { interaction, response } = admission;
  const visitor = { ...admission, interaction: { ...interaction, device: undefined } };
  if (seconds === undefined) return showAgain(visitor, { status: 200, problem, account });
  response.set('Retry-After', String(seconds));
  showAgain(visitor, { status: 429, problem, account, minutes: Math.ceil(seconds / 60) });
}

/** Says at once that a recovery waits: the sign-in is complete, and `next` goes on with it. */
function showRecovery(
  admission: Admission,
  account: Account,
  { id, from, by_support }: Recovery,
  next: string,
) {
  const { interaction, response } = admission;
  const { action, csrf, headers, presentation } = interaction;
  const isBySupport = by_support === true;
  const warning = { time: timeText(presentation, from), isBySupport, canStop: !isBySupport };
  const proof = sealed('recovery', [account], admission);
  const form = { action: `${action}/recovery`, csrf, proof, recovery: id };
  response.set(headers).send(recoveryNoticePage(presentation, { form, warning, next }));
}

async function signIn(admission: Admission, account: Account): Promise<void> {
  const { identity, authenticatedAt, method, request, response, context, isRegistration = false } = admission;
  const proven = { authenticatedAt, address: request.ip ?? '' };
  const refusal = identity && (await linkIdentity(account, identity, proven, context));
  if (refusal) return refuseLink(admission, account, refusal);
  const isKnown = isRegistration || deviceOf(request, context).knows(account);
  if (!isKnown) await announceSignIn(account, newSignIn(admission), context);
  const next = await finishInteraction(admission, account);
  record(admission, account.staff ? 'staff_sign_in' : 'sign_in', { account });
  if (admission.recoveryCodes) return showRecoveryCodes(admission, admission.recoveryCodes, next);
  const recovery = recoveryOf(account, context.now());
  if (recovery && method === 'pop') return showRecovery(admission, account, recovery, next);
  if (isOffered(admission, account)) return offerPasskey(admission, account, next);
  redirect(response, next);
}

/** Whether somebody still has to prove a second factor. A passkey verifies who uses it, so it counts as both. */
const needsFactor = ({ context, method, factor }: Admission, account: Account): boolean =>
  !isTwoFactor(amrOf(method, factor)) && needsTwoFactors(account, context.secondFactor);

/** Asks for the second factor. An account of staff without one gets its first one now. */
function askForFactor(admission: Admission, account: Account): Promise<void> | void {
  if (hasSecondFactor(account))
    return showSecondFactor(admission, account, { proof: sealed('factor', [account], admission) });
  return showEnrollment(admission, account, { proof: sealed('enroll', [account], admission) });
}

/**
 * Signs the account in, unless its member is suspended, deleted, or has to prove a second factor or confirm the reactivation. Every
 * sign-in of a browser ends here, so no way in misses the second factor.
 */
export async function admit(admission: Admission, account: Account): Promise<void> {
  const { context, isSecondEntry } = admission;
  const state = await accountStateOf(account, context.profile);
  if (state === 'suspended') return showAgain(admission, { status: 403, problem: 'suspended', account });
  if (state === 'deleted') return showAgain(admission, { status: 200, problem: 'wrong', account });
  if (needsFactor(admission, account)) return askForFactor(admission, account);
  if (state === 'active') return signIn(admission, account);
  if (!isSecondEntry) return askToReactivate(admission, account);
  await context.profile.reactivateMember({ member_id: account._id });
  return signIn(admission, account);
}

/** Continues after correct credentials of one or several accounts. */
export async function admitOneOf(admission: Admission, accounts: readonly Account[]): Promise<void> {
  const { proof } = admission;
  const isSecondEntry = proof?.reason === 'reactivate';
  const matching = isSecondEntry ? accounts.filter(({ _id }) => proof.accounts.includes(_id)) : accounts;
  const [first, second] = matching;
  if (!first) return showAgain(admission, { status: 200, problem: 'otherAccount' });
  if (second) return askForSite(admission, matching);
  // The first entry has proven the second factor.
  return admit(isSecondEntry ? { ...admission, isSecondEntry, factor: proof.factor } : admission, first);
}
