import { z } from 'zod';
import { isSignedEs256, signEs256 } from '../keys/es256.ts';
import type { KeySet } from '../keys/key-ring.ts';
import { lifetimes } from './lifetimes.ts';
import type { TokenReference } from './request-notes.ts';

/** What travels in an envelope: an authorization code or a refresh token. */
type EnvelopeKind = 'code' | 'refresh';

/** Signed JWTs around the opaque ids by which codes and refresh tokens are stored (spec 2.2, D42). */
export interface Envelopes {
  wrapCode(id: string): string;
  wrapRefresh(id: string, family: string): string;
  /** The id inside, or undefined when the envelope is not ours, of another kind, or no JWT at all. Expiry is the store's matter. */
  unwrapCode(token: string): string | undefined;
  /** The same for a refresh token. */
  unwrapRefresh(token: string): TokenReference | undefined;
}

const algorithm = 'ES256';
const longest = 2_048;
const compact = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;

const claims = z.object({
  iss: z.string(),
  jti: z.string().min(1),
  family: z.string().optional(),
  exp: z.int(),
});

type Claims = z.output<typeof claims>;

const header = z.object({ alg: z.literal(algorithm), typ: z.string(), kid: z.string() });

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));

/** Creates the envelopes that one set of keys signs and verifies: JWS in the compact form (RFC 7515 7.1). */
export function createEnvelopes({ signing, keys }: KeySet, issuer: string, now: () => Date): Envelopes {
  const publicKeys = new Map(keys.map((key) => [key.kid, key.publicKey]));

  const wrap = (kind: EnvelopeKind, lifetime: number, said: Pick<Claims, 'jti' | 'family'>): string => {
    const iat = Math.floor(now().getTime() / 1000);
    const head = encode({ alg: algorithm, typ: `${kind}+jwt`, kid: signing.kid });
    const text = `${head}.${encode({ iss: issuer, ...said, iat, exp: iat + lifetime })}`;
    return `${text}.${signEs256(Buffer.from(text), signing.privateKey).toString('base64url')}`;
  };

  const open = (kind: EnvelopeKind, head: string, payload: string, signature: string): Claims | undefined => {
    const { kid, typ } = header.parse(decode(head));
    const key = publicKeys.get(kid);
    const bytes = Buffer.from(signature, 'base64url');
    if (!key || !isSignedEs256(Buffer.from(`${head}.${payload}`), bytes, key)) return undefined;
    const said = claims.parse(decode(payload));
    return typ === `${kind}+jwt` && said.iss === issuer ? said : undefined;
  };

  const unwrap = (kind: EnvelopeKind, token: string): Claims | undefined => {
    const [, head, payload, signature] = compact.exec(token) ?? [];
    if (token.length > longest || !head || !payload || !signature) return undefined;
    try {
      return open(kind, head, payload, signature);
    } catch {
      return undefined;
    }
  };

  return {
    wrapCode: (id) => wrap('code', lifetimes.code, { jti: id }),
    wrapRefresh: (id, family) => wrap('refresh', lifetimes.refreshToken, { jti: id, family }),
    unwrapCode: (token) => unwrap('code', token)?.jti,
    unwrapRefresh(token) {
      const { jti: id, family, exp: expires } = unwrap('refresh', token) ?? {};
      return id === undefined || family === undefined || expires === undefined
        ? undefined
        : { id, family, expires };
    },
  };
}
