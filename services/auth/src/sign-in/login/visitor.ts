import type { Account } from '../../accounts/account.ts';
import type { ProvenIdentity } from '../../accounts/identities/provider-connection.ts';
import { identifyDevice } from '../../tokens/sessions/known-device.ts';
import type { SecondFactor, SignInMethod } from '../../tokens/sessions/sign-in-result.ts';
import type { SignInVisit } from '../during-sign-in.ts';
import { sendPage } from '../pages/respond.ts';
import { loginPage, type LoginForm } from '../pages/sign-in-pages.ts';
import { sealProof, type Proof } from './proof.ts';

/** Somebody at a sign-in page, on the way into an account. */
export interface Visitor extends SignInVisit {
  /** The entered login, which a form that is shown again keeps. */
  readonly login?: string | undefined;
  /** The proof of an earlier form; sealed in `sealedProof`. */
  readonly proof?: Proof | undefined;
  readonly sealedProof?: string | undefined;
  /** Their account at a provider, which is linked with the account here once both are proven. */
  readonly identity?: ProvenIdentity | undefined;
  /** Whether the device can keep passkeys. */
  readonly canKeepPasskeys?: boolean;
}

/** A visitor with correct credentials. */
export interface ProvenVisitor extends Visitor {
  /** Method of the proof. */
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

/** Sends a page of the sign-in. */
export function sendLoginPage(visit: SignInVisit, page: string, status = 200): void {
  const { request, response, context, interaction } = visit;
  identifyDevice(request, response, context);
  sendPage(response, page, status, interaction.headers);
}

/** Sends the login form. */
export function sendLoginForm(visit: SignInVisit, form: Partial<LoginForm> = {}, status = 200): void {
  const { interaction } = visit;
  sendLoginPage(visit, loginPage(interaction.presentation, { ...interaction, ...form }), status);
}

/** Seals what the next form has to bring back. */
export function proofFor(
  reason: Proof['reason'],
  accounts: readonly Account[],
  visitor: ProvenVisitor,
): string {
  const { request, response, interaction, context, method, factor, identity, recoveryCode } = visitor;
  identifyDevice(request, response, context);
  const ids = accounts.map(({ _id }) => _id);
  const authenticated_at = visitor.authenticatedAt.getTime();
  const asked_at = visitor.askedAt;
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
      is_second_entry: visitor.isSecondEntry,
    },
    interaction,
    context,
  );
}
