import { z } from 'zod';
import type { Seal } from '../keys/seal.ts';

/** Why the form comes back after an entry that was right: to choose a site, or for the second entry. */
const proofSchema = z.object({
  reason: z.enum(['site', 'reactivate']),
  accounts: z.array(z.string()).min(1),
  /** Milliseconds since the epoch. */
  until: z.number(),
});

/** What the server remembers of an entry that was right, sealed into the form. */
export type Proof = z.output<typeof proofSchema>;

const lifetimeMs = 10 * 60 * 1000;

/** Seals a proof; it is good for one interaction only, and for ten minutes. */
export function sealProof(proof: Omit<Proof, 'until'>, interaction: string, seal: Seal, now: Date): string {
  return seal.seal(
    'login-proof',
    JSON.stringify({ ...proof, until: now.getTime() + lifetimeMs }),
    interaction,
  );
}

/** When the entry was made that a proof remembers. */
export const givenAtOf = ({ until }: Proof): Date => new Date(until - lifetimeMs);

/** The proof of a form, or undefined when it is none, too old, or of another interaction. */
export function openProof(sealed: string, interaction: string, seal: Seal, now: Date): Proof | undefined {
  const text = seal.open('login-proof', sealed, interaction);
  if (text === undefined) return undefined;
  const proof = proofSchema.parse(JSON.parse(text));
  return proof.until > now.getTime() ? proof : undefined;
}
