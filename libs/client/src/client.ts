import createFetchClient, { type Client } from 'openapi-fetch';
import type { paths } from './api.ts';
import { serverTime, type DeviceKey } from './device-key.ts';
import { RecentSignInRequired, SignedOut, type Session } from './session.ts';
import { mayBeOneMember, type Tokens } from './tokens.ts';

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

async function authorized(
  request: Request,
  tokens: Tokens | undefined,
  deviceKey: DeviceKey | undefined,
): Promise<Request> {
  if (!tokens) return request;
  const { access_token: accessToken } = tokens;
  request.headers.set('Authorization', `${deviceKey ? 'DPoP' : 'Bearer'} ${accessToken}`);
  const { method, url } = request;
  if (deviceKey)
    request.headers.set('DPoP', await deviceKey.prove({ method, url, accessToken, at: serverTime(tokens) }));
  return request;
}

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
      const response = await send(await authorized(request, tokens, session.deviceKey));
      if (response.status !== 401) return response;
      refuseStepUp(response);
      if (!tokens) throw new SignedOut('nobody is signed in');
      const fresh = await session.refresh(tokens.access_token);
      if (!mayBeOneMember(tokens.access_token, fresh.access_token)) return response;
      const repeated = await send(await authorized(again, fresh, session.deviceKey));
      if (repeated.status === 401) refuseStepUp(repeated);
      return repeated;
    },
  });
}
