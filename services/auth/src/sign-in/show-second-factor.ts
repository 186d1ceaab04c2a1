import { encodeQR } from 'qr';
import type { Request, Response } from 'express';
import type { Account } from '../accounts/account.ts';
import { hasDevice, newTotpKey, totpAddress } from '../accounts/second-factors.ts';
import type { Presentation } from '../localization/presentation.ts';
import { identifyDevice } from '../tokens/sessions/known-device.ts';
import { newPasskey } from './add-passkey.ts';
import type { Interaction } from './interaction.ts';
import {
  enrollmentPage,
  recoveryCodesPage,
  secondFactorPage,
  type NewApp,
} from './pages/second-factor-pages.ts';
import type { SignInContext } from './sign-in-context.ts';

/** Somebody who has proven the first factor. */
export interface HalfWay {
  readonly request: Request;
  readonly response: Response;
  readonly context: SignInContext;
  readonly interaction: Interaction;
}

/** What the next form brings back, and why it is shown again. */
interface Step {
  readonly proof: string;
  readonly status?: number;
  readonly problem?: ReturnType<Presentation['text']>;
  /** Whether the entry in error is a recovery code. */
  readonly isRecoveryWrong?: boolean;
}

/** Path of the forms of the second factor. */
const pathOf = ({ action }: Interaction): string => `${action}/factor`;

/** A new passkey or app is for the account, in the sign-in and browser in which its password was entered. */
export const boundToEnrollment = ({ browser }: Interaction, accountId: string): string =>
  `enroll:${browser}:${accountId}`;

function send({ request, response, context, interaction }: HalfWay, page: string, status = 200): void {
  identifyDevice(request, response, context);
  response.status(status).set(interaction.headers).send(page);
}

/** Asks for a code of the app, a passkey, or a recovery code: for what the account has. */
export function showSecondFactor(
  visitor: HalfWay,
  account: Account,
  { proof, problem, status, isRecoveryWrong }: Step,
): void {
  const { interaction } = visitor;
  const page = secondFactorPage(interaction.presentation, {
    action: pathOf(interaction),
    csrf: interaction.csrf,
    proof,
    problem,
    isRecoveryWrong,
    hasApp: account.totp !== undefined,
    isOfStaff: account.staff,
    passkey: account.passkeys?.length ? { ...interaction, proof } : undefined,
  });
  send(visitor, page, status);
}

/** Creates the part of a form that adds an app. `bound` names the form and its browser. */
export const newApp = (
  { username }: Account,
  key: string,
  bound: string,
  { title }: Presentation,
  { keys }: Pick<SignInContext, 'keys'>,
): NewApp => ({
  key,
  picture: encodeQR(totpAddress(key, title, username), 'svg', { border: 2 }),
  enrollment: keys.seal.seal('totp-enrollment', key, bound),
});

/** Offers an app and a passkey as the second factor. `key` is that of an app that was shown before. */
export async function showEnrollment(
  visitor: HalfWay,
  account: Account,
  { proof, problem, status, key = newTotpKey() }: Step & { readonly key?: string },
): Promise<void> {
  const { interaction, context } = visitor;
  const { presentation, csrf } = interaction;
  const bound = boundToEnrollment(interaction, account._id);
  const page = enrollmentPage(presentation, {
    action: pathOf(interaction),
    csrf,
    proof,
    problem,
    app: newApp(account, key, bound, presentation, context),
    added: await newPasskey(account, bound, presentation, context),
    canSkip: hasDevice(account),
  });
  send(visitor, page, status);
}

/** Shows new recovery codes, once. The sign-in is complete: `next` goes on with it. */
export function showRecoveryCodes(visitor: HalfWay, codes: readonly string[], next: string): void {
  send(visitor, recoveryCodesPage(visitor.interaction.presentation, { codes, next }));
}
