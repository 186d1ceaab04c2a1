import { isRegisteredRedirect } from '@covalence/contract/redirect-uri';
import type { Sites } from '@covalence/contract/sites';
import { errors, Provider, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import type { Account } from '../../accounts/account.ts';
import type { Family } from '../families/family-store.ts';
import { secretMatches } from '../../clients/secrets.ts';
import { extraClientMetadata } from '../../clients/settings.ts';
import type { KeySet } from '../../keys/key-ring.ts';
import { sha256 } from '../../keys/algorithms.ts';
import { createAdapter } from './adapters.ts';
import { cookieNames } from '../sessions/cookies.ts';
import { keepEstablished } from '../sessions/established-at.ts';
import { createPromptName } from '../sessions/sign-in-result.ts';
import { lifetimes, staffLifetimes } from '../families/lifetimes.ts';
import { accountStateOf } from '../../accounts/member-state.ts';
import { checkMember } from '../families/check-member.ts';
import {
  createSignInPolicy,
  isStaffClient,
  maxAgeParameter,
  needsContinue,
  sessionFits,
  type KnownAccount,
} from './sign-in-policy.ts';
import type { ProviderDependencies } from './dependencies.ts';
import { ProviderKey } from './provider-key.ts';
import { withinLifetime } from '../families/family-lifetime.ts';
import { stateOf } from './request-state.ts';

/** The scope of a client's tokens; requests carry none. */
export const scopeOf = (client: unknown): string => (isStaffClient(client) ? 'staff' : 'member');

type Client = InstanceType<Provider['Client']>;

const claims = (sub: string) => ({ accountId: sub, claims: () => ({ sub }) });

/** Whether a sign-in is older than the member's last sign-out everywhere. */
const isSignedOut = ({ signed_out_at: out }: Account, family: Family | undefined): boolean =>
  out !== undefined && family !== undefined && family.begun_at <= out;

/** The account of a code exchange. Deactivated and suspended members get no tokens. */
async function ofCode(
  account: Account,
  family: Family | undefined,
  { profile, clock }: ProviderDependencies,
): Promise<KnownAccount | undefined> {
  const checkedAt = clock();
  if (isSignedOut(account, family) || (await accountStateOf(account, profile)) !== 'active') return undefined;
  const { id, siteid, staff, roles } = account;
  return { ...claims(account._id), subject: { id, siteid, staff }, roles, checkedAt };
}

/** The account of a refresh, as stored in its family; the roles of staff are the current ones. */
async function ofFamily(
  family: Family,
  dependencies: ProviderDependencies,
): Promise<KnownAccount | undefined> {
  const { account_id, subject } = family;
  const checkedAt = await checkMember(family, dependencies);
  if (!checkedAt || !subject) return undefined;
  if (!subject.staff) return { ...claims(account_id), subject, checkedAt };
  const account = await dependencies.accounts.find(account_id);
  return account && { ...claims(account_id), subject, roles: account.roles, checkedAt };
}

const findAccount =
  (dependencies: ProviderDependencies) =>
  async (context: KoaContextWithOIDC | undefined, memberId: string): Promise<KnownAccount | undefined> => {
    const isForTokens = context?.oidc.route === 'token';
    const family = isForTokens ? stateOf(context.req).family : undefined;
    if (family?.current !== undefined) return ofFamily(family, dependencies);
    const account = await dependencies.accounts.find(memberId);
    if (account?.status !== 'active') return undefined;
    if (isForTokens) return ofCode(account, family, dependencies);
    return { ...claims(memberId), subject: account, account };
  };

const createGrant = (dependencies: ProviderDependencies) => async (context: KoaContextWithOIDC) => {
  const { client, account, provider } = context.oidc;
  if (
    !client ||
    !account ||
    needsContinue(context, dependencies) ||
    !(await sessionFits(context, dependencies))
  )
    return undefined;
  // Each sign-in has its own family: revoking one keeps the others.
  const grant = new provider.Grant({ accountId: account.accountId, clientId: client.clientId });
  grant.addResourceScope(dependencies.audience, scopeOf(client));
  await grant.save();
  return grant;
};

/** Checks `siteid` of /authorize and sets the scope, which clients do not send. */
const checkParameters =
  (sites: Sites) => (context: KoaContextWithOIDC, siteid: string | undefined, client: unknown) => {
    const { params } = context.oidc;
    if (!params) return;
    params['scope'] = scopeOf(client);
    if (isStaffClient(client) && context.oidc.prompts.has(createPromptName))
      throw new errors.InvalidRequest('staff cannot register');
    if (isStaffClient(client)) params['siteid'] = undefined;
    else if (siteid !== undefined && !(/^\d{1,9}$/.test(siteid) && sites.has(Number(siteid))))
      throw new errors.InvalidRequest('siteid is not the id of a site');
  };

const checkMaxAge = (_context: unknown, seconds: string | undefined) => {
  if (seconds !== undefined && !/^\d{1,9}$/.test(seconds))
    throw new errors.InvalidRequest('max_age is not a number of seconds');
};

const resourceServer = (audience: string) => (_context: unknown, resource: string) => {
  if (resource !== audience) throw new errors.InvalidTarget();
  return {
    scope: 'member staff',
    audience,
    accessTokenFormat: 'jwt' as const,
    jwt: { sign: { alg: 'ES256' as const } },
  };
};

/** Lifetime of a client's tokens, within the lifetime that it sets for its families. */
const tokenSeconds =
  (members: number, staff: number, { clock }: ProviderDependencies) =>
  (context: KoaContextWithOIDC | undefined, _token: unknown, client: unknown): number =>
    withinLifetime(isStaffClient(client) ? staff : members, stateOf(context?.req).family, client, clock());

/**
 * Lifetime of a browser's session from its last use; a page without a client, such as the sign-out, does not extend it, nor does a
 * member's app extend that of staff.
 */
const sessionSeconds =
  ({ clock }: ProviderDependencies) =>
  (
    { oidc: { client, account } }: KoaContextWithOIDC,
    { exp }: { readonly exp?: number | undefined },
  ): number => {
    if (client && isStaffClient(client)) return staffLifetimes.idle;
    const isOfStaff = (account as KnownAccount | undefined)?.subject.staff === true;
    if (client && !isOfStaff) return lifetimes.session;
    const left = (exp ?? 0) - Math.floor(clock().getTime() / 1000);
    return left > 0 ? Math.min(left, lifetimes.session) : lifetimes.session;
  };

/** Claims beyond the standard: the member or the roles, the family, and how and when the credentials were proven, which a refresh keeps. */
const extraClaims = (context: KoaContextWithOIDC, token: { readonly grantId?: string | undefined }) => {
  const { account, entities } = context.oidc;
  const { subject, roles = {} } = (account as KnownAccount | undefined) ?? {};
  const owner = subject?.staff ? { roles } : subject && { mid: subject.id, site: subject.siteid };
  const { authTime: auth_time, amr } = entities.AuthorizationCode ?? entities.RefreshToken ?? {};
  return { family: token.grantId, auth_time, amr, ...owner };
};

/** Whether a client keeps to FAPI 2.0. */
const isFapi = (client: unknown): boolean => (client as { fapi?: boolean } | undefined)?.fapi === true;

const off = { enabled: false } as const;

function configuration(dependencies: ProviderDependencies, set: KeySet): Configuration {
  const { audience, issuer, keys, pages, sites } = dependencies;
  const { session, interaction, resume } = cookieNames(issuer);
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true } as const;
  return {
    adapter: (model: string) => createAdapter(model, dependencies),
    jwks: { keys: set.keys.map((key) => new ProviderKey(key)) },
    findAccount: findAccount(dependencies),
    loadExistingGrant: createGrant(dependencies),
    extraTokenClaims: (context, token) => extraClaims(context, token as { grantId?: string }),
    extraParams: {
      platform: null,
      device_name: null,
      locale: null,
      siteid: checkParameters(sites),
      [maxAgeParameter]: checkMaxAge,
    },
    extraClientMetadata: { properties: extraClientMetadata },
    pkce: { required: (_context, client) => client['require_pkce'] === true },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    enabledJWA: {
      idTokenSigningAlgValues: ['ES256'],
      clientAuthSigningAlgValues: ['ES256', 'Ed25519', 'EdDSA'],
    },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    responseTypes: ['code'],
    scopes: ['member', 'staff'],
    allowOmittingSingleRegisteredRedirectUri: false,
    issueRefreshToken: () => true,
    expiresWithSession: () => false,
    // FAPI 2.0 forbids it: its clients authenticate, and their tokens are bound.
    rotateRefreshToken: ({ oidc }) => !isFapi(oidc.client),
    cookies: {
      names: { session, interaction, resume },
      keys: keys.seal.macs('cookies', 'signing key'),
      long: cookie,
      short: cookie,
    },
    interactions: {
      policy: createSignInPolicy(dependencies),
      // The path is that of the cookie, so that the page of the registration can lead to the login form.
      url: (_context, { uid, prompt }) =>
        prompt.name === createPromptName ? `/login/${uid}?account=new` : `/login/${uid}`,
    },
    routes: {
      authorization: '/authorize',
      token: '/token',
      jwks: '/jwks',
      revocation: '/revoke',
      end_session: '/session/end',
      pushed_authorization_request: '/par',
    },
    ttl: {
      AccessToken: tokenSeconds(lifetimes.accessToken, staffLifetimes.accessToken, dependencies),
      AuthorizationCode: lifetimes.code,
      RefreshToken: tokenSeconds(lifetimes.refreshToken, staffLifetimes.idle, dependencies),
      Interaction: lifetimes.interaction,
      Session: sessionSeconds(dependencies),
      Grant: lifetimes.grant,
    },
    features: {
      // Experimental in the provider, whose version is pinned.
      externalSigningSupport: { enabled: true, ack: 'experimental-01' },
      devInteractions: off,
      dPoP: {
        enabled: true,
        nonceSecret: Buffer.from(keys.seal.mac('dpop-nonce', 'secret'), 'base64url'),
        requireNonce: ({ oidc }) => isFapi(oidc.client),
      },
      pushedAuthorizationRequests: { enabled: true },
      fapi: { enabled: true, profile: (_context, client) => (isFapi(client) ? '2.0' : undefined) },
      userinfo: off,
      revocation: { enabled: true, allowedPolicy: isOwn },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: pages.signOut,
        postLogoutSuccessSource: pages.signedOut,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: resourceServer(audience),
      },
    },
    renderError: pages.error,
  };
}

