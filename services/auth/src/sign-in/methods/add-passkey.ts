import type { Account, Passkey } from '../../accounts/account.ts';
import type { Presentation } from '../../localization/presentation.ts';
import { noticesOf } from '../../mail/queued-mail.ts';
import { browserName } from '../../tokens/sessions/browser-name.ts';
import { announceChange, credentialAlert, undoDays, undoLinks } from './announce-change.ts';
import { recordEvent } from '../record-event.ts';
import type { PageVisit, SignInContext } from '../sign-in-context.ts';
import { secondsToAdd } from './sign-in-methods.ts';
import {
  attestationSchema,
  newPasskeyOptions,
  verifyNewPasskey,
  type PasskeyData,
} from '../webauthn/ceremony.ts';
import { createChallenge, randomId, takeChallenge } from '../webauthn/challenge.ts';
import { providerNames } from '../webauthn/provider-names.ts';

/** Creates the part of a form that adds a passkey. `bound` names the form and its browser. */
export async function newPasskey(
  account: Account,
  bound: string,
  { title }: Presentation,
  context: SignInContext,
): Promise<PasskeyData> {
  const user = account.passkey_user ?? randomId();
  const { challenge, sealed } = createChallenge(bound, context, user);
  const options = await newPasskeyOptions(context, account, { challenge, user, title });
  return { options: JSON.stringify(options), challenge: sealed };
}

/** The answer of an authenticator, and the challenge for it. */
export interface PasskeyAnswer {
  readonly credential: string;
  readonly challenge: string;
  readonly bound: string;
  /** Hashes of the recovery codes that come with a second factor. */
  readonly recoveryCodes?: readonly string[];
}

/** Adds a passkey and mails a notice that can remove it; false when the answer is not valid. The same one may be added again. */
export async function addPasskey(
  { request, context }: PageVisit,
  account: Account,
  { credential, challenge: sealed, bound, recoveryCodes }: PasskeyAnswer,
): Promise<boolean> {
  const { accounts, issuer, clock } = context;
  const { data: answer } = attestationSchema.safeParse(credential);
  if (!answer) return false;
  if (!recoveryCodes && account.passkeys?.some(({ id }) => id === answer.id)) return true;
  const challenge = await takeChallenge(sealed, bound, context);
  const verified = challenge && (await verifyNewPasskey(context, answer, challenge));
  if (challenge?.user === undefined || !verified) return false;
  // Somebody was signed out since the form was shown, e.g. by a new password.
  if (challenge.created <= (account.signed_out_at?.getTime() ?? 0)) return false;
  if (await secondsToAdd(account._id, context)) return false;
  const name = providerNames[verified.aaguid] ?? browserName(request.get('User-Agent')) ?? '';
  const passkey: Passkey = { ...verified.passkey, name, created_at: clock() };
  const link = issuer + undoLinks.passkey.path({ member_id: account._id, id: passkey.id }, context);
  const mails = noticesOf(account, { topic: 'mailPasskeyAdded', values: { days: undoDays }, link }, context);
  if (!(await accounts.passkeys.add(account, challenge.user, passkey, { mails, recoveryCodes })))
    return false;
  recordEvent({ request, context }, 'passkey_added', { account });
  announceChange(account, { mails, alert: credentialAlert('passkey', 'added') }, context);
  return true;
}
