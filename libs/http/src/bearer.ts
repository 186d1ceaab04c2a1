import { unauthorized, unavailable, type Failure } from '@covalence/contract/failure';
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Caller } from './endpoint.ts';

/** Checks access tokens of the auth service. */
export interface BearerVerifier {
  /**
   * The caller of an `Authorization` header. Throws 401 with the RFC 6750 challenge when it is missing or malformed or
   * its token is not good.
   */
  fromHeader(header: string | undefined): Promise<Caller>;
  /** The caller of a header that was verified lately and is good; at once. What it does not know says nothing. */
  known(header: string | undefined): Caller | undefined;
  /** The caller of a bare access token, e.g. the first message of a live-updates socket. */
  fromToken(token: string): Promise<Caller>;
}

/** Where tokens come from and whom they are for. */
export interface BearerOptions {
  /** Address of the auth service's JWKS. */
  readonly jwksUrl: string;
  readonly issuer: string;
  readonly audience: string;
  /** Seconds since the epoch; tests move it. */
  readonly now?: () => number;
  /** Verified tokens that are kept; fewer where a token is hardly shown twice. */
  readonly kept?: number;
  /** Instead of the JWKS address, for tests. */
  readonly keys?: JWTVerifyGetKey;
}

/** The addresses of a part's settings by which tokens are checked. */
export interface TokenAddresses {
  /** Inner address of the auth service. */
  readonly AUTH_URL: string;
  readonly PUBLIC_URL: string;
  readonly AUTH_PUBLIC_URL?: string | undefined;
}

/** Where tokens come from and whom they are for, by a part's settings; the issuer is the API itself where no other is named. */
export const tokensOf = ({ AUTH_URL, PUBLIC_URL, AUTH_PUBLIC_URL = PUBLIC_URL }: TokenAddresses) => ({
  jwksUrl: new URL('/jwks', AUTH_URL).href,
  issuer: AUTH_PUBLIC_URL,
  audience: PUBLIC_URL,
});

const claims = z.object({
  sub: z.uuid(),
  // Staff accounts belong to no site and are no members.
  mid: z.int().nonnegative().default(0),
  site: z.int().nonnegative().default(0),
  client_id: z.string(),
  family: z.string().optional(),
  scope: z.string().default(''),
  iat: z.int(),
  exp: z.int(),
  auth_time: z.int().optional(),
});

const callerOf = (payload: JWTPayload): Caller => {
  const { sub, mid, site, client_id, family, scope, iat, exp, auth_time } = claims.parse(payload);
  return {
    id: mid,
    memberId: sub,
    siteid: site,
    clientId: client_id,
    family,
    scopes: scope.split(' ').filter(Boolean),
    issued: iat,
    expires: exp,
    authenticated: auth_time,
  };
};

/** How long keys are used without asking for them again, and how long they are while the auth service does not give any, ms. */
const keysMs = { good: 600_000, away: 5_000 };

/**
 * The keys of the auth service. While it does not answer those from before go on: with them every token that this process has
 * not seen lately would be refused, whatever it is for.
 */
function keysAt(jwksUrl: string): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    cooldownDuration: keysMs.away,
    // Keys that are too old are not asked for by the library, which then has none where it gets none.
    cacheMaxAge: Infinity,
  });
  // Not by the clock, which may be set back.
  let due = performance.now() + keysMs.good;
  return async (header, token) => {
    if (performance.now() > due && keys.jwks()) {
      // One waits for it; the others use what there is.
      due = performance.now() + keysMs.away;
      await keys.reload().then(
        () => (due = performance.now() + keysMs.good),
        () => undefined,
      );
    }
    return keys(header, token);
  };
}

/** jose's own words that the token is at fault; anything else kept us from checking it. */
const aboutToken = /^ERR_(JWT|JWS|JWKS_NO_MATCHING|JWKS_MULTIPLE_MATCHING|JOSE_ALG|JOSE_NOT_SUPPORTED)/;

/** What a failed verification answers: 401 where the token is wrong, 503 where its keys could not be fetched. */
const tokenFailure = (error: unknown): Failure => {
  const wrongClaims = error instanceof z.ZodError;
  const wrongToken = error instanceof errors.JOSEError && aboutToken.test(error.code);
  return wrongClaims || wrongToken ? unauthorized('invalid_token') : unavailable(error);
};

/**
 * Creates the verifier. ES256 only, issuer and audience checked. Verified tokens are kept in an LRU under the header that
 * brings them, because verifying each time costs most of a proxy's throughput (and hashing each a fifth of what admission takes); expiry is checked on every hit, and an entry lives at most a minute, so that a retired signing key stops working soon
 * after it leaves the JWKS.
 */
export function createBearerVerifier(options: BearerOptions): BearerVerifier {
  const keys = options.keys ?? keysAt(options.jwksUrl);
  const now = options.now ?? (() => Math.floor(Date.now() / 1000));
  const verified = new LRUCache<string, Caller>({ max: options.kept ?? 50_000, ttl: 60_000 });

  const verify = async (token: string): Promise<Caller> => {
    const { payload } = await jwtVerify(token, keys, {
      issuer: options.issuer,
      audience: options.audience,
      algorithms: ['ES256'],
      typ: 'at+jwt',
      currentDate: new Date(now() * 1000),
    });
    return callerOf(payload);
  };

  const known = (header: string | undefined): Caller | undefined => {
    const caller = header === undefined ? undefined : verified.get(header);
    return caller && caller.expires > now() ? caller : undefined;
  };

  const fromHeader = async (header: string | undefined): Promise<Caller> => {
    const kept = known(header);
    if (kept) return kept;
    // Another scheme is no token of ours: RFC 6750 3.1 gives it a challenge without an error.
    if (!header || !/^Bearer(\s|$)/i.test(header)) throw unauthorized('missing');
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(header)?.[1];
    if (!token || token.length > 4096) throw unauthorized('invalid_token');
    const caller = await verify(token).catch((error: unknown) => {
      throw tokenFailure(error);
    });
    verified.set(header, caller);
    return caller;
  };

  return { fromHeader, known, fromToken: (token) => fromHeader(`Bearer ${token}`) };
}
