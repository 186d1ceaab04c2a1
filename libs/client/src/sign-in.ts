import type { Session } from './session.ts';
import type { Tokens } from './tokens.ts';

/** Parameters of a sign-in. */
export interface SignInOptions {
  /** The URL of the authorization server. */
  readonly authUrl: string;
  readonly clientId: string;
  /** One of the registered redirect URIs. */
  readonly redirectUri: string;
  /** The site to sign in on; recommended when it is known. */
  readonly siteid?: number;
  /** language_COUNTRY of the pages. */
  readonly locale?: string;
  readonly platform?: 'app_android' | 'app_ios' | 'web';
  /** Shows the form although the browser is signed in, for another account or after a sign-out of the app. */
  readonly prompt?: 'login';
  /**
   * Shows the form when the sign-in of the browser is older than this many seconds, e.g. `maxAge` of
   * RecentSignInRequired.
   */
  readonly maxAge?: number;
}

/** A sign-in in progress; keep all of it until the browser returns. */
export interface SignIn {
  /** The address to open in the system browser. */
  readonly url: string;
  readonly redirectUri: string;
  /** The server that has to answer. */
  readonly issuer: string;
  readonly state: string;
  readonly verifier: string;
}

/** The sign-in returned without a code: the member canceled it, or the request was not valid. */
export class SignInFailed extends Error {
  override readonly name = 'SignInFailed';
}

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const secret = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** Starts a sign-in with PKCE (RFC 7636, S256) and a new state. */
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
  return { url: url.href, redirectUri, issuer: url.origin, state, verifier };
}

/** Finishes a sign-in with the address that the browser returned to. Call it at once: a code is valid for 10 seconds. */
export async function finishSignIn(session: Session, begun: SignIn, cameBackTo: string): Promise<Tokens> {
  const parameters = new URL(cameBackTo).searchParams;
  // A code of another sign-in must not be accepted (login CSRF), and none of another server (mix-up, RFC 9207).
  if (parameters.get('state') !== begun.state) throw new SignInFailed('the state does not match');
  if (parameters.get('iss') !== begun.issuer) throw new SignInFailed('the issuer does not match');
  const code = parameters.get('code');
  if (!code) throw new SignInFailed(parameters.get('error') ?? 'no code');
  return session.exchange({ code, redirectUri: begun.redirectUri, verifier: begun.verifier });
}
