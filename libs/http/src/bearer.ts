import {
  forbidden,
  recentSignInRequired,
  unauthorized,
  unavailable,
  type Failure,
} from '@covalence/contract/failure';
import { sitesWith, type StaffRole, type StaffSites } from '@covalence/contract/staff-roles';
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Caller } from './endpoint.ts';

/** Checks access tokens of the auth service. */
export type BearerVerifier = ReturnType<typeof createBearerVerifier>;

/** Issuer and audience of access tokens, and how to verify them. */
interface BearerOptions {
  /** Address of the auth service's JWKS. */
  readonly jwksUrl: string;
  readonly issuer: string;
  readonly audience: string;
  /** The clock in seconds since the epoch; tests replace it. */
  readonly now?: () => number;
  /** Size of the cache of verified tokens. */
  readonly cacheSize?: number;
  /** Replaces the JWKS address in tests. */
  readonly keys?: JWTVerifyGetKey;
}

/** The addresses of the auth service, internal and public, and of the interface. */
interface TokenAddresses {
  readonly AUTH_URL: string;
  readonly PUBLIC_URL: string;
  readonly AUTH_PUBLIC_URL?: string | undefined;
}

/** Token verification options from the settings of a service. PUBLIC_URL is the issuer by default. */
export const tokensOf = ({ AUTH_URL, PUBLIC_URL, AUTH_PUBLIC_URL = PUBLIC_URL }: TokenAddresses) => ({
  jwksUrl: new URL('/jwks', AUTH_URL).href,
  issuer: AUTH_PUBLIC_URL,
  audience: PUBLIC_URL,
});

const claims = z.object({
  sub: z.uuid(),
  // Staff accounts have no member id and no site.
  mid: z.int().nonnegative().default(0),
  site: z.int().nonnegative().default(0),
  client_id: z.string(),
  family: z.string().optional(),
  scope: z.string().default(''),
  roles: z.record(z.string(), z.array(z.string())).default({}),
  iat: z.int(),
  exp: z.int(),
  auth_time: z.int().optional(),
  amr: z.array(z.string()).optional(),
  cnf: z.object({ jkt: z.string() }).optional(),
});

const callerOf = (payload: JWTPayload): Caller => {
  const { sub, mid, site, client_id, family, scope, roles, iat, exp, auth_time, amr, cnf } =
    claims.parse(payload);
  return {
    id: mid,
    memberId: sub,
    siteid: site,
    clientId: client_id,
    family,
    scopes: scope.split(' ').filter(Boolean),
    roles,
    issued: iat,
    expires: exp,
    authenticated: auth_time,
    methods: amr,
    ...(cnf && { key: cnf.jkt }),
  };
};

/** Milliseconds between two loads of the keys: after a successful one, and after a failed one. */
const keysMs = { good: 600_000, away: 5_000 };

/** The keys of the auth service. While it is down the last keys stay valid, so that new tokens can be verified. */
function keysAt(jwksUrl: string): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    cooldownDuration: keysMs.away,
    // The library would drop expired keys before it has new ones.
    cacheMaxAge: Infinity,
  });
  // The system clock may be set back.
  let due = performance.now() + keysMs.good;
  return async (header, token) => {
    if (performance.now() > due && keys.jwks()) {
      // One caller waits for the reload; the others use the current keys.
      due = performance.now() + keysMs.away;
      await keys.reload().then(
        () => (due = performance.now() + keysMs.good),
        () => undefined,
      );
    }
    return keys(header, token);
  };
}

const jwtForm = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** jose's error codes for an invalid token; other errors mean that verification was not possible. */
const aboutToken = /^ERR_(JWT|JWS|JWKS_NO_MATCHING|JWKS_MULTIPLE_MATCHING|JOSE_ALG|JOSE_NOT_SUPPORTED)/;

/** The failure of a verification: 401 for an invalid token, 503 when its keys could not be loaded. */
const tokenFailure = (error: unknown): Failure => {
  const wrongClaims = error instanceof z.ZodError;
  const wrongToken = error instanceof errors.JOSEError && aboutToken.test(error.code);
  return wrongClaims || wrongToken ? unauthorized('invalid_token') : unavailable(error);
};

/**
 * Creates the verifier: ES256 only, issuer and audience checked. Verified tokens are cached by header for at
 * most a minute, so that a retired signing key soon stops working; expiry is checked on every use.
 */
export function createBearerVerifier(options: BearerOptions) {
  const keys = options.keys ?? keysAt(options.jwksUrl);
  const now = options.now ?? (() => Math.floor(Date.now() / 1000));
  const verified = new LRUCache<string, Caller>({ max: options.cacheSize ?? 50_000, ttl: 60_000 });

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

  /** The cached caller of a header, without verification; undefined if it is not cached or has expired. */
  const known = (header: string | undefined): Caller | undefined => {
    const caller = header === undefined ? undefined : verified.get(header);
    return caller && caller.expires > now() ? caller : undefined;
  };

  /**
   * The caller of an `Authorization` header. Throws 401 for a missing or invalid token. A bound token has the scheme DPoP and
   * any other one Bearer (RFC 9449, 7.1); the proof is checked where the request arrives, by the gateway.
   */
  const fromHeader = async (header: string | undefined): Promise<Caller> => {
    const kept = known(header);
    if (kept) return kept;
    // RFC 6750 3.1: another scheme gets a challenge without an error code.
    if (!header || !/^(Bearer|DPoP)(\s|$)/i.test(header)) throw unauthorized('missing');
    const [scheme = '', token = '', ...rest] = header.split(' ');
    if (rest.length || token.length > 4096 || !jwtForm.test(token)) throw unauthorized('invalid_token');
    const caller = await verify(token).catch((error: unknown) => {
      throw tokenFailure(error);
    });
    if ((caller.key === undefined) === /^dpop$/i.test(scheme)) throw unauthorized('invalid_token');
    verified.set(header, caller);
    return caller;
  };

  return {
    fromHeader,
    known,
    /** The caller of an access token without its scheme, e.g. from the first message of a live-updates socket. */
    fromToken: (token: string, scheme: 'Bearer' | 'DPoP' = 'Bearer') => fromHeader(`${scheme} ${token}`),
  };
}

/**
 * Throws 403 for a valid token of the wrong kind: a staff token where a member calls, or one without the scope `staff` where staff
 * call. Not 401: clients refresh after 401, and a new token would be refused too.
 */
export function requireAccess({ id, scopes }: Caller, access: 'optional' | 'member' | 'staff'): void {
  const isAllowed = access === 'staff' ? scopes.includes('staff') : id > 0;
  if (!isAllowed) throw forbidden();
}

/** The sites on which a staff account has one of the roles; throws 403 when there is none. */
export function requireRole({ roles }: Caller, wanted: readonly StaffRole[]): StaffSites {
  const sites = sitesWith(roles, wanted);
  if (sites !== 'all' && !sites.size) throw forbidden();
  return sites;
}

/** Whether the sign-in is at most `maxAge` seconds old, as the token says. */
export const isRecentSignIn = ({ authenticated = 0 }: Caller, maxAge: number): boolean =>
  Date.now() / 1000 - authenticated <= maxAge;

/** Throws 401 when the sign-in is older than `maxAge` seconds or its time is not in the token. */
export function requireRecentSignIn(caller: Caller, maxAge: number): void {
  if (!isRecentSignIn(caller, maxAge)) throw recentSignInRequired(maxAge);
}
