import { failureResponse, logError } from '@covalence/http/errors';
import { isUnavailableError } from '@covalence/runtime/unavailable-error';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader } from 'jose';
import { texts } from '../../localization/presentation.ts';
import type { Family } from '../families/family-store.ts';
import type { CheckedSubject } from '../families/refresh-rotation.ts';
import { cookieNames } from '../sessions/cookies.ts';
import { pageQuery } from '../sessions/page-query.ts';
import { createPromptName } from '../sessions/sign-in-result.ts';
import { restoreCode } from './adapters.ts';
import type { ProviderDependencies } from './dependencies.ts';
import { stateOf } from './request-state.ts';

/** Grant type of RFC 8693. */
export const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** Type of the token that an exchange issues. */
export const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';

type Body = Record<string, unknown>;

/** Answers 503; a page keeps its text. */
function respondUnavailable(context: KoaContextWithOIDC): void {
  context.status = 503;
  context.set('Retry-After', '2');
  if (typeof context.body !== 'string')
    context.body = {
      error: 'temporarily_unavailable',
      error_description: 'try again in a moment',
      fail: 'Service Unavailable',
    };
}

/** The `fail` of an OAuth error: that of `invalid_grant` is `Invalid Grant`. */
const failOf = (error: string): string =>
  error
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

/** Gives an OAuth error the fields that every failure of the interface has. */
function addFail(context: KoaContextWithOIDC): void {
  const body = context.body as Body | undefined;
  const error = body?.['error'];
  if (context.status < 400 || typeof error !== 'string') return;
  const fields = context.status === 500 ? failureResponse(new Error(error)).body : { fail: failOf(error) };
  context.body = { ...fields, ...body };
}

/** The refresh token of a response in its envelope; one that is not rotated comes back as it was sent. */
function refreshTokenOf({ oidc, body }: KoaContextWithOIDC, { envelopes }: ProviderDependencies): string {
  const { refresh_token: token } = body as Body;
  if (token === oidc.params?.['refresh_token']) return String(token);
  const { grantId: family = '', expiration = 0 } = oidc.entities.RefreshToken ?? {};
  return envelopes.wrapRefresh(String(token), family, expiration);
}

/** The fields of the token response; RFC 6749 requires `token_type`, and RFC 8693 `issued_token_type` after an exchange. */
function tokenResponse(context: KoaContextWithOIDC, dependencies: ProviderDependencies): Body {
  const { access_token, expires_in, token_type } = context.body as Body;
  const refresh_token = refreshTokenOf(context, dependencies);
  const issued_token_type = stateOf(context.req).exchange ? accessTokenType : undefined;
  return { access_token, refresh_token, expires_in, token_type, issued_token_type };
}

/** Seconds for which the provider takes a proof. */
const proofSeconds = 300;

/**
 * Whether a request proves the key that the refresh tokens of a family are bound to, with a proof that was not used. The provider has
 * checked the proof before it looked for the token, except for that.
 */
async function holdsKey(
  { req, oidc }: KoaContextWithOIDC,
  family: Family | undefined,
  { clock }: ProviderDependencies,
): Promise<boolean> {
  const { jkt } = JSON.parse(family?.token ?? '{}') as { jkt?: string };
  if (jkt === undefined) return true;
  const proof = req.headers['dpop'];
  if (typeof proof !== 'string') return false;
  const { jwk } = decodeProtectedHeader(proof);
  const { jti = '' } = decodeJwt(proof);
  if (jwk === undefined || (await calculateJwkThumbprint(jwk)) !== jkt) return false;
  const expires = Math.floor(clock().getTime() / 1000) + proofSeconds;
  return oidc.provider.ReplayDetection.unique(oidc.client?.clientId ?? '', jti, expires);
}

/**
 * Stores the tokens of a refresh together with its response, or that a token was used that is not rotated. Resolves with
 * the response, which is that of a faster request for a token that both exchange; undefined for a revoked family.
 */
async function storeRefresh(
  context: KoaContextWithOIDC,
  body: Body,
  { rotation, tokens }: ProviderDependencies,
): Promise<Body | undefined> {
  const { client, account, entities } = context.oidc;
  const { family, next } = stateOf(context.req);
  const { checkedAt } = (account as Partial<CheckedSubject> | undefined) ?? {};
  if (!family || !checkedAt) throw new Error('a refresh without its sign-in');
  const used = entities.RotatedRefreshToken?.jti;
  if (used === undefined) return (await tokens.families.use(family._id, checkedAt)) ? body : undefined;
  if (!next) throw new Error('a refresh without its tokens');
  const completed = await rotation.complete({
    used,
    family,
    next,
    checkedAt,
    response: { clientId: client?.clientId ?? '', body },
    graceSeconds: Number(client?.['refresh_grace_seconds']),
  });
  return completed?.body;
}

/** Gives a token response its fields, and repeats the first response for a retried refresh. */
async function finishToken(context: KoaContextWithOIDC, dependencies: ProviderDependencies): Promise<void> {
  const { client, params } = context.oidc;
  if (context.status !== 200) {
    const { repeated, family } = stateOf(context.req);
    if (repeated && repeated.clientId === client?.clientId && (await holdsKey(context, family, dependencies)))
      Object.assign(context, { status: 200, body: repeated.body });
    return;
  }
  const body = tokenResponse(context, dependencies);
  const isRefresh = params?.['grant_type'] === 'refresh_token';
  const stored = isRefresh ? await storeRefresh(context, body, dependencies) : body;
  context.status = stored ? 200 : 400;
  context.body = stored ?? { error: 'invalid_grant', error_description: 'grant request is invalid' };
}

