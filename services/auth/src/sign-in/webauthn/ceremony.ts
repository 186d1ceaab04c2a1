import {
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type CredentialDeviceType,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { z } from 'zod';
import type { Account, Passkey } from '../../accounts/account.ts';
import { jsonText } from '@covalence/runtime/json-text';
import { isSameText } from '../../keys/seal.ts';
import type { SessionsContext } from '../../tokens/sessions/member-sessions.ts';
import { createChallenge, type Challenge } from './challenge.ts';

/** Time for the member to answer the browser's dialog, in milliseconds. */
const timeout = 5 * 60 * 1000;

/** ES256, Ed25519 and RS256, which every platform has one of. */
const algorithms = [-7, -8, -257];

const base64url = (maximum: number) =>
  z
    .string()
    .min(1)
    .max(maximum)
    .regex(/^[\w-]+$/);

const credentialOf = <Shape extends z.ZodRawShape>(response: Shape) =>
  z
    .string()
    .max(12_000)
    .pipe(jsonText)
    .pipe(
      z.object({
        id: base64url(1_400),
        rawId: base64url(1_400),
        type: z.literal('public-key'),
        clientExtensionResults: z.object({}).default({}),
        response: z.object({ clientDataJSON: base64url(4_000), ...response }),
      }),
    );

/** An authenticator's response to a sign-in, in the JSON format of browsers. */
export const assertionSchema = credentialOf({
  authenticatorData: base64url(2_000),
  signature: base64url(1_000),
  userHandle: base64url(128),
});

/** An authenticator's response to a registration. */
export const attestationSchema = credentialOf({
  attestationObject: base64url(8_000),
  transports: z.array(z.string().max(32)).max(8).default([]),
});

/** The address of this server, whose host owns the passkeys, and the apps that may use them. */
interface RelyingParty {
  readonly issuer: string;
  /** Origins of Android apps. */
  readonly apps?: readonly string[];
}

const hostOf = ({ issuer }: RelyingParty): string => new URL(issuer).hostname;

const expected = (party: RelyingParty, { challenge }: Challenge) => ({
  expectedChallenge: challenge,
  expectedOrigin: [new URL(party.issuer).origin, ...(party.apps ?? [])],
  expectedRPID: hostOf(party),
  requireUserVerification: true,
});

/** Options of a sign-in with whichever passkey the member picks. */
const signInOptions = (party: RelyingParty, challenge: string): PublicKeyCredentialRequestOptionsJSON => ({
  challenge,
  rpId: hostOf(party),
  userVerification: 'required',
  timeout,
});

/** The passkeys of an account, for browsers that remove others of it from password managers. */
export const acceptedPasskeys = (party: RelyingParty, userId: string, passkeys: readonly Passkey[]) => ({
  rpId: hostOf(party),
  userId,
  allAcceptedCredentialIds: passkeys.map(({ id }) => id),
});

/** Options of a new passkey. `title` is shown by authenticators. */
export const newPasskeyOptions = (
  party: RelyingParty,
  { username, passkeys = [] }: Account,
  { challenge, user, title }: { readonly challenge: string; readonly user: string; readonly title: string },
): Promise<PublicKeyCredentialCreationOptionsJSON> =>
  generateRegistrationOptions({
    rpName: title,
    rpID: hostOf(party),
    userName: username,
    userDisplayName: username,
    userID: Buffer.from(user, 'base64url'),
    challenge: Buffer.from(challenge, 'base64url'),
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: passkeys.map(({ id }) => ({ id })),
    supportedAlgorithmIDs: algorithms,
    timeout,
  });

/** The library throws whatever an answer lacks; it calls nothing else that could fail. */
const orNothing = <Result>(work: Promise<Result>): Promise<Result | undefined> => work.catch(() => undefined);

/** The state of a passkey after its use. If it was copied, its counter went backward. */
export interface PasskeyUse {
  readonly counter: number;
  readonly backed_up: boolean;
  readonly isCopied: boolean;
}

/** Whether a passkey can be backed up, which never changes. */
const isBackupEligible = (type: CredentialDeviceType): boolean => type === 'multiDevice';

/** Verifies the answer to a sign-in; undefined when anything in it is not as expected. */
export async function verifySignIn(
  party: RelyingParty,
  answer: z.output<typeof assertionSchema>,
  challenge: Challenge,
  { passkey, user }: { readonly passkey: Passkey; readonly user: string },
): Promise<PasskeyUse | undefined> {
  if (!isSameText(answer.response.userHandle, user)) return undefined;
  const verified = await orNothing(
    verifyAuthenticationResponse({
      ...expected(party, challenge),
      response: answer,
      credential: {
        id: passkey.id,
        publicKey: Buffer.from(passkey.public_key, 'base64url'),
        // The counter is compared below, once the signature is known to be right.
        counter: 0,
      },
    }),
  );
  if (!verified?.verified) return undefined;
  const {
    newCounter: counter,
    credentialBackedUp: backed_up,
    credentialDeviceType,
  } = verified.authenticationInfo;
  if (isBackupEligible(credentialDeviceType) !== passkey.backup_eligible) return undefined;
  const isCopied = (counter > 0 || passkey.counter > 0) && counter <= passkey.counter;
  return { counter, backed_up, isCopied };
}

/** Verifies the answer to a registration; undefined when anything in it is not as expected. */
export async function verifyNewPasskey(
  party: RelyingParty,
  answer: z.output<typeof attestationSchema>,
  challenge: Challenge,
): Promise<{ readonly passkey: Omit<Passkey, 'name' | 'created_at'>; readonly aaguid: string } | undefined> {
  const verified = await orNothing(
    verifyRegistrationResponse({
      ...expected(party, challenge),
      response: answer,
      supportedAlgorithmIDs: algorithms,
    }),
  );
  if (!verified?.verified) return undefined;
  const { credential, aaguid, credentialBackedUp, credentialDeviceType } = verified.registrationInfo;
  const passkey = {
    id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: answer.response.transports,
    backup_eligible: isBackupEligible(credentialDeviceType),
    backed_up: credentialBackedUp,
  };
  return { passkey, aaguid };
}

/** The challenge of a login form works in one sign-in and browser. */
export const boundToForm = (browser: string): string => `sign-in:${browser}`;

/** A form's data for passkeys. */
export interface PasskeyData {
  /** JSON for the browser. */
  readonly options: string;
  /** The sealed challenge, which the form brings back. */
  readonly challenge: string;
}

/** Creates the part of a login form that takes passkeys. */
export function passkeyChoice(browser: string, context: RelyingParty & SessionsContext): PasskeyData {
  const { challenge, sealed } = createChallenge(boundToForm(browser), context);
  return { options: JSON.stringify(signInOptions(context, challenge)), challenge: sealed };
}
