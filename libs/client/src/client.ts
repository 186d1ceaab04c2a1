import createFetchClient, { type Client } from 'openapi-fetch';
import type { paths } from './api.ts';
import { RecentSignInRequired, SignedOut, type Session } from './session.ts';
import { mayBeOneMember } from './tokens.ts';

/** Settings of a client. */
export interface ClientOptions {
  /** The base URL of the API. */
  readonly baseUrl: string;
  readonly session: Session;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Calls of the API, typed by its OpenAPI document: `client.POST('/like', { body: { profileid: 1002 } })`. */
export type CovalenceClient = Client<paths>;

const authorized = (request: Request, accessToken: string | undefined): Request => {
  if (accessToken !== undefined) request.headers.set('Authorization', `Bearer ${accessToken}`);
  return request;
};

/** The challenge of RFC 9470 in a 401: the token is valid, and its sign-in is too old. */
const stepUp = /\berror="insufficient_user_authentication"/;

/** Throws when a 401 requires a more recent sign-in: refreshed tokens would be refused too. */
function refuseStepUp(response: Response): void {
  const challenge = response.headers.get('WWW-Authenticate') ?? '';
  if (!stepUp.test(challenge)) return;
  throw new RecentSignInRequired(Number(/\bmax_age="?(\d+)/.exec(challenge)?.[1] ?? 0));
}

/**
 * Creates a client whose calls carry the session's access token. After a 401 the tokens are refreshed, once for all waiting
 * calls, and the call is retried once, unless another member has signed in meanwhile. Throws SignedOut when the call needs a
 * sign-in and there is none, and RecentSignInRequired when it needs a more recent one.
 */
export function createClient({ baseUrl, session, fetch: customFetch }: ClientOptions): CovalenceClient {
  const send = (request: Request) => (customFetch ?? fetch)(request);
  return createFetchClient<paths>({
    baseUrl,
    async fetch(request) {
      // A body can be read only once, and the call may be retried.
      const again = request.clone();
      const tokens = await session.tokens();
      const response = await send(authorized(request, tokens?.access_token));
      if (response.status !== 401) return response;
      refuseStepUp(response);
      if (!tokens) throw new SignedOut('nobody is signed in');
      const fresh = await session.refresh(tokens.access_token);
      if (!mayBeOneMember(tokens.access_token, fresh.access_token)) return response;
      const repeated = await send(authorized(again, fresh.access_token));
      if (repeated.status === 401) refuseStepUp(repeated);
      return repeated;
    },
  });
}
