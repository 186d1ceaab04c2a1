import type { Session } from './session.ts';
import type { Tokens } from './tokens.ts';

/** How a sign-in begins. */
export interface SignInOptions {
  /** {auth_url}: the Authorization Server's address. */
  readonly authUrl: string;
  readonly clientId: string;
  /** One of those registered. */
  readonly redirectUri: string;
  /** Site to sign in on; recommended where it is known. */
  readonly siteid?: number;
  /** language_COUNTRY of the pages. */
  readonly locale?: string;
  readonly platform?: 'app_android' | 'app_ios' | 'web';
  /** Shows the form although the browser is signed in: after a sign-out of the app, or for another account. */
  readonly prompt?: 'login';
  /** Seconds: shows the form where the browser's sign-in is older, e.g. the `maxAge` of a RecentSignInRequired. */
  readonly maxAge?: number;
}

/** A sign-in that has begun; keep all of it until the member comes back. */
export interface SignIn {
  /** To be opened in the system browser. */
  readonly url: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly verifier: string;
}

/** The sign-in came back without a code: the member gave up, or the request was not good. */
export class SignInFailed extends Error {
  override readonly name = 'SignInFailed';
}

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const secret = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** Begins a sign-in with PKCE (RFC 7636, S256) and a state of its own. */
export async function beginSignIn(options: SignInOptions): Promise<SignIn> {
  const { authUrl, clientId, redirectUri, siteid, locale, platform, prompt, maxAge } = options;
  const [state, verifier] = [secret(), secret()];
  const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const url = new URL('/authorize', authUrl);
  url.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    state,
    code_challenge: base64url(new Uint8Array(challenge)),
    code_challenge_method: 'S256',
    ...(siteid !== undefined && { siteid: String(siteid) }),
    ...(locale !== undefined && { locale }),
    ...(platform !== undefined && { platform }),
    ...(prompt !== undefined && { prompt }),
    ...(maxAge !== undefined && { max_age: String(maxAge) }),
  }).toString();
  return { url: url.href, redirectUri, state, verifier };
}

/** Ends a sign-in with the address that the browser came back to; call it at once, a code is good for 10 seconds. */
export async function finishSignIn(session: Session, begun: SignIn, cameBackTo: string): Promise<Tokens> {
  const parameters = new URL(cameBackTo).searchParams;
  // Somebody else's sign-in must not become this member's.
  if (parameters.get('state') !== begun.state) throw new SignInFailed('the state is not ours');
  const code = parameters.get('code');
  if (!code) throw new SignInFailed(parameters.get('error') ?? 'no code');
  return session.exchange({ code, redirectUri: begun.redirectUri, verifier: begun.verifier });
}
