import { z } from 'zod';
import { isSignedEs256, signEs256 } from '../keys/es256.ts';
import type { KeySet } from '../keys/key-ring.ts';
import { lifetimes } from './lifetimes.ts';
import type { TokenReference } from './provider/request-state.ts';

/** What travels in an envelope: an authorization code or a refresh token. */
type EnvelopeKind = 'code' | 'refresh';

/** Signed JWTs around the opaque ids by which codes and refresh tokens are stored. */
export interface Envelopes {
  wrapCode(id: string): string;
  /** For so many seconds. */
  wrapRefresh(id: string, family: string, lifetime: number): string;
  /** The id inside, or undefined when the envelope is not ours, of another kind, or no JWT at all. Expiry is the store's matter. */
  unwrapCode(token: string): string | undefined;
  /** The same for a refresh token. */
  unwrapRefresh(token: string): TokenReference | undefined;
  /** What a refresh token says, whoever made it. */
  peekRefresh(token: string): TokenReference | undefined;
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

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const headerOf = (kind: EnvelopeKind, kid: string) => encode({ alg: algorithm, typ: `${kind}+jwt`, kid });
const decode = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));

const refreshReference = (said: Claims | undefined): TokenReference | undefined => {
  const { jti: id, family, exp: expires } = said ?? {};
  return id === undefined || family === undefined || expires === undefined
    ? undefined
    : { id, family, expires };
};

/** Creates the envelopes that one set of keys signs and verifies: JWS in the compact form (RFC 7515 7.1). */
export function createEnvelopes({ signing, keys }: KeySet, issuer: string, now: () => Date): Envelopes {
  const made = (kind: EnvelopeKind) => ({
    header: headerOf(kind, signing.kid),
    // Only we make them, always as the same text: any other one is of another kind or key, or not ours.
    keys: new Map(keys.map(({ kid, publicKey }) => [headerOf(kind, kid), publicKey])),
  });
  const envelopes = { code: made('code'), refresh: made('refresh') };

  const wrap = (kind: EnvelopeKind, lifetime: number, said: Pick<Claims, 'jti' | 'family'>): string => {
    const iat = Math.floor(now().getTime() / 1000);
    const text = `${envelopes[kind].header}.${encode({ iss: issuer, ...said, iat, exp: iat + lifetime })}`;
    return `${text}.${signEs256(Buffer.from(text), signing.privateKey).toString('base64url')}`;
  };

  /** What the envelope says; its signature is looked at only if `verified`. */
  const open = (kind: EnvelopeKind, token: string, verified: boolean): Claims | undefined => {
    const [, head, payload, signature] = compact.exec(token) ?? [];
    const key = envelopes[kind].keys.get(head ?? '');
    if (token.length > longest || !key || !payload || !signature) return undefined;
    try {
      const said = claims.parse(decode(payload));
      if (said.iss !== issuer) return undefined;
      const bytes = Buffer.from(signature, 'base64url');
      const isGood = !verified || isSignedEs256(Buffer.from(`${head}.${payload}`), bytes, key);
      return isGood ? said : undefined;
    } catch {
      return undefined;
    }
  };

  return {
    wrapCode: (id) => wrap('code', lifetimes.code, { jti: id }),
    wrapRefresh: (id, family, lifetime) => wrap('refresh', lifetime, { jti: id, family }),
    unwrapCode: (token) => open('code', token, true)?.jti,
    unwrapRefresh: (token) => refreshReference(open('refresh', token, true)),
    peekRefresh: (token) => refreshReference(open('refresh', token, false)),
  };
}
