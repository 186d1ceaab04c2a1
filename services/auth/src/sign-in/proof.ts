import { z } from 'zod';
import type { Seal } from '../keys/seal.ts';
import { provenIdentity } from '../accounts/identities/provider-connection.ts';
import { signInMethod } from '../tokens/sessions/sign-in-result.ts';

/** Why the form is shown again: to choose a site, to confirm the reactivation, or to link an account at a provider. */
const proofSchema = z.object({
  reason: z.enum(['site', 'reactivate', 'link']),
  accounts: z.array(z.string()),
  /** How and when the credentials were proven, in milliseconds since the epoch. */
  method: signInMethod,
  authenticated_at: z.number(),
  identity: provenIdentity.optional(),
  /** Milliseconds since the epoch. */
  until: z.number(),
});

/** Proof of correct credentials, encrypted in the form. */
export type Proof = z.output<typeof proofSchema>;

const lifetimeMs = 10 * 60 * 1000;

/** Encrypts a proof, which is valid for one interaction and ten minutes. */
export function sealProof(proof: Omit<Proof, 'until'>, interaction: string, seal: Seal, now: Date): string {
  return seal.seal(
    'login-proof',
    JSON.stringify({ ...proof, until: now.getTime() + lifetimeMs }),
    interaction,
  );
}

/** The proof of a form; undefined when it is invalid, expired, or of another interaction. */
export function openProof(sealed: string, interaction: string, seal: Seal, now: Date): Proof | undefined {
  const text = seal.open('login-proof', sealed, interaction);
  if (text === undefined) return undefined;
  // A form of the version before may lack something: it counts as expired.
  const { data: proof } = proofSchema.safeParse(JSON.parse(text));
  return proof && proof.until > now.getTime() ? proof : undefined;
}
