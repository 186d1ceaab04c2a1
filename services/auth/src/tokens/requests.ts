import { Failure } from '@covalence/contract/failure';
import { normalizeNames, type Parameters } from '@covalence/http/names';
import type { RequestHandler } from 'express';
import { decodeProtectedHeader } from 'jose';
import type { IncomingMessage } from 'node:http';
import type { Context } from '../context.ts';
import { notesOf } from './request-notes.ts';

const formType = 'application/x-www-form-urlencoded';

const simpleName = (name: string) => name.toLowerCase().replaceAll('-', '_');

/** The parameters that mean something here, in requests of every kind. */
const known: ReadonlySet<string> = new Set([
  'client_id',
  'client_secret',
  'code',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'grant_type',
  'locale',
  'logout',
  'platform',
  'post_logout_redirect_uri',
  'prompt',
  'redirect_uri',
  'refresh_token',
  'resource',
  'response_mode',
  'response_type',
  'scope',
  'siteid',
  'state',
  'token',
  'token_type_hint',
  'xsrf',
]);

/**
 * A parameter of OAuth is one text; numbers and booleans of a JSON body are read as such. Lists and maps are refused
 * where a parameter is known, and ignored as everything unknown is (RFC 6749 3.1, 3.2).
 */
function textOf(name: string, value: unknown): [string, string][] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') return [[name, value]];
  if (typeof value === 'number' || typeof value === 'boolean') return [[name, String(value)]];
  if (known.has(name)) throw new Failure(400, 'Bad Request');
  return [];
}

const textsOf = (parameters: unknown): Record<string, string> => {
  const named = normalizeNames((parameters ?? {}) as Parameters, simpleName);
  return Object.fromEntries(Object.entries(named).flatMap(([name, value]) => textOf(name, value)));
};

/**
 * Makes every request look as if it had come to the configured address. The provider builds its addresses from these
 * headers, and no client shall have a say in them.
 */
export function atPublicAddress({ config }: Context): RequestHandler {
  const { protocol, host } = new URL(config.AUTH_PUBLIC_URL);
  const seen = { host, 'x-forwarded-host': host, 'x-forwarded-proto': protocol.slice(0, -1) };
  return (request, _response, next) => {
    Object.assign(request.headers, seen);
    // The gateway answers cross-origin requests; the provider would refuse them.
    delete request.headers.origin;
    next();
  };
}

/** 303 to the same request as GET, which browsers send their cookies with: POST /authorize (spec 4.1), POST /session/end. */
export const byGet =
  (path: string): RequestHandler =>
  (request, response) => {
    const query = new URLSearchParams({ ...textsOf(request.query), ...textsOf(request.body) });
    response
      .status(303)
      .set({ Location: `${path}?${query.toString()}`, 'Cache-Control': 'no-store' })
      .end();
  };

/** Lets a request be read once more, as this form; the provider reads bodies itself and warns where it cannot. */
function giveBody(request: IncomingMessage, form: Record<string, string>): void {
  const bytes = Buffer.from(new URLSearchParams(form).toString());
  delete request.headers['transfer-encoding'];
  Object.assign(request.headers, { 'content-type': formType, 'content-length': String(bytes.length) });
  Object.defineProperties(request, {
    readable: { value: true, configurable: true },
    iterator: { value: () => [bytes], configurable: true },
  });
}

/** Hands the body to the provider as the form that it insists on, whatever it was sent as (D1). */
export const asForm: RequestHandler = (request, _response, next) => {
  const form = textsOf(request.body);
  request.body = form;
  notesOf(request).hasVerifier = form['code_verifier'] !== undefined;
  giveBody(request, form);
  // An app that sends its access token with everything shall still be able to replace an expired one.
  if (/^bearer /i.test(request.headers.authorization ?? '')) delete request.headers.authorization;
  next();
};

/** Notes how a request came in. */
export function noteArrival({ now }: Context): RequestHandler {
  return (request, response, next) => {
    notesOf(request).arrival = { at: now(), isAbandoned: () => response.destroyed };
    next();
  };
}

/** Whether it is, or pretends to be, an access token: those are not revoked by themselves, and whoever tries is told (RFC 7009, 2.2.1). */
function isAccessToken(token: string): boolean {
  try {
    return decodeProtectedHeader(token).typ === 'at+jwt';
  } catch {
    return false;
  }
}

/**
 * Takes the token of POST /revoke out of its envelope. One that is no refresh token of ours, e.g. because its key has gone, is
 * over already, which is no error (RFC 7009, 2.2); the provider makes one of everything that looks like a JWT.
 */
export function unwrapToken(context: Context): RequestHandler {
  return async (request, _response, next) => {
    const body = request.body as Record<string, string>;
    const { envelopes } = await context.oidc.current();
    const sent = body['token'];
    const token = sent === undefined ? undefined : envelopes.unwrapRefresh(sent);
    if (token) notesOf(request).revoked = token;
    if (sent !== undefined && !isAccessToken(sent))
      giveBody(request, { ...body, token: token?.id ?? 'none' });
    next();
  };
}
