import { parameterName } from '@covalence/contract/parameter-name';
import { normalizeNames, type Parameters } from '@covalence/http/names';
import type { Request, RequestHandler } from 'express';
import { decodeProtectedHeader } from 'jose';
import type { Context } from '../../context.ts';
import { maxAgeParameter } from './max-age.ts';
import { notesOf } from './request-state.ts';

const formType = 'application/x-www-form-urlencoded';

/** A parameter as it stands in a form or a query. */
type Pair = [name: string, text: string];

/**
 * A parameter of OAuth is one text; numbers and booleans of a JSON body are read as such. A list is the name repeated, which the provider
 * refuses in OAuth's words (RFC 6749 3.1, 3.2). A map is what a form sends as `name[…]`: ignored, as everything unknown is.
 */
function pairsOfOne(name: string, value: unknown): Pair[] {
  if (Array.isArray(value)) return value.flatMap((each) => pairsOfOne(name, each));
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isText ? [[name, String(value)]] : [];
}

/** Parameters by the names that OAuth knows; of one that is in several of these, the last counts. */
function pairsOf(...several: unknown[]): Pair[] {
  const named = several.map((each) => normalizeNames((each ?? {}) as Parameters, parameterName));
  return Object.entries(Object.assign({}, ...named) as Parameters).flatMap(([name, value]) =>
    pairsOfOne(name, value),
  );
}

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

/** What an app may send with everything, and what is not to stand in the address of a page. */
const secrets = new Set(['client_secret', 'client_assertion', 'code_verifier', 'password']);

const isShown = ([name]: Pair): boolean => !secrets.has(name);

/**
 * 303 to the same request as GET, which browsers send their cookies with: POST /authorize, POST /session/end. Secrets stay
 * behind: an address is kept in histories and logs.
 */
export const byGet =
  (path: string): RequestHandler =>
  (request, response) => {
    const query = new URLSearchParams(pairsOf(request.query, request.body).filter(isShown));
    response
      .status(303)
      .set({ Location: `${path}?${query.toString()}`, 'Cache-Control': 'no-store' })
      .end();
  };

/**
 * Codes come back in the query alone. The provider refuses a response mode that it does not know in the query, and would refuse
 * one that it knows, e.g. `form_post`, in that mode.
 */
const inQueryAlone = ([name, text]: Pair): Pair =>
  name === 'response_mode' && text !== 'query' ? [name, 'unsupported'] : [name, text];

const withOwnName = ([name, text]: Pair): Pair => [name === 'max_age' ? maxAgeParameter : name, text];

/** The query by the names that the provider knows. */
export const asQuery: RequestHandler = (request, _response, next) => {
  const pairs = pairsOf(request.query).map(inQueryAlone).map(withOwnName);
  request.url = `${request.path}?${new URLSearchParams(pairs).toString()}`;
  // The provider compares the two, to find out where it is mounted.
  request.originalUrl = request.url;
  next();
};

/** Lets a request be read once more, as this form; the provider reads bodies itself and warns where it cannot. */
function giveForm(request: Request, pairs: readonly Pair[]): void {
  const form = Object.fromEntries(pairs);
  const bytes = Buffer.from(new URLSearchParams([...pairs]).toString());
  delete request.headers['transfer-encoding'];
  Object.assign(request.headers, { 'content-type': formType, 'content-length': String(bytes.length) });
  Object.defineProperties(request, {
    readable: { value: true, configurable: true },
    iterator: { value: () => [bytes], configurable: true },
  });
  request.body = form;
  // An app that sends its access token with everything shall still be able to replace an expired one.
  if (/^bearer /i.test(request.headers.authorization ?? '')) delete request.headers.authorization;
}

/** Hands the body to the provider as the form that it insists on, whatever it was sent as. */
export const asForm: RequestHandler = (request, _response, next) => {
  // Tokens have the scope of their client, and no other is refused: libraries repeat the one that they were set up with.
  giveForm(
    request,
    pairsOf(request.body).filter(([name]) => name !== 'scope'),
  );
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
 * The form of POST /revoke, its token out of the envelope. One that is no refresh token of ours, e.g. because its key has gone, is
 * over already, which is no error (RFC 7009, 2.2); the provider makes one of everything that looks like a JWT.
 */
export function asRevocation({ oidc }: Context): RequestHandler {
  return async (request, _response, next) => {
    const { envelopes } = await oidc.current();
    const opened = (sent: string): string => {
      const token = envelopes.unwrapRefresh(sent);
      if (token) notesOf(request).revoked = token;
      return isAccessToken(sent) ? sent : (token?.id ?? 'none');
    };
    const pairs = pairsOf(request.body);
    giveForm(
      request,
      pairs.map(([name, text]) => [name, name === 'token' ? opened(text) : text]),
    );
    next();
  };
}
