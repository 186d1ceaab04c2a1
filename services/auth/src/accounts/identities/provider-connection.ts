import type { Clock } from '@covalence/runtime/clock';
import { jwtVerify, type JWTPayload } from 'jose';
import * as oauth from 'openid-client';
import { z } from 'zod';
import type { IdentityProvider } from './identity-providers.ts';
import { createProviderDiscovery } from './provider-discovery.ts';
import { checked, IdentityRefusedError } from './provider-requests.ts';

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

/** Longest accepted signed token, and refresh token. */
const [maxTokenLength, maxRefreshLength] = [8_192, 4_096];

/** Errors of a revocation that say that the token is worthless already. */
const worthless = ['invalid_token', 'invalid_grant'];

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

/** The secrets that identify one authorization request to a provider. */
export interface AuthorizationRequest {
  readonly state: string;
  readonly nonce: string;
  /** The PKCE code verifier. */
  readonly verifier: string;
}

/** A refresh token of somebody at a provider, and the client there that it was issued to. */
export interface ProviderToken extends Pick<ProvenIdentity, 'provider' | 'subject'> {
  readonly client_id: string;
  readonly token: string;
}

/** A verified identity, and what came with it. */
export interface VerifiedIdentity {
  readonly identity: ProvenIdentity;
  /** The client at the provider that the identity token was issued to. */
  readonly audience: string;
}

/** Creates an authorization request with new secrets. */
export const newAuthorizationRequest = (): AuthorizationRequest => ({
  state: oauth.randomState(),
  nonce: oauth.randomNonce(),
  verifier: oauth.randomPKCECodeVerifier(),
});

/** Connects to a provider. `issuer` is the address of this server. */
export function createProviderConnection(provider: IdentityProvider, issuer: string, clock: Clock) {
  const redirect_uri = `${issuer}/identity/callback`;
  const clientIds = [provider.client_id, ...provider.native_client_ids];
  const { current, configurationFor } = createProviderDiscovery(provider, clock);

  /** The refresh token of an answer, if the provider has an endpoint that revokes it. */
  const tokenIn = async (
    { refresh_token: token = '' }: oauth.TokenEndpointResponse,
    client_id: string,
    { subject }: ProvenIdentity,
  ): Promise<ProviderToken | undefined> => {
    const { revocation_endpoint } = (await current()).configuration.serverMetadata();
    if (revocation_endpoint === undefined || !token || token.length > maxRefreshLength) return undefined;
    return { provider: provider.id, subject, client_id, token };
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
      currentDate: clock(),
    });
    return payload;
  };

  const runsMailbox = (email: string): boolean =>
    provider.mail_domains.includes(email.split('@').at(-1)?.toLowerCase() ?? '');

  const identityOf = ({ sub, email, email_verified, auth_time }: IdentityClaims): ProvenIdentity => ({
    provider: provider.id,
    subject: sub,
    email,
    email_proven: email_verified && runsMailbox(email ?? ''),
    auth_time,
  });

  const verifyIdentity = async (
    token: string,
    audience: string[],
    isNonce: (nonce: string | undefined) => boolean,
  ): Promise<VerifiedIdentity> => {
    const claims = claimsSchema.safeParse(await verify(token, audience, '10 minutes'));
    if (!claims.success) throw new IdentityRefusedError('a claim of the token is missing or malformed');
    if (!isNonce(claims.data.nonce)) throw new IdentityRefusedError('the token is of another request');
    return { identity: identityOf(claims.data), audience: claims.data.aud };
  };

  return {
    provider,
    /** Whether the provider runs the mailbox of an address, so that its word about it counts. */
    runsMailbox,
    /** The address at the provider that a browser is sent to; `maxAge` seconds after which it asks for credentials. */
    addressOf: (
      { state, nonce, verifier }: AuthorizationRequest,
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
    /** The identity behind a provider's answer, whose parameters are `answer`, and the refresh token to keep. */
    finish: (
      { state, nonce, verifier }: AuthorizationRequest,
      answer: Readonly<Record<string, string>>,
    ): Promise<{ readonly identity: ProvenIdentity; readonly token: ProviderToken | undefined }> =>
      checked(async () => {
        const configuration = await configurationFor(provider.client_id);
        const url = new URL(redirect_uri);
        url.search = new URLSearchParams(answer).toString();
        const tokens = await oauth.authorizationCodeGrant(configuration, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        // openid-client trusts the connection; the signature holds behind proxies too.
        const { identity } = await verifyIdentity(
          tokens.id_token ?? '',
          [provider.client_id],
          (claimed) => claimed === nonce,
        );
        return { identity, token: await tokenIn(tokens, provider.client_id, identity) };
      }),
    /** The identity of a token that a native app got from the dialog of its phone. */
    verifyNative: (
      token: string,
      isNonce: (nonce: string | undefined) => boolean,
    ): Promise<VerifiedIdentity> => checked(() => verifyIdentity(token, clientIds, isNonce)),
    /** The refresh token behind the authorization code that came with an identity token; undefined when there is none to keep. */
    redeem: (code: string, { identity, audience }: VerifiedIdentity): Promise<ProviderToken | undefined> =>
      checked(async () => {
        // A secret is that of one client; a key signs for every client of the team.
        if (!provider.client_key && audience !== provider.client_id) return undefined;
        const configuration = await configurationFor(audience);
        const tokens = await oauth.genericGrantRequest(configuration, 'authorization_code', { code });
        const proven = await verifyIdentity(tokens.id_token ?? '', [audience], () => true);
        if (proven.identity.subject !== identity.subject)
          throw new IdentityRefusedError('the code is of somebody else');
        return tokenIn(tokens, audience, identity);
      }),
    /** Revokes a refresh token; one that is worthless already is no error. */
    revoke: ({ client_id, token }: ProviderToken): Promise<void> =>
      checked(async () => {
        const configuration = await configurationFor(client_id);
        try {
          await oauth.tokenRevocation(configuration, token, { token_type_hint: 'refresh_token' });
        } catch (error) {
          if (!(error instanceof oauth.ResponseBodyError && worthless.includes(error.error))) throw error;
        }
      }),
    /** The claims of a notice that the provider sent to this server. */
    verifyNotice: (token: string): Promise<JWTPayload> => checked(() => verify(token, clientIds, '1 day')),
  };
}

/** A provider as this server talks to it. */
export type ProviderConnection = ReturnType<typeof createProviderConnection>;
