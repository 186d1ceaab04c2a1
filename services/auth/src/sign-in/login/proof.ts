import { z } from 'zod';
import { provenIdentity } from '../../accounts/identities/provider-connection.ts';
import { secondFactor, signInMethod } from '../../tokens/sessions/sign-in-result.ts';
import type { Interaction } from '../interaction.ts';
import type { SessionsContext } from '../../tokens/sessions/member-sessions.ts';

/**
 * Why a form is shown: for a site, a reactivation, the link with an account at a provider, a second factor, old or new, a password in
 * place of a generated one, or a recovery that waits.
 */
const proofSchema = z.object({
  reason: z.enum(['site', 'reactivate', 'link', 'factor', 'enroll', 'password', 'recovery']),
  accounts: z.array(z.string()),
  /** Method and time of the proof; the time in milliseconds since the epoch. */
  method: signInMethod,
  authenticated_at: z.number(),
  /** When a provider asked for credentials, in seconds since the epoch, if it says so. */
  asked_at: z.int().optional(),
  /** The second factor, if it was proven too. */
  factor: secondFactor.optional(),
  /** Hash of the recovery code that it was proven with, which is used up by what follows. */
  recovery_code: z.string().optional(),
  identity: provenIdentity.optional(),
  /** Whether a deactivated profile becomes active again without another entry. */
  is_second_entry: z.boolean().optional(),
  /** Milliseconds since the epoch. */
  until: z.number(),
});

/** Proof of correct credentials, encrypted in the form. */
export type Proof = z.output<typeof proofSchema>;

/** A proof as forms bring it back. */
export const sealedProof = z.string().max(4_096);

const lifetimeMs = 10 * 60 * 1000;

/**
 * Encrypts a proof, which is valid in one sign-in and browser: for ten minutes, or until the sign-in expires if it is of an account at a
 * provider alone. That one opens nothing, and the long form of a registration may follow.
 */
export function sealProof(
  proof: Omit<Proof, 'until'>,
  { browser, details }: Pick<Interaction, 'browser'> & { readonly details: { readonly exp: number } },
  { keys, clock }: Pick<SessionsContext, 'keys' | 'clock'>,
): string {
  const until = proof.reason === 'link' ? details.exp * 1000 : clock().getTime() + lifetimeMs;
  return keys.seal.seal('login-proof', JSON.stringify({ ...proof, until }), browser);
}

/** The proof of a form; undefined when it is invalid, expired, or of another sign-in or browser. */
export function openProof(
  sealed: string,
  { browser }: Pick<Interaction, 'browser'>,
  { keys, clock }: Pick<SessionsContext, 'keys' | 'clock'>,
): Proof | undefined {
  const text = keys.seal.open('login-proof', sealed, browser);
  if (text === undefined) return undefined;
  // A form that lacks a field that another version added counts as expired.
  const { data: proof } = proofSchema.safeParse(JSON.parse(text));
  return proof && proof.until > clock().getTime() ? proof : undefined;
}
