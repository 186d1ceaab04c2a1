import type { Clock } from '@covalence/runtime/clock';
import { errorText } from '@covalence/runtime/error-text';
import { createRemoteJWKSet, customFetch as joseFetch, jwtVerify, type JWTPayload } from 'jose';
import * as oauth from 'openid-client';
import { z } from 'zod';
import { signEs256 } from '../../keys/es256.ts';
import type { IdentityProvider } from './identity-providers.ts';

/** Someone's account at a provider, from a verified identity token. */
export const provenIdentity = z.object({
  /** Id of the provider. */
  provider: z.string(),
  /** The provider's `sub`. */
  subject: z.string(),
  email: z.string().optional(),
  /** Whether the provider has proven that the address is the person's: it runs the mailbox. */
  email_proven: z.boolean().default(false),
  /** When the provider asked for credentials, in seconds since the epoch, if it says so. */
  auth_time: z.int().optional(),
});

/** Someone's account at a provider. */
export type ProvenIdentity = z.output<typeof provenIdentity>;

/** A provider's answer that proves nothing: forged, expired, or for somebody else. */
export class IdentityRefusedError extends Error {}

/** A provider that does not answer in time. */
export class ProviderAwayError extends Error {}

/** Time for an answer of a provider: somebody waits for the page. */
const answerSeconds = 5;

/** How long discovered addresses of a provider are used. */
const discoveryMs = 60 * 60 * 1000;

/** Longest accepted token and answer of a provider. */
const maxTokenLength = 8_192;

/** Signature algorithms: asymmetric ones only, whatever the provider lists. */
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'];

/** Apple sends booleans as texts. */
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

const claimsSchema = z.object({
  sub: z.string().min(1).max(255),
  aud: z.string(),
  nonce: z.string().max(255).optional(),
  email: z.email().max(254).optional().catch(undefined),
  email_verified: flag.default(false).catch(false),
  auth_time: z.int().optional().catch(undefined),
});

/** Claims of a verified identity token. */
export type IdentityClaims = z.output<typeof claimsSchema>;

