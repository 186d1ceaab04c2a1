import { invalidArgument, notFound } from '@covalence/contract/failure';
import { disableClient, setClientSettings, setRedirects } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { ClientChange, ClientContext } from './client-store.ts';
import { isAllowedRedirect } from './redirect-uris.ts';

async function change(
  clientId: string,
  to: ClientChange,
  reason: string,
  { clients, security }: ClientContext,
): Promise<void> {
  if (!(await clients.change(clientId, to))) throw notFound();
  security.record('client_changed', { client: clientId, reason });
}

/** POST /internal/clients/redirects: replaces the redirect URIs of a client. */
export const changeRedirects = endpoint({
  access: 'service',
  summary: 'Replace the redirect URIs of a client application',
  ...setRedirects,
  handler: async ({ input: { client_id, redirect_uris } }, context: ClientContext) => {
    if (!redirect_uris.every(isAllowedRedirect)) throw invalidArgument();
    await change(client_id, { redirect_uris }, 'redirects', context);
    return {};
  },
});

/** POST /internal/clients/settings: changes the settings in the request and keeps the others. */
export const changeSettings = endpoint({
  access: 'service',
  summary: 'Change the settings of a client application',
  ...setClientSettings,
  handler: async ({ input: { client_id, ...settings } }, context: ClientContext) => {
    await change(client_id, settings, 'settings', context);
    return {};
  },
});

/** POST /internal/clients/disable: rejects a client and its access tokens, or accepts them again. */
export const changeDisabled = endpoint({
  access: 'service',
  summary: 'Disable or enable a client application',
  ...disableClient,
  handler: async ({ input: { client_id, disabled } }, context: ClientContext) => {
    const to = { disabled, ...(disabled && { disabled_at: context.now() }) };
    await change(client_id, to, disabled ? 'disabled' : 'enabled', context);
    // MongoDB has the change; when Redis is down, repeatClientFlags() catches up.
    await context.clients.flags
      .setDisabled(client_id, disabled)
      .catch((error: unknown) =>
        context.logger.warn({ err: error }, 'Redis is down: client flags will be repeated'),
      );
    return {};
  },
});
