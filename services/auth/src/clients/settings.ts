import { clientDefaults } from '@covalence/contract/peers/auth-api';
import type { ClientApplication } from './client-store.ts';
import { isFapi, isPublic } from './secrets.ts';

/** A stolen refresh token of a public client works as well as the client's own, so no family lives forever. */
const publicLifetimeSeconds = 365 * 86_400;

/** Seconds from a sign-in to the end of its refresh tokens; null: no end. */
function lifetimeOf(client: ClientApplication): number | null {
  const { refresh_lifetime_seconds: own = isPublic(client) ? publicLifetimeSeconds : null } = client;
  return own;
}

/** The console: its page cannot keep a secret, so its tokens are bound to a key of the browser. */
const isPublicOfStaff = (client: ClientApplication) => client.staff && isPublic(client);

/** The settings of a client with their defaults. */
export const settingsOf = (client: ClientApplication) => ({
  require_pkce: client.require_pkce ?? clientDefaults.require_pkce,
  refresh_grace_seconds: client.refresh_grace_seconds ?? clientDefaults.refresh_grace_seconds,
  refresh_lifetime_seconds: lifetimeOf(client),
  dpop_bound_access_tokens:
    isFapi(client) ||
    isPublicOfStaff(client) ||
    (client.dpop_bound_access_tokens ?? clientDefaults.dpop_bound_access_tokens),
  android_app: client.android_app ?? clientDefaults.android_app,
  ios_app: client.ios_app ?? clientDefaults.ios_app,
  post_logout_redirect_uris: [
    ...(client.post_logout_redirect_uris ?? clientDefaults.post_logout_redirect_uris),
  ],
});

/** Metadata of clients beyond the standard fields. */
export const extraClientMetadata = [
  'staff',
  'fapi',
  'secret_hashes',
  'require_pkce',
  'refresh_grace_seconds',
  'refresh_lifetime_seconds',
  'android_app',
  'ios_app',
];

/** Whether sign-ins need PKCE: by setting, and always for public clients (RFC 8252, 6) and those of FAPI 2.0. */
export const requiresPkce = (client: ClientApplication): boolean =>
  settingsOf(client).require_pkce || isPublic(client) || isFapi(client);
