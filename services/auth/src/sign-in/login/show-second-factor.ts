import { encodeQR } from 'qr';
import type { Account } from '../../accounts/account.ts';
import { hasDevice, newTotpKey, totpAddress } from '../../accounts/second-factors.ts';
import type { Presentation } from '../../localization/presentation.ts';
import { newPasskey } from '../methods/add-passkey.ts';
import type { Interaction } from '../interaction.ts';
import {
  enrollmentPage,
  recoveryCodesPage,
  secondFactorPage,
  type NewApp,
} from '../pages/second-factor-pages.ts';
import { explain, type Problem } from '../pages/respond.ts';
import type { SignInContext } from '../sign-in-context.ts';
import { sendLoginPage, type Visitor } from './visitor.ts';

/** The proof that the next form brings back, and the problem if it is shown again. */
interface Step extends Problem {
  readonly proof: string;
  /** Whether the entry in error is a recovery code. */
  readonly isRecoveryWrong?: boolean;
}

/** Path of the forms of the second factor. */
const pathOf = ({ action }: Interaction): string => `${action}/factor`;

/** A new passkey or app is for the account, in the sign-in and browser in which its password was entered. */
export const boundToEnrollment = ({ browser }: Interaction, accountId: string): string =>
  `enroll:${browser}:${accountId}`;

/** Asks for a code of the app, a passkey, or a recovery code: for what the account has. */
export function showSecondFactor(
  visitor: Visitor,
  account: Account,
  { proof, isRecoveryWrong, ...wrong }: Step,
): void {
  const { interaction, response } = visitor;
  const { problem, status } = explain(response, interaction.presentation, wrong);
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
  sendLoginPage(visitor, page, status);
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
  visitor: Visitor,
  account: Account,
  { proof, key = newTotpKey(), ...wrong }: Step & { readonly key?: string },
): Promise<void> {
  const { interaction, context, response } = visitor;
  const { presentation, csrf } = interaction;
  const { problem, status } = explain(response, presentation, wrong);
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
  sendLoginPage(visitor, page, status);
}

/** Shows new recovery codes, once. The sign-in is complete: `next` goes on with it. */
export function showRecoveryCodes(visitor: Visitor, codes: readonly string[], next: string): void {
  sendLoginPage(visitor, recoveryCodesPage(visitor.interaction.presentation, { codes, next }));
}
