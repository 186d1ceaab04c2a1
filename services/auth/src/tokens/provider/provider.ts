import type { Sites } from '@covalence/contract/sites';
import type { Peer } from '@covalence/http/peer';
import { errors, Provider, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import type { AccountStore } from '../../accounts/account-store.ts';
import type { Account } from '../../accounts/account.ts';
import type { Family, Subject } from '../families/family-store.ts';
import { secretMatches } from '../../clients/secrets.ts';
import { ownMetadata } from '../../clients/settings.ts';
import type { KeySet } from '../../keys/key-ring.ts';
import { createProviderPages } from '../../sign-in/pages/provider-pages.ts';
import { createAdapter, type AdapterDependencies } from './adapters.ts';
import { needsConfirmation } from './continue-prompt.ts';
import { cookieNames } from '../sessions/cookies.ts';
import { lifetimes } from '../lifetimes.ts';
import { createSignInPolicy, isStaffClient, sessionFits } from './sign-in-policy.ts';
import { goodUntil, standingOf } from '../member-state.ts';
import type { KnownAccount } from './sign-in-policy.ts';
import { ProviderKey } from './provider-key.ts';
import { withinLifetime } from '../families/family-lifetime.ts';
import { notesOf } from './request-state.ts';
import { maxAgeParameter } from './max-age.ts';

/** What the provider is configured from. */
export interface ProviderDependencies extends AdapterDependencies {
  readonly accounts: AccountStore;
  readonly profile: Peer;
  readonly sites: Sites;
  /** Address of the API: `aud`. */
  readonly audience: string;
}

/** The scope of a client's tokens; the contract sends none in requests. */
export const scopeOf = (client: unknown): string => (isStaffClient(client) ? 'staff' : 'member');

type Client = InstanceType<Provider['Client']>;

const known = (accountId: string, subject: Subject, account?: Account): KnownAccount => ({
  accountId,
  subject,
  account,
  claims: () => ({ sub: accountId }),
});

/** Nothing counts that was begun before the member signed out everywhere. */
const isOver = ({ signed_out_at: out }: Account, family: Family | undefined): boolean =>
  out !== undefined && family !== undefined && family.begun_at <= out;

/** The account of a code that is exchanged; a deactivated or suspended member gets no tokens. */
async function ofCode(
  context: KoaContextWithOIDC,
  account: Account,
  { profile, now }: ProviderDependencies,
): Promise<KnownAccount | undefined> {
  const notes = notesOf(context.req);
  const checkedAt = now();
  if (isOver(account, notes.family) || (await standingOf(account, profile)) !== 'good') return undefined;
  const { id, siteid, staff } = account;
  Object.assign(notes, { checkedAt, subject: { id, siteid, staff } });
  return known(account._id, { id, siteid, staff });
}

/** The account of a refresh, as its family knows it. */
async function ofFamily(
  context: KoaContextWithOIDC,
  family: Family,
  dependencies: ProviderDependencies,
): Promise<KnownAccount | undefined> {
  const notes = notesOf(context.req);
  notes.checkedAt = await goodUntil(family, dependencies);
  return notes.checkedAt && family.subject && known(family.account_id, family.subject);
}

const findAccount =
  (dependencies: ProviderDependencies) =>
  async (context: KoaContextWithOIDC | undefined, memberId: string): Promise<KnownAccount | undefined> => {
    const isForTokens = context?.oidc.route === 'token';
    const family = isForTokens ? notesOf(context.req).family : undefined;
    if (isForTokens && family?.current !== undefined) return ofFamily(context, family, dependencies);
    const account = await dependencies.accounts.find(memberId);
    if (account?.status !== 'active') return undefined;
    return isForTokens ? ofCode(context, account, dependencies) : known(memberId, account, account);
  };

const createGrant =
  ({ profile, audience }: ProviderDependencies) =>
  async (context: KoaContextWithOIDC) => {
    const { client, account, provider } = context.oidc;
    if (!client || !account || needsConfirmation(context) || !(await sessionFits(context, profile)))
      return undefined;
    // A family of its own for each sign-in: revoking one leaves the others.
    const grant = new provider.Grant({ accountId: account.accountId, clientId: client.clientId });
    grant.addResourceScope(audience, scopeOf(client));
    await grant.save();
    return grant;
  };

/** Checks the contract's own parameters of /authorize and sets the scope, which clients do not send. */
const checkParameters =
  (sites: Sites) => (context: KoaContextWithOIDC, siteid: string | undefined, client: unknown) => {
    const { params } = context.oidc;
    if (!params) return;
    params['scope'] = scopeOf(client);
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

/** How long tokens of a client live: never beyond the lifetime that it gives its sign-ins. */
const tokenSeconds =
  (seconds: number, { now }: ProviderDependencies) =>
  (context: KoaContextWithOIDC | undefined, _token: unknown, client: unknown): number =>
    withinLifetime(seconds, notesOf(context?.req).family, client, now());

/** Beside the standard claims: the member, the family, and when the credentials were entered, which a refresh hands on. */
const ownClaims = (context: KoaContextWithOIDC, token: { readonly grantId?: string | undefined }) => {
  const { account, entities } = context.oidc;
  const { subject } = (account as KnownAccount | undefined) ?? {};
  const member = subject && !subject.staff && { mid: subject.id, site: subject.siteid };
  const auth_time = (entities.AuthorizationCode ?? entities.RefreshToken)?.authTime;
  return { family: token.grantId, auth_time, ...member };
};

const off = { enabled: false } as const;

function configuration(dependencies: ProviderDependencies, { keys }: KeySet): Configuration {
  const { accounts, audience, issuer, profile, seal, sites } = dependencies;
  const { session, interaction, resume } = cookieNames(issuer);
  const pages = createProviderPages(sites, accounts, profile);
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true } as const;
  return {
    adapter: (model: string) => createAdapter(model, dependencies),
    jwks: { keys: keys.map((key) => new ProviderKey(key)) },
    findAccount: findAccount(dependencies),
    loadExistingGrant: createGrant(dependencies),
    extraTokenClaims: (context, token) => ownClaims(context, token as { grantId?: string }),
    extraParams: {
      platform: null,
      locale: null,
      siteid: checkParameters(sites),
      [maxAgeParameter]: checkMaxAge,
    },
    extraClientMetadata: { properties: ownMetadata },
    pkce: { required: (_context, client) => client['require_pkce'] === true },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
    responseTypes: ['code'],
    scopes: ['member', 'staff'],
    allowOmittingSingleRegisteredRedirectUri: false,
    issueRefreshToken: () => true,
    expiresWithSession: () => false,
    rotateRefreshToken: true,
    cookies: {
      names: { session, interaction, resume },
      keys: seal.macs('cookies', 'signing key'),
      long: cookie,
      short: cookie,
    },
    interactions: {
      policy: createSignInPolicy(profile),
      url: (_context, interaction) => `/login/${interaction.uid}`,
    },
    routes: {
      authorization: '/authorize',
      token: '/token',
      jwks: '/jwks',
      revocation: '/revoke',
      end_session: '/session/end',
    },
    ttl: {
      AccessToken: tokenSeconds(lifetimes.accessToken, dependencies),
      AuthorizationCode: lifetimes.code,
      RefreshToken: tokenSeconds(lifetimes.refreshToken, dependencies),
      Interaction: lifetimes.interaction,
      Session: lifetimes.session,
      Grant: lifetimes.grant,
    },
    features: {
      // An experiment of the provider's, whose version is pinned.
      externalSigningSupport: { enabled: true, ack: 'experimental-01' },
      devInteractions: off,
      dPoP: off,
      pushedAuthorizationRequests: off,
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

/** A client may revoke its own tokens only (RFC 7009). */
function isOwn(
  _context: unknown,
  client: Client,
  token: { readonly clientId?: string | undefined },
): boolean {
  if (token.clientId !== client.clientId) throw new errors.InvalidRequest('the token is not of this client');
  return true;
}

/** Secrets are kept as hashes; a client may have two at a time. */
function compareSecret(this: Client, secret: string): boolean {
  return secretMatches(secret, this['secret_hashes'] as string[]);
}

/** The provider's check of a client that is read, which its types do not have. */
interface Checked {
  readonly Schema: { readonly prototype: object };
}

/** Exactly as registered; the provider itself would let native apps choose the port. */
function isRegistered(this: Client, uri: string): boolean {
  return this.redirectUris?.includes(uri) ?? false;
}

/** Creates oidc-provider for one set of keys, as the contract wants it (docs/auth.md says why each setting is there). */
export function createProvider(dependencies: ProviderDependencies, keys: KeySet): Provider {
  const provider = new Provider(dependencies.issuer, configuration(dependencies, keys));
  provider.proxy = true;
  Object.assign(provider.Client.prototype, {
    compareClientSecret: compareSecret,
    redirectUriAllowed: isRegistered,
  });
  // Which addresses are fit was said when they were registered (clients/redirect-uris.ts). For one that the provider finds unfit it turns the whole client away.
  const { Schema } = provider.Client as typeof provider.Client & Checked;
  Object.assign(Schema.prototype, { redirectUris: () => undefined });
  return provider;
}
