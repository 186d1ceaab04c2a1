import { invalidArgument } from '@covalence/contract/failure';
import { createClient } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import { randomUUID } from 'node:crypto';
import type { ClientContext } from './client-store.ts';
import { isAllowedRedirect } from './redirect-uris.ts';
import { hashSecret, newSecret } from './secrets.ts';

/** POST /internal/clients/create: registers a client application. Only this response has the secret. */
export const create = endpoint({
  access: 'service',
  summary: 'Register a client application',
  ...createClient,
  handler: async (
    { input: { name, redirect_uris, staff, ...settings } },
    { clients, now, security }: ClientContext,
  ) => {
    if (!redirect_uris.every(isAllowedRedirect)) throw invalidArgument();
    const client_secret = newSecret();
    const client_id = randomUUID();
    await clients.add({
      _id: client_id,
      name,
      secret_hash: hashSecret(client_secret),
      redirect_uris,
      staff,
      disabled: false,
      created_at: now(),
      ...settings,
    });
    security.record('client_changed', { client: client_id, reason: 'created' });
    return { client_id, client_secret };
  },
});