const locationOf = (context: KoaContextWithOIDC): string | undefined =>
  context.response.get('Location') || undefined;

/** OAuth puts errors of unsupported response types into the fragment; clients of this interface read the query. */
function errorInQuery(location: string): string {
  const separator = location.includes('?') ? '&' : '?';
  return location.replace('#error=', `${separator}error=`);
}

/** Puts the code of a redirect into its envelope, and errors into the query. */
function finishRedirect(context: KoaContextWithOIDC, { envelopes }: ProviderDependencies): void {
  const id = context.oidc.entities.AuthorizationCode?.jti;
  // The id is random: it occurs nowhere else in a URL or page.
  const code = id && envelopes.wrapCode(id);
  const withCode = (text: string) => (id && code ? text.replace(id, code) : text);
  const location = locationOf(context);
  if (location) context.set('Location', errorInQuery(withCode(location)));
  else if (typeof context.body === 'string') context.body = withCode(context.body);
}

/** Removes the sign-in result from the browser once it has its code. */
function finishResume(context: KoaContextWithOIDC, dependencies: ProviderDependencies): void {
  finishRedirect(context, dependencies);
  if (!context.oidc.entities.AuthorizationCode) return;
  const expired = { path: context.path, signed: false, httpOnly: true, sameSite: 'lax' } as const;
  context.cookies.set(cookieNames(context.oidc.issuer).result, null, expired);
}

/** Redirects to the last page by its path, which works under every host name of this server, with site and locale. */
function finishSignOut(context: KoaContextWithOIDC): void {
  const location = locationOf(context);
  const { origin } = new URL(context.oidc.issuer);
  if (location?.startsWith(`${origin}/session/`))
    context.set('Location', location.slice(origin.length) + pageQuery(context.query));
}

/** An address after a sign-out with the `state` of its request. */
export function withState(address: string, state: unknown): string {
  if (typeof state !== 'string') return address;
  const url = new URL(address);
  url.searchParams.set('state', state);
  return url.href;
}

/** Without a session, leads back to the app or to the last page at once, without a question or a cookie. */
async function finishSignOutQuestion(context: KoaContextWithOIDC): Promise<void> {
  const { session } = context.oidc;
  if (context.status !== 200 || !session || session.accountId !== undefined) return;
  await session.destroy();
  context.response.remove('Set-Cookie');
  const { post_logout_redirect_uri: after, state } = context.oidc.params ?? {};
  const last = `/session/end/success${pageQuery(context.query)}`;
  context.status = 303;
  context.set('Location', typeof after === 'string' ? withState(after, state) : last);
  context.body = '';
}

/** Lists only what is supported: there are no ID tokens, which `openid` would ask for. */
function finishDiscovery(context: KoaContextWithOIDC, { identities }: ProviderDependencies): void {
  const body = context.body as Body;
  const grantTypes = body['grant_types_supported'] as string[];
  context.body = {
    ...body,
    grant_types_supported: identities.providers.size ? [...grantTypes, tokenExchange] : grantTypes,
    scopes_supported: ['member', 'staff'],
    response_modes_supported: ['query'],
    prompt_values_supported: ['none', 'login', createPromptName],
    ui_locales_supported: Object.keys(texts).map((locale) => locale.replace('_', '-')),
    // Without this field, RFC 8414 means Basic only.
    revocation_endpoint_auth_methods_supported: body['token_endpoint_auth_methods_supported'],
  };
}

type Finish = (context: KoaContextWithOIDC, dependencies: ProviderDependencies) => Promise<void> | void;

const finishes: Record<string, Finish> = {
  discovery: finishDiscovery,
  token: finishToken,
  authorization: finishRedirect,
  resume: finishResume,
  end_session: finishSignOutQuestion,
  end_session_confirm: finishSignOut,
};

/**
 * Adapts the provider's responses to the interface: envelopes around codes and refresh tokens, the exact fields of
 * the token response, the same response for a retried refresh, `fail` with every error, a challenge with every 401, and
 * 503 when a store is down, which does not use up a code.
 */
export function finishResponses(provider: Provider, dependencies: ProviderDependencies): void {
  const { logger, tokens } = dependencies;
  const logged = (error: unknown) => logError(logger, error);
  const respond = async (context: KoaContextWithOIDC, next: () => Promise<unknown>): Promise<void> => {
    try {
      await next();
      await finishes[context.oidc.route]?.(context, dependencies);
    } catch (error) {
      logged(error);
      if (context.oidc.route === 'token' && isUnavailableError(error)) return respondUnavailable(context);
      const { status, headers, body } = failureResponse(error);
      Object.assign(context, { status, body: status === 500 ? { error: 'server_error', ...body } : body });
      context.set(headers);
    }
    addFail(context);
    if (context.status === 401 && !context.response.get('WWW-Authenticate'))
      context.set('WWW-Authenticate', 'Bearer realm="covalence"');
  };
  provider.use(async (context, next) => {
    await respond(context as KoaContextWithOIDC, next);
    if (context.status >= 500) await restoreCode(context.req, tokens.sessions).catch(logged);
    await stateOf(context.req)
      .settle?.(context.status === 200)
      .catch(logged);
  });
  provider.on('server_error', (context, error) => {
    logged(error);
    if (isUnavailableError(error)) respondUnavailable(context);
  });
}
