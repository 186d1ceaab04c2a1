import { z } from 'zod';

const base64url = z.string().regex(/^[\w-]{1,512}$/);
const keyFacts = {
  kid: z.string().max(255).optional(),
  use: z.literal('sig').optional(),
  alg: z.enum(['ES256', 'EdDSA', 'Ed25519']).optional(),
};

/** The public keys with which a client authenticates (RFC 7517); a private part is refused. */
export const clientKeys = z.strictObject({
  keys: z
    .array(
      z.union([
        z.strictObject({
          kty: z.literal('EC'),
          crv: z.literal('P-256'),
          x: base64url,
          y: base64url,
          ...keyFacts,
        }),
        z.strictObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: base64url, ...keyFacts }),
      ]),
    )
    .min(1)
    .max(5),
});

/** Public keys of a client. */
export type ClientKeys = z.output<typeof clientKeys>;
