import type { Logger } from '@covalence/runtime/logger';
import { failureResponse, logError } from '@covalence/http/errors';
import { isUnavailableError } from '@covalence/runtime/unavailable-error';
import type { Provider } from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { carriedQuery } from '../../sign-in/pages/provider-pages.ts';
import { cookieNames } from '../sessions/cookies.ts';
import type { Envelopes } from '../envelope.ts';
import type { RefreshRotation } from '../families/refresh-rotation.ts';
import { notesOf } from './request-state.ts';

/** What the provider's answers are finished with. */
export interface AnswerDependencies {
  readonly envelopes: Envelopes;
  readonly rotation: RefreshRotation;
  readonly logger: Logger;
}

type Body = Record<string, unknown>;

const away = { error: 'temporarily_unavailable', error_description: 'try again in a moment' };

function answerUnavailable(context: KoaContextWithOIDC): void {
  context.status = 503;
  context.set('Retry-After', '2');
  if (context.oidc.route === 'token' || context.oidc.route === 'revocation') context.body = away;
}

/** RFC 6749 demands it of every answer with tokens, beside the interface's three fields. */
const tokenType = { token_type: 'Bearer' } as const;

/** The pair that an answer gives, its refresh token in the envelope. */
function pairOf(context: KoaContextWithOIDC, body: Body, envelopes: Envelopes): Body {
  const { access_token, refresh_token, expires_in } = body;
  const { grantId: family = '', expiration = 0 } = context.oidc.entities.RefreshToken ?? {};
  return {
    access_token,
    refresh_token: envelopes.wrapRefresh(String(refresh_token), family, expiration),
    expires_in,
    ...tokenType,
  };
}

const refused = { error: 'invalid_grant', error_description: 'grant request is invalid' };

/** Gives the same pair as before for a repeated refresh, and writes what a refresh changes together with its answer. */
async function finishToken(context: KoaContextWithOIDC, dependencies: AnswerDependencies): Promise<void> {
  const { envelopes, rotation } = dependencies;
  const clientId = context.oidc.client?.clientId ?? '';
  const notes = notesOf(context.req);
  if (context.status !== 200) {
    if (notes.answer?.clientId !== clientId) return;
    context.status = 200;
    // The version before kept answers without the type.
    context.body = { ...notes.answer.body, ...tokenType };
    return;
  }
  const body = pairOf(context, context.body as Body, envelopes);
  const used = context.oidc.entities.RotatedRefreshToken;
  const grace = Number(context.oidc.client?.['refresh_grace_seconds']);
  const answer = used ? await rotation.complete(used.jti, { clientId, body }, grace, notes) : { body };
  context.status = answer ? 200 : 400;
  context.body = answer ? { ...answer.body, ...tokenType } : refused;
}

const locationOf = (context: KoaContextWithOIDC): string | undefined =>
  context.response.get('Location') || undefined;

/** OAuth wants errors of unsupported response types in the fragment; clients of the interface look in the query. */
function errorInQuery(location: string): string {
  const separator = location.includes('?') ? '&' : '?';
  return location.replace('#error=', `${separator}error=`);
}

/** Puts the code of an answer into its envelope, and errors into the query. */
function finishRedirect(context: KoaContextWithOIDC, { envelopes }: AnswerDependencies): void {
  const id = context.oidc.entities.AuthorizationCode?.jti;
  // The id is random: it occurs nowhere else in an address or a page.
  const code = id && envelopes.wrapCode(id);
  const withCode = (text: string) => (id && code ? text.replace(id, code) : text);
  const location = locationOf(context);
  if (location) context.set('Location', errorInQuery(withCode(location)));
  else if (typeof context.body === 'string') context.body = withCode(context.body);
}

/** Takes the result of a sign-in from the browser, which has gone on with it. */
function finishResume(context: KoaContextWithOIDC, dependencies: AnswerDependencies): void {
  finishRedirect(context, dependencies);
  if (!context.oidc.entities.AuthorizationCode) return;
  const { issuer } = context.oidc;
  const expired = { path: context.path, signed: false, httpOnly: true, sameSite: 'lax' } as const;
  context.cookies.set(cookieNames(issuer).result, null, expired);
}

/** Leads to our own last page by its path, which reaches it under every name that this server is known by, and in the same look. */
function finishSignOut(context: KoaContextWithOIDC): void {
  const location = locationOf(context);
  const own = `${new URL(context.oidc.issuer).origin}/session/`;
  if (!location?.startsWith(own)) return;
  const path = location.slice(own.length - '/session/'.length);
  context.set('Location', path + carriedQuery(context.query));
}

/** Whoever has no session is signed out already: the last page at once, and neither a question nor a cookie for it. */
async function finishSignOutQuestion(context: KoaContextWithOIDC): Promise<void> {
  const { session } = context.oidc;
  if (context.status !== 200 || !session || session.accountId !== undefined) return;
  await session.destroy();
  context.response.remove('Set-Cookie');
  context.status = 303;
  context.set('Location', `/session/end/success${carriedQuery(context.query)}`);
  context.body = '';
}

/** Names no scope that gives nothing: there are no ID tokens, which `openid` would ask for. */
function finishDiscovery(context: KoaContextWithOIDC): void {
  const body = context.body as Body;
  const methods = body['token_endpoint_auth_methods_supported'];
  context.body = {
    ...body,
    scopes_supported: ['member', 'staff'],
    response_modes_supported: ['query'],
    // RFC 8414 takes Basic alone where nothing is said.
    revocation_endpoint_auth_methods_supported: methods,
  };
}

type Finish = (context: KoaContextWithOIDC, dependencies: AnswerDependencies) => Promise<void> | void;

const finishes: Record<string, Finish> = {
  discovery: finishDiscovery,
  token: finishToken,
  authorization: finishRedirect,
  resume: finishResume,
  end_session: finishSignOutQuestion,
  end_session_confirm: finishSignOut,
};

/**
 * What the provider says, as the contract wants it: codes and refresh tokens in their envelopes, the pair's exact fields,
 * the same answer for a repeated refresh, 503 when a store is away, which uses no code up, and a challenge on every 401.
 */
export function finishAnswers(provider: Provider, dependencies: AnswerDependencies): void {
  const { logger } = dependencies;
  const answer = async (context: KoaContextWithOIDC, next: () => Promise<unknown>): Promise<void> => {
    try {
      await next();
      await finishes[context.oidc.route]?.(context, dependencies);
    } catch (error) {
      logError(logger, error);
      if (context.oidc.route === 'token' && isUnavailableError(error)) return answerUnavailable(context);
      const { status, headers, body } = failureResponse(error);
      Object.assign(context, { status, body });
      context.set(headers);
    }
    if (context.status === 401 && !context.response.get('WWW-Authenticate'))
      context.set('WWW-Authenticate', 'Bearer realm="covalence"');
  };
  provider.use(async (context, next) => {
    await answer(context as KoaContextWithOIDC, next);
    const { giveCodeBack } = notesOf(context.req);
    // It gave nothing, and whoever tries again in a moment is no thief.
    if (context.status >= 500) await giveCodeBack?.().catch((error: unknown) => logError(logger, error));
  });
  provider.on('server_error', (context, error) => {
    logError(logger, error);
    if (isUnavailableError(error)) answerUnavailable(context);
  });
}
