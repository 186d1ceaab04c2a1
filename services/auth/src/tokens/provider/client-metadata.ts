import type { AdapterPayload } from 'oidc-provider';
import type { ClientApplication } from '../../clients/client-store.ts';
import { isPublic, secretHashesOf } from '../../clients/secrets.ts';
import { requiresPkce, settingsOf } from '../../clients/settings.ts';
import { staffLifetimes } from '../families/lifetimes.ts';

/** The authentication method of a client, as the provider's metadata. */
function authenticationOf(client: ClientApplication): AdapterPayload {
  if (isPublic(client)) return { token_endpoint_auth_method: 'none' };
  const { fapi_keys: jwks } = client;
  if (jwks) {
    return {
      token_endpoint_auth_method: 'private_key_jwt',
      jwks,
      require_pushed_authorization_requests: true,
      fapi: true,
    };
  }
  return {
    token_endpoint_auth_method: 'client_secret_post',
    // The provider requires one; compareClientSecret compares the hashes.
    client_secret: client.secret_hash,
    secret_hashes: secretHashesOf(client),
  };
}

/** A client application as the provider's metadata. */
export function clientMetadata(client: ClientApplication): AdapterPayload {
  return {
    client_id: client._id,
    ...authenticationOf(client),
    client_name: client.name,
    redirect_uris: [...client.redirect_uris],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    staff: client.staff,
    ...settingsOf(client),
    require_pkce: requiresPkce(client),
    ...(client.staff && {
      refresh_lifetime_seconds: Math.min(
        client.refresh_lifetime_seconds ?? staffLifetimes.signIn,
        staffLifetimes.signIn,
      ),
    }),
  };
}
