import { CompactSign, compactVerify, type CompactVerifyGetKey } from 'jose';
import { z } from 'zod';
import type { KeySet } from '../keys/key-ring.ts';

/** What travels in an envelope: an authorization code or a refresh token. */
export type EnvelopeKind = 'code' | 'refresh';

/** Signed JWTs around the opaque ids by which codes and refresh tokens are stored (spec 2.2, D42). */
export interface Envelopes {
  wrap(kind: EnvelopeKind, id: string, lifetime: number): Promise<string>;
  /** The id inside, or undefined when the envelope is not ours, of another kind, or no JWT at all. Expiry is the store's matter. */
  unwrap(kind: EnvelopeKind, token: string): Promise<string | undefined>;
}

const algorithm = 'ES256';
const longest = 2_048;

const claims = z.object({ iss: z.string(), jti: z.string().min(1) });

/** Creates the envelopes that one set of keys signs and verifies. */
export function createEnvelopes({ signing, keys }: KeySet, issuer: string, now: () => Date): Envelopes {
  const publicKeys = new Map(keys.map((key) => [key.kid, key.publicKey]));
  const keyOf: CompactVerifyGetKey = ({ kid }) => {
    const key = publicKeys.get(kid ?? '');
    if (!key) throw new Error('unknown key');
    return key;
  };

  return {
    wrap(kind, id, lifetime) {
      const iat = Math.floor(now().getTime() / 1000);
      const payload = { iss: issuer, jti: id, iat, exp: iat + lifetime };
      return new CompactSign(Buffer.from(JSON.stringify(payload)))
        .setProtectedHeader({ alg: algorithm, typ: `${kind}+jwt`, kid: signing.kid })
        .sign(signing.privateKey);
    },
    async unwrap(kind, token) {
      if (token.length > longest) return undefined;
      try {
        const { payload, protectedHeader } = await compactVerify(token, keyOf, { algorithms: [algorithm] });
        const { iss, jti } = claims.parse(JSON.parse(Buffer.from(payload).toString('utf8')));
        return protectedHeader.typ === `${kind}+jwt` && iss === issuer ? jti : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
