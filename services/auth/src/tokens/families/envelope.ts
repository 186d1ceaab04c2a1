import { z } from 'zod';
import { isSignedEs256, signEs256 } from '../../keys/algorithms.ts';
import type { KeySet } from '../../keys/key-ring.ts';
import { lifetimes } from './lifetimes.ts';

/** Reference in the envelope of a refresh token. */
export interface TokenReference {
  /** The opaque id. */
  readonly id: string;
  readonly family: string;
  /** Seconds since the epoch. */
  readonly expires: number;
}

/** Content of an envelope: an authorization code or a refresh token. */
type EnvelopeKind = 'code' | 'refresh';

const algorithm = 'ES256';
const maxLength = 2_048;
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

const refreshReference = (claimed: Claims | undefined): TokenReference | undefined => {
  const { jti: id, family, exp: expires } = claimed ?? {};
  return id === undefined || family === undefined || expires === undefined
    ? undefined
    : { id, family, expires };
};

/** Creates the envelopes of one set of keys: JWS in the compact serialization (RFC 7515, 7.1). */
export function createEnvelopes({ signing, keys }: KeySet, issuer: string, clock: () => Date) {
  const made = (kind: EnvelopeKind) => ({
    header: headerOf(kind, signing.kid),
    // This service writes each header as the same text, so an unknown text is of another kind, key or issuer.
    keys: new Map(keys.map(({ kid, publicKey }) => [headerOf(kind, kid), publicKey])),
  });
  const envelopes = { code: made('code'), refresh: made('refresh') };

  const wrap = (kind: EnvelopeKind, lifetime: number, claimed: Pick<Claims, 'jti' | 'family'>): string => {
    const iat = Math.floor(clock().getTime() / 1000);
    const text = `${envelopes[kind].header}.${encode({ iss: issuer, ...claimed, iat, exp: iat + lifetime })}`;
    return `${text}.${signEs256(Buffer.from(text), signing.privateKey).toString('base64url')}`;
  };

  /** The claims of an envelope; its signature is checked only if `verified`. */
  const open = (kind: EnvelopeKind, token: string, verified: boolean): Claims | undefined => {
    const [, head, payload, signature] = compact.exec(token) ?? [];
    const key = envelopes[kind].keys.get(head ?? '');
    if (token.length > maxLength || !key || !payload || !signature) return undefined;
    try {
      const claimed = claims.parse(decode(payload));
      if (claimed.iss !== issuer) return undefined;
      const bytes = Buffer.from(signature, 'base64url');
      const isGood = !verified || isSignedEs256(Buffer.from(`${head}.${payload}`), bytes, key);
      return isGood ? claimed : undefined;
    } catch {
      return undefined;
    }
  };

  return {
    wrapCode: (id: string): string => wrap('code', lifetimes.code, { jti: id }),
    /** `lifetime` is in seconds. */
    wrapRefresh: (id: string, family: string, lifetime: number): string =>
      wrap('refresh', lifetime, { jti: id, family }),
    /** The id inside; undefined for another issuer's or kind's envelope. The store checks the expiry. */
    unwrapCode: (token: string): string | undefined => open('code', token, true)?.jti,
    /** The same for a refresh token. */
    unwrapRefresh: (token: string): TokenReference | undefined =>
      refreshReference(open('refresh', token, true)),
    /** The reference in a refresh token, without a check of its signature. */
    peekRefresh: (token: string): TokenReference | undefined =>
      refreshReference(open('refresh', token, false)),
  };
}

/** Signed JWTs around the opaque ids of codes and refresh tokens. */
export type Envelopes = ReturnType<typeof createEnvelopes>;
