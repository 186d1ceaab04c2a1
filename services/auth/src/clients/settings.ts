import { clientDefaults } from '@covalence/contract/internal/auth-api';
import type { ClientApplication } from './client-store.ts';
import { secretHashesOf } from './secrets.ts';

/** The settings of a client, complete. */
export const settingsOf = (client: ClientApplication) => ({
  require_pkce: client.require_pkce ?? clientDefaults.require_pkce,
  refresh_grace_seconds: client.refresh_grace_seconds ?? clientDefaults.refresh_grace_seconds,
  refresh_lifetime_seconds: client.refresh_lifetime_seconds ?? clientDefaults.refresh_lifetime_seconds,
});

/** What oidc-provider's clients have beyond the fields of the standards. */
export const ownMetadata = [
  'staff',
  'secret_hashes',
  'require_pkce',
  'refresh_grace_seconds',
  'refresh_lifetime_seconds',
];

/** Whether sign-ins need PKCE: where the client asks for it, and always where it has no secret to prove itself by. */
export const demandsPkce = (client: ClientApplication): boolean =>
  settingsOf(client).require_pkce || secretHashesOf(client).length === 0;
