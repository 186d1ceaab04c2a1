import type { Session } from './session.ts';
import type { Tokens } from './tokens.ts';

/** Parameters of a sign-in. */
export interface SignInOptions {
  /** The URL of the authorization server. */
  readonly authUrl: string;
  readonly clientId: string;
  /** One of the registered redirect URIs. */
  readonly redirectUri: string;
  /** The site to sign in on; recommended when it is known, and needed for a registration. */
  readonly siteid?: number;
  /** language_COUNTRY of the pages. */
  readonly locale?: string;
  readonly platform?: 'app_android' | 'app_ios' | 'web';
  /** The name of this device in the list of sign-ins, e.g. "Ada's iPhone". */
  readonly deviceName?: string;
  /** Username or email address that the form begins with. */
  readonly loginHint?: string;
  /**
   * `create` shows the registration. `login` shows the form although the browser is signed in, for another account or after a
   * sign-out of the app. `none` shows no page: finishSignIn() then throws SignInFailed `login_required` or `interaction_required`
   * if one is needed.
   */
  readonly prompt?: 'create' | 'login' | 'none';
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

/** The sign-in returned without a code: the member canceled it, or the request was not valid. The message is the OAuth error. */
export class SignInFailed extends Error {
  override readonly name = 'SignInFailed';
}

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const secret = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** An address of the authorization server with the parameters that have a value. */
function addressOf(
  authUrl: string,
  path: string,
  parameters: Readonly<Record<string, string | undefined>>,
): URL {
  const url = new URL(path, authUrl);
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

/** Starts a sign-in with PKCE (RFC 7636, S256) and a new state. */
export async function beginSignIn(options: SignInOptions): Promise<SignIn> {
  const { authUrl, clientId, redirectUri, siteid, maxAge } = options;
  const [state, verifier] = [secret(), secret()];
  const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const url = addressOf(authUrl, '/authorize', {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    state,
    code_challenge: base64url(new Uint8Array(challenge)),
    code_challenge_method: 'S256',
    siteid: siteid?.toString(),
    locale: options.locale,
    platform: options.platform,
    device_name: options.deviceName,
    login_hint: options.loginHint,
    prompt: options.prompt,
    max_age: maxAge?.toString(),
  });
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

/** Parameters of a sign-out of the browser. */
export interface SignOutOptions {
  readonly authUrl: string;
  readonly clientId: string;
  /** The address that the browser returns to: one of the registered post-logout redirect URIs. Without it, it stays on the page. */
  readonly postLogoutRedirectUri?: string;
  /** Comes back with the browser. */
  readonly state?: string;
}

/** The page that signs the browser out, to open in the system browser. It ends no sign-in of an app: that is `session.signOut()`. */
export const signOutUrl = ({ authUrl, clientId, postLogoutRedirectUri, state }: SignOutOptions): string =>
  addressOf(authUrl, '/session/end', {
    client_id: clientId,
    post_logout_redirect_uri: postLogoutRedirectUri,
    state,
  }).href;

/** The pages on which members manage their account, to open in the system browser; without `siteid` they have no brand. */
export const accountUrl = ({
  authUrl,
  siteid,
  locale,
}: Pick<SignInOptions, 'authUrl' | 'siteid' | 'locale'>): string =>
  addressOf(authUrl, '/account', { siteid: siteid?.toString(), locale }).href;