/** A client may revoke only its own tokens (RFC 7009). */
function isOwn(
  _context: unknown,
  client: Client,
  token: { readonly clientId?: string | undefined },
): boolean {
  if (token.clientId !== client.clientId) throw new errors.InvalidRequest('the token is not of this client');
  return true;
}

/** Compares with the hashes of the client's secrets, of which there may be two. */
function compareSecret(this: Client, secret: string): boolean {
  return secretMatches(secret, this['secret_hashes'] as string[]);
}

/** Seconds by which a proof may be dated ahead: it is remembered longer. */
const aheadSeconds = 300;

/** Claims the id of an assertion or proof in one step: the provider would look first and store later. False when it was used. */
const claimOnce =
  ({ tokens, clock }: ProviderDependencies) =>
  (issuer: string, id: string, expires: number): Promise<boolean> => {
    const seconds = Math.ceil(expires - clock().getTime() / 1000) + aheadSeconds;
    const name = sha256(JSON.stringify([issuer, id]));
    return tokens.sessions.claim('ReplayDetection', name, Math.max(seconds, aheadSeconds));
  };

/** The provider's validation of client metadata, which its types lack. */
interface WithSchema {
  readonly Schema: { readonly prototype: object };
}

/** Replaces the rule of the provider, which knows loopback ports of clients that are native and nothing else. */
function isRegistered(this: Client, uri: string): boolean {
  return isRegisteredRedirect(uri, this.redirectUris ?? [], this.clientAuthMethod === 'none');
}

/** The same for the addresses after a sign-out. */
function isRegisteredAfterSignOut(this: Client, uri: string): boolean {
  return isRegisteredRedirect(uri, this.postLogoutRedirectUris ?? [], this.clientAuthMethod === 'none');
}

/** Creates oidc-provider for one set of keys; docs/auth.md explains the settings. */
export function createProvider(dependencies: ProviderDependencies, set: KeySet): Provider {
  const provider = new Provider(dependencies.issuer, configuration(dependencies, set));
  provider.proxy = true;
  keepEstablished(provider);
  Object.assign(provider.ReplayDetection, { unique: claimOnce(dependencies) });
  Object.assign(provider.Client.prototype, {
    compareClientSecret: compareSecret,
    redirectUriAllowed: isRegistered,
    postLogoutRedirectUriAllowed: isRegisteredAfterSignOut,
  });
  // The registration validates redirect URIs on registration. The provider would reject the whole client for
  // one that it does not like.
  const { Schema } = provider.Client as typeof provider.Client & WithSchema;
  Object.assign(Schema.prototype, { redirectUris: () => undefined });
  return provider;
}
