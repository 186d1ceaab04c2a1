import { listClients } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';

/** POST /internal/clients/list: every client application. */
export const list = endpoint({
  access: 'service',
  summary: 'The client applications',
  ...listClients,
  handler: async (_call, { clients }: Context) => ({
    clients: (await clients.all()).map(({ _id, name, redirect_uris, staff, disabled }) => ({
      client_id: _id,
      name,
      redirect_uris: [...redirect_uris],
      staff,
      disabled,
    })),
  }),
});