/** A client secret of five minutes: a JWT signed with the client's key, as Apple requires. */
function signedSecret({ client_id, client_key, issuer }: IdentityProvider, now: Clock): string {
  if (!client_key) throw new Error('a provider without client_key');
  const iat = Math.floor(now().getTime() / 1000);
  const claims = { iss: client_key.team_id, sub: client_id, aud: issuer, iat, exp: iat + 300 };
  const text = [{ alg: 'ES256', kid: client_key.key_id }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${signEs256(Buffer.from(text), client_key.key).toString('base64url')}`;
}

const authenticationOf =
  (provider: IdentityProvider, now: Clock): oauth.ClientAuth =>
  (_server, client, body) => {
    body.set('client_id', client.client_id);
    body.set('client_secret', provider.client_secret ?? signedSecret(provider, now));
  };

const codesOfAway = new Set(['OAUTH_TIMEOUT', 'ERR_JWKS_TIMEOUT']);

/** Whether a failed request says that the provider is away: no answer in time, no connection, or a server error. */
function isAway(error: unknown): boolean {
  const { code, cause, name } = error as { code?: string; cause?: unknown; name?: string };
  if (codesOfAway.has(code ?? '') || name === 'TimeoutError' || error instanceof ProviderAwayError)
    return true;
  return cause !== undefined && isAway(cause);
}

/** Fetches with a time limit and without redirects; a server error counts as away. */
const limitedFetch = async (url: string, options: object): Promise<Response> => {
  const signal = AbortSignal.timeout(answerSeconds * 1000);
  const answer = await fetch(url, { ...options, redirect: 'error', signal }).catch((cause: unknown) => {
    throw new ProviderAwayError('a provider cannot be reached', { cause });
  });
  if (answer.status >= 500) throw new ProviderAwayError(`a provider answered ${answer.status}`);
  return answer;
};

/** Runs requests and checks of a provider; throws IdentityRefusedError or ProviderAwayError. */
async function checked<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof IdentityRefusedError) throw error;
    throw isAway(error)
      ? new ProviderAwayError('a provider is away', { cause: error })
      : new IdentityRefusedError(errorText(error), { cause: error });
  }
}

/** Everything that identifies one visit to a provider. */
export interface Visit {
  readonly state: string;
  readonly nonce: string;
  /** The PKCE code verifier. */
  readonly verifier: string;
}

/** New secrets for a visit. */
export const newVisit = (): Visit => ({
  state: oauth.randomState(),
  nonce: oauth.randomNonce(),
  verifier: oauth.randomPKCECodeVerifier(),
});

/** Connects to a provider; addresses and keys are discovered when they are needed. `issuer` is the address of this server. */
export function createProviderConnection(provider: IdentityProvider, issuer: string, now: Clock) {
  const redirect_uri = `${issuer}/identity/callback`;
  let discovered: { at: number; promise: Promise<Discovered> } | undefined;

  const discover = async () => {
    const configuration = await oauth.discovery(
      new URL(provider.issuer),
      provider.client_id,
      undefined,
      authenticationOf(provider, now),
      {
        // Only addresses of this machine are unencrypted.
        ...(provider.issuer.startsWith('http:') && { execute: [oauth.allowInsecureRequests] }),
        [oauth.customFetch]: limitedFetch,
        timeout: answerSeconds,
      },
    );
    const { jwks_uri = '' } = configuration.serverMetadata();
    const keys = createRemoteJWKSet(new URL(jwks_uri), {
      timeoutDuration: answerSeconds * 1000,
      cooldownDuration: 5_000,
      [joseFetch]: limitedFetch,
    });
    return { configuration, keys };
  };
  type Discovered = Awaited<ReturnType<typeof discover>>;

  /** Discovers once an hour; a failure is tried again by the next request. */
  const current = (): Promise<Discovered> => {
    if (discovered && now().getTime() - discovered.at < discoveryMs) return discovered.promise;
    const promise = discover();
    const entry = { at: now().getTime(), promise };
    discovered = entry;
    promise.catch(() => {
      if (discovered === entry) discovered = undefined;
    });
    return promise;
  };

  /** The claims of a JWT that the provider has signed for one of the audiences, within `maxAge`. */
  const verify = async (token: string, audience: string[], maxTokenAge: string): Promise<JWTPayload> => {
    if (token.length > maxTokenLength) throw new IdentityRefusedError('the token is too long');
    const { keys } = await current();
    const { payload } = await jwtVerify(token, keys, {
      issuer: provider.issuer,
      audience,
      algorithms,
      maxTokenAge,
      clockTolerance: 30,
      currentDate: now(),
    });
    return payload;
  };

  const identityOf = ({ sub, email, email_verified, auth_time }: IdentityClaims): ProvenIdentity => {
    const domain = email?.split('@').at(-1)?.toLowerCase() ?? '';
    return {
      provider: provider.id,
      subject: sub,
      email,
      email_proven: email_verified && provider.mail_domains.includes(domain),
      auth_time,
    };
  };

  const verifyIdentity = async (
    token: string,
    audience: string[],
    isNonce: (nonce: string | undefined) => boolean,
  ): Promise<ProvenIdentity> => {
    const claims = claimsSchema.safeParse(await verify(token, audience, '10 minutes'));
    if (!claims.success) throw new IdentityRefusedError('a claim of the token is missing or malformed');
    if (!isNonce(claims.data.nonce)) throw new IdentityRefusedError('the token is of another request');
    return identityOf(claims.data);
  };

  return {
    provider,
    /** The address at the provider that a browser is sent to; `maxAge` seconds after which it asks for credentials. */
    addressOf: (
      { state, nonce, verifier }: Visit,
      locale: string,
      maxAge: number | undefined,
    ): Promise<URL> =>
      checked(async () =>
        oauth.buildAuthorizationUrl((await current()).configuration, {
          redirect_uri,
          scope: provider.scope,
          response_mode: provider.response_mode,
          state,
          nonce,
          code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ui_locales: locale,
          ...(maxAge !== undefined && { max_age: String(maxAge) }),
        }),
      ),
    /** The identity behind a provider's answer, whose parameters are `answer`. */
    finish: (
      { state, nonce, verifier }: Visit,
      answer: Readonly<Record<string, string>>,
    ): Promise<ProvenIdentity> =>
      checked(async () => {
        const { configuration } = await current();
        const url = new URL(redirect_uri);
        url.search = new URLSearchParams(answer).toString();
        const { id_token } = await oauth.authorizationCodeGrant(configuration, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        // openid-client trusts the connection; the signature holds behind proxies too.
        return verifyIdentity(id_token ?? '', [provider.client_id], (claimed) => claimed === nonce);
      }),
    /** The identity of a token that a native app got from the dialog of its phone. */
    verifyNative: (token: string, isNonce: (nonce: string | undefined) => boolean): Promise<ProvenIdentity> =>
      checked(() => verifyIdentity(token, [provider.client_id, ...provider.native_client_ids], isNonce)),
    /** The claims of a notice that the provider sent to this server. */
    verifyNotice: (token: string): Promise<JWTPayload> =>
      checked(() => verify(token, [provider.client_id, ...provider.native_client_ids], '1 day')),
  };
}

/** A provider as this server talks to it. */
export type ProviderConnection = ReturnType<typeof createProviderConnection>;
