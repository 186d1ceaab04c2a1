import { listClients } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { ClientContext } from './client-store.ts';
import { secretHashesOf, secretId } from './secrets.ts';
import { settingsOf } from './settings.ts';

/** POST /internal/clients/list: every client application. */
export const list = endpoint({
  access: 'service',
  summary: 'List client applications',
  ...listClients,
  handler: async (_call, { clients }: ClientContext) => ({
    clients: (await clients.all()).map((client) => ({
      client_id: client._id,
      name: client.name,
      redirect_uris: [...client.redirect_uris],
      staff: client.staff,
      disabled: client.disabled,
      secrets: secretHashesOf(client).map(secretId),
      ...settingsOf(client),
    })),
  }),
});
