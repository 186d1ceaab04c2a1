import { invalidArgument, notFound } from '@covalence/contract/failure';
import { disableClient, renewSecret, setRedirects } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';
import { tellOfClient } from '../families/end-families.ts';
import type { ClientChange } from './client-store.ts';
import { isAcceptable } from './redirect-uris.ts';
import { hashSecret, newSecret } from './secrets.ts';

async function change(clientId: string, to: ClientChange, { clients, logger }: Context): Promise<void> {
  if (!(await clients.change(clientId, to))) throw notFound();
  logger.info({ client_id: clientId, changed: Object.keys(to) }, 'client application changed');
}

/** POST /internal/clients/redirects: replaces the addresses that a client may come back to. */
export const changeRedirects = endpoint({
  access: 'service',
  summary: 'Replace the redirect addresses of a client application',
  ...setRedirects,
  handler: async ({ input: { client_id, redirect_uris } }, context: Context) => {
    if (!redirect_uris.every(isAcceptable)) throw invalidArgument();
    await change(client_id, { redirect_uris }, context);
    return {};
  },
});

/** POST /internal/clients/secret: a new secret, in this answer only (spec 1). */
export const changeSecret = endpoint({
  access: 'service',
  summary: 'Give a client application a new secret',
  ...renewSecret,
  handler: async ({ input: { client_id } }, context: Context) => {
    const client_secret = newSecret();
    await change(client_id, { secret_hash: hashSecret(client_secret) }, context);
    return { client_secret };
  },
});

/** POST /internal/clients/disable: turns a client and its access tokens away, or lets them in again. */
export const changeDisabled = endpoint({
  access: 'service',
  summary: 'Disable or enable a client application',
  ...disableClient,
  handler: async ({ input: { client_id, disabled } }, context: Context) => {
    await change(client_id, { disabled, ...(disabled && { disabled_at: context.now() }) }, context);
    await tellOfClient(client_id, disabled, context);
    return {};
  },
});
