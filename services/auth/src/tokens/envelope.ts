import { CompactSign, compactVerify, type CompactVerifyGetKey } from 'jose';
import { z } from 'zod';
import type { KeySet } from '../keys/key-ring.ts';
import { lifetimes } from './lifetimes.ts';
import type { TokenReference } from './request-notes.ts';

/** What travels in an envelope: an authorization code or a refresh token. */
type EnvelopeKind = 'code' | 'refresh';

/** Signed JWTs around the opaque ids by which codes and refresh tokens are stored (spec 2.2, D42). */
export interface Envelopes {
  wrapCode(id: string): Promise<string>;
  wrapRefresh(id: string, family: string): Promise<string>;
  /** The id inside, or undefined when the envelope is not ours, of another kind, or no JWT at all. Expiry is the store's matter. */
  unwrapCode(token: string): Promise<string | undefined>;
  /** The same for a refresh token. */
  unwrapRefresh(token: string): Promise<TokenReference | undefined>;
}

const algorithm = 'ES256';
const longest = 2_048;

const claims = z.object({
  iss: z.string(),
  jti: z.string().min(1),
  family: z.string().optional(),
  exp: z.int(),
});

type Claims = z.output<typeof claims>;

/** Creates the envelopes that one set of keys signs and verifies. */
export function createEnvelopes({ signing, keys }: KeySet, issuer: string, now: () => Date): Envelopes {
  const publicKeys = new Map(keys.map((key) => [key.kid, key.publicKey]));
  const keyOf: CompactVerifyGetKey = ({ kid }) => {
    const key = publicKeys.get(kid ?? '');
    if (!key) throw new Error('unknown key');
    return key;
  };

  const wrap = (kind: EnvelopeKind, lifetime: number, said: Pick<Claims, 'jti' | 'family'>) => {
    const iat = Math.floor(now().getTime() / 1000);
    return new CompactSign(Buffer.from(JSON.stringify({ iss: issuer, ...said, iat, exp: iat + lifetime })))
      .setProtectedHeader({ alg: algorithm, typ: `${kind}+jwt`, kid: signing.kid })
      .sign(signing.privateKey);
  };

  const unwrap = async (kind: EnvelopeKind, token: string): Promise<Claims | undefined> => {
    if (token.length > longest) return undefined;
    try {
      const { payload, protectedHeader } = await compactVerify(token, keyOf, { algorithms: [algorithm] });
      const said = claims.parse(JSON.parse(Buffer.from(payload).toString('utf8')));
      return protectedHeader.typ === `${kind}+jwt` && said.iss === issuer ? said : undefined;
    } catch {
      return undefined;
    }
  };

  return {
    wrapCode: (id) => wrap('code', lifetimes.code, { jti: id }),
    wrapRefresh: (id, family) => wrap('refresh', lifetimes.refreshToken, { jti: id, family }),
    unwrapCode: async (token) => (await unwrap('code', token))?.jti,
    async unwrapRefresh(token) {
      const { jti: id, family, exp: expires } = (await unwrap('refresh', token)) ?? {};
      return id === undefined || family === undefined || expires === undefined
        ? undefined
        : { id, family, expires };
    },
  };
}
