import { invalidArgument } from '@covalence/contract/failure';
import { verifyClient } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { ClientContext } from './client-store.ts';
import { secretHashesOf, secretMatches } from './secrets.ts';

/** POST /internal/clients/verify: checks the credentials of a client application; 403 without code when they are wrong. */
export const verify = endpoint({
  access: 'service',
  summary: 'Check the credentials of a client application',
  ...verifyClient,
  handler: async ({ input }, { clients }: ClientContext) => {
    const client = await clients.find(input.client_id);
    const [redirect_uri] = client?.redirect_uris ?? [];
    const good =
      client &&
      !client.disabled &&
      !client.staff &&
      secretMatches(input.client_secret, secretHashesOf(client));
    if (!good || !redirect_uri) throw invalidArgument();
    return { client_id: client._id, redirect_uri };
  },
});
