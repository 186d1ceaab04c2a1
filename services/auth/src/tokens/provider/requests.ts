import { forbidden } from '@covalence/contract/failure';
import { parameterName } from '@covalence/contract/parameter-name';
import { normalizeNames, type Parameters } from '@covalence/http/names';
import type { Clock } from '@covalence/runtime/clock';
import type { Request, RequestHandler } from 'express';
import { decodeProtectedHeader } from 'jose';
import { stringify, type ParsedUrlQueryInput } from 'node:querystring';
import { Readable } from 'node:stream';
import type { AuthorizationServer } from './authorization-server.ts';
import { stateOf } from './request-state.ts';
import { maxAgeParameter } from './sign-in-policy.ts';

/** A parameter of a form or query. */
type Pair = [name: string, text: string];

/**
 * OAuth parameters are single texts; JSON numbers and booleans are converted. A list is the repeated name, which the
 * provider rejects (RFC 6749, 3.1). A map is ignored like any unknown parameter.
 */
function pairsOfOne(name: string, value: unknown): Pair[] {
  if (Array.isArray(value)) return value.flatMap((each) => pairsOfOne(name, each));
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isText ? [[name, String(value)]] : [];
}

/** Parameters under their OAuth names; later sources take precedence. */
function pairsOf(...sources: unknown[]): Pair[] {
  const named = sources.map((each) => normalizeNames((each ?? {}) as Parameters, parameterName));
  return Object.entries(Object.assign({}, ...named) as Parameters).flatMap(([name, value]) =>
    pairsOfOne(name, value),
  );
}

/** Sets the configured address on every request, because the provider builds its URLs from headers that clients control. */
export function atPublicAddress(issuer: string): RequestHandler {
  const { protocol, host } = new URL(issuer);
  const address = { host, 'x-forwarded-host': host, 'x-forwarded-proto': protocol.slice(0, -1) };
  return (request, _response, next) => {
    Object.assign(request.headers, address);
    // The gateway handles cross-origin requests; the provider would reject them.
    delete request.headers.origin;
    next();
  };
}

/** Parameters that must not appear in the address of a page. */
const secrets = new Set(['client_secret', 'client_assertion', 'code_verifier', 'password']);

/**
 * Redirects a POST to the same request as GET, with which browsers send their cookies. Secrets are dropped, because
 * histories and logs keep addresses.
 */
export const redirectToGet =
  (path: string): RequestHandler =>
  (request, response) => {
    const shown = pairsOf(request.query, request.body).filter(([name]) => !secrets.has(name));
    response
      .status(303)
      .set({ Location: `${path}?${new URLSearchParams(shown).toString()}`, 'Cache-Control': 'no-store' })
      .end();
  };

/** Codes are returned in the query only; another response mode is made unknown to get a query error. */
const inQueryOnly = ([name, text]: Pair): Pair =>
  name === 'response_mode' && text !== 'query' ? [name, 'unsupported'] : [name, text];

const withInternalName = ([name, text]: Pair): Pair => [name === 'max_age' ? maxAgeParameter : name, text];

/** A parameter of an authorization request as the provider takes it. */
const forProvider = (pair: Pair): Pair => withInternalName(inQueryOnly(pair));

/**
 * Refuses calls of scripts, by the header that browsers set (Fetch Metadata): with the cookie of the browser's session a script
 * of the same site would get a code without the person.
 */
export const refuseScripts: RequestHandler = (request, _response, next) => {
  next(request.get('Sec-Fetch-Dest') === 'empty' ? forbidden() : undefined);
};

/** Rewrites the query with the parameter names of the provider. */
export const rewriteQuery: RequestHandler = (request, _response, next) => {
  const pairs = pairsOf(request.query).map(forProvider);
  request.url = `${request.path}?${new URLSearchParams(pairs).toString()}`;
  // The provider compares the two to find its mount path.
  request.originalUrl = request.url;
  next();
};

/** Replaces the body by a form. */
function setForm(request: Request, pairs: readonly Pair[]): void {
  const form: Record<string, string | string[]> = Object.create(null) as object as Record<string, string>;
  for (const [name, text] of pairs) {
    const former = form[name];
    form[name] = former === undefined ? text : [former, text].flat();
  }
  request.body = form;
  request.headers['content-type'] = 'application/x-www-form-urlencoded';
  // An app that sends its access token with every request must be able to replace an expired one.
  if (/^(bearer|dpop) /i.test(request.headers.authorization ?? '')) delete request.headers.authorization;
}

/** Offers the form as a stream again: the parsers have read the request, and the provider warns of each form that is no stream. */
export function reopen(request: Request): void {
  const form = Buffer.from(stringify(request.body as ParsedUrlQueryInput));
  const stream = Readable.from([form]);
  Object.defineProperties(request, {
    readable: { value: true },
    iterator: { value: stream.iterator.bind(stream) },
  });
  request.headers['content-length'] = String(form.length);
}

/** Tokens have the scope of their client. Libraries send the configured scope again, which is ignored. */
const withoutScope = (body: unknown): Pair[] => pairsOf(body).filter(([name]) => name !== 'scope');

/** Turns any body into the form that the provider accepts. */
export const asForm: RequestHandler = (request, _response, next) => {
  setForm(request, withoutScope(request.body));
  next();
};

/** Turns the body of a pushed request into the form that the provider accepts. */
export const asAuthorizationForm: RequestHandler = (request, _response, next) => {
  setForm(request, withoutScope(request.body).map(forProvider));
  next();
};

/** Makes errors JSON for paths that programs call, because HTTP clients of Java prefer HTML by default. */
export const answerInJson: RequestHandler = (request, _response, next) => {
  request.headers.accept = 'application/json';
  next();
};

/** Records when a request arrived. */
export function recordArrival(clock: Clock): RequestHandler {
  return (request, response, next) => {
    stateOf(request).arrival = { at: clock(), isAborted: () => response.destroyed };
    next();
  };
}

/** Whether a token is an access token, which cannot be revoked by itself (RFC 7009, 2.2.1). */
function isAccessToken(token: string): boolean {
  try {
    return decodeProtectedHeader(token).typ === 'at+jwt';
  } catch {
    return false;
  }
}

/**
 * The form of POST /revoke with the reference inside the refresh token's envelope, because the provider rejects everything
 * that looks like a JWT. A token that is not ours is already invalid, which is no error (RFC 7009, 2.2).
 */
export function asRevocation(server: AuthorizationServer): RequestHandler {
  return async (request, _response, next) => {
    const { envelopes } = await server.current();
    const opened = (token: string): string => {
      if (isAccessToken(token)) return token;
      const { id, family } = envelopes.unwrapRefresh(token) ?? {};
      return id === undefined ? 'none' : `${id} ${family}`;
    };
    setForm(
      request,
      pairsOf(request.body).map(([name, text]) => [name, name === 'token' ? opened(text) : text]),
    );
    next();
  };
}
