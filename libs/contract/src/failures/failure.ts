/** A part of a structured parameter that is not valid. */
export interface Problem {
  /** Names and numbers on the way to it, joined by dots; empty for the whole. */
  readonly path: string;
  readonly problem: string;
}

/** Details of a failure beside its `fail` text. */
export interface FailureDetails {
  /** Problems of a structured parameter, for its author. */
  readonly problems?: readonly Problem[];
  /** Codes of the failed parameters, if they have any. */
  readonly failcode?: readonly number[];
  /** Response headers, e.g. Retry-After or WWW-Authenticate. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The internal cause: logged, never sent. */
  readonly cause?: unknown;
}

/** The one error type that operations throw. Any other error is a defect: 500 without internal details. */
export class Failure extends Error {
  readonly status: number;
  readonly failcode: readonly number[] | undefined;
  readonly problems: readonly Problem[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, text: string, details: FailureDetails = {}) {
    super(text, { cause: details.cause });
    this.name = 'Failure';
    this.status = status;
    this.failcode = details.failcode?.length ? [...new Set(details.failcode)] : undefined;
    this.problems = details.problems;
    this.headers = details.headers ?? {};
  }
}

/** Creates failures without codes and headers. */
const plain = (status: number, text: string) => (): Failure => new Failure(status, text);

/** 403 Invalid Argument with the codes of the failed parameters, if they have any. */
export function invalidArgument(...codes: number[]): Failure {
  return new Failure(403, 'Invalid Argument', { failcode: codes });
}

/** 403 Invalid Argument with what is wrong with a structured parameter. */
export function invalidParts(problems: readonly Problem[]): Failure {
  return new Failure(403, 'Invalid Argument', { problems });
}

/** 409: what a call changes has changed since it was read. */
export const conflicting = plain(409, 'Conflict');

/** 403 Deactivated: the member is deactivated until the next login with credentials given twice. */
export const deactivated = plain(403, 'Deactivated');

/** 403 for a valid token without the right, e.g. a /staff call without the scope `staff`. */
export const forbidden = plain(403, 'Forbidden');

/** 403 without code: the site lets only members with a confirmed email address like and write. */
export const emailNotConfirmed = plain(403, 'E-Mail Address Not Confirmed');

/** 400 for a request that does not parse. */
export function badRequest(cause?: unknown): Failure {
  return new Failure(400, 'Bad Request', { cause });
}

/** 404 for a route or a resource that does not exist. */
export const notFound = plain(404, 'Not Found');

/** The value that was found. Throws 404 where it is null or undefined. */
export function orNotFound<Found>(found: Found | null | undefined): Found {
  if (found === null || found === undefined) throw notFound();
  return found;
}

/** 405 with the methods that are allowed. */
export function methodNotAllowed(allowed: readonly string[]): Failure {
  return new Failure(405, 'Method Not Allowed', { headers: { Allow: allowed.join(', ') } });
}

/** 413 for a body that is too large. */
export const payloadTooLarge = plain(413, 'Payload Too Large');

/** 415 for a body of an unsupported media type. */
export const unsupportedMediaType = plain(415, 'Unsupported Media Type');

/** 503 with Retry-After: a store or another service is unavailable. */
export function unavailable(cause?: unknown): Failure {
  return new Failure(503, 'Service Unavailable', { headers: { 'Retry-After': '2' }, cause });
}

/** 429 with Retry-After in seconds. */
export function tooManyRequests(retryAfter: number): Failure {
  return new Failure(429, 'Too Many Requests', {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfter))) },
  });
}

/** Reason of a 401: no token, one that is malformed, expired or revoked (RFC 6750), or no proof of its key (RFC 9449). */
export type TokenProblem = 'missing' | 'invalid_token' | 'invalid_dpop_proof';

const tokenChallenges: Record<TokenProblem, string> = {
  missing: 'Bearer realm="covalence"',
  invalid_token:
    'Bearer realm="covalence", error="invalid_token", error_description="The access token is invalid or expired"',
  invalid_dpop_proof:
    'DPoP realm="covalence", error="invalid_dpop_proof", error_description="The DPoP proof is missing or not of this call", algs="ES256 Ed25519 EdDSA"',
};

/** 401 with the challenge of RFC 9470: the sign-in is older than `maxAge` seconds. Only /authorize with `max_age` helps. */
export function recentSignInRequired(maxAge: number): Failure {
  const problem =
    'error="insufficient_user_authentication", error_description="A more recent sign-in is required"';
  return new Failure(401, 'Recent Sign-In Required', {
    headers: { 'WWW-Authenticate': `Bearer realm="covalence", ${problem}, max_age="${maxAge}"` },
  });
}

/** 401 with its challenge; without `error` if the request had no token. */
export function unauthorized(problem: TokenProblem): Failure {
  return new Failure(401, 'Unauthorized', {
    headers: { 'WWW-Authenticate': tokenChallenges[problem] },
  });
}
