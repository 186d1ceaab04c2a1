import { invalidArgument, notFound } from '@covalence/contract/failure';
import * as authApi from '@covalence/contract/peers/auth-api';
import { originsOf, redirectUriProblem } from '@covalence/contract/redirect-uri';
import { serviceEndpoint } from '@covalence/http/endpoint';
import { randomUUID } from 'node:crypto';
import type { ClientChange, ClientContext } from './client-store.ts';
import { publishOrigins } from './repeat-flags.ts';
import {
  hashSecret,
  isFapi,
  isPublic,
  newSecret,
  secretHashesOf,
  secretId,
  secretMatches,
} from './secrets.ts';
import { requiresPkce, settingsOf } from './settings.ts';

const checkRedirects = (uris: readonly string[]): void => {
  if (uris.some((uri) => redirectUriProblem(uri) !== undefined)) throw invalidArgument();
};

/** Writes to Redis after MongoDB has the change. When Redis is down, `repeatClientFlags` catches up. */
async function inform({ logger }: ClientContext, work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) =>
    logger.warn({ err: error }, 'Redis is down: client flags will be repeated'),
  );
}

/** POST /internal/clients/create: registers a client application. Only this response has the secret. */
export const registerClient = serviceEndpoint(
  authApi.createClient,
  async (
    { client_id = randomUUID(), name, redirect_uris, staff, public: isForApps, fapi_keys, ...settings },
    context: ClientContext,
  ) => {
    const { clients, clock, security } = context;
    checkRedirects([...redirect_uris, ...(settings.post_logout_redirect_uris ?? [])]);
    if (fapi_keys && (staff || isForApps)) throw invalidArgument();
    if (await clients.find(client_id)) throw invalidArgument();
    const client_secret = isForApps || fapi_keys ? undefined : newSecret();
    await clients.add({
      _id: client_id,
      name,
      ...(client_secret !== undefined && { secret_hash: hashSecret(client_secret) }),
      ...(fapi_keys && { fapi_keys }),
      redirect_uris,
      staff,
      disabled: false,
      created_at: clock(),
      ...settings,
    });
    security.record('client_changed', { client: client_id, reason: 'created' });
    if (isForApps) await inform(context, () => publishOrigins(clients));
    return { client_id, ...(client_secret !== undefined && { client_secret }) };
  },
);

/** POST /internal/clients/list: every client application. */
export const listAllClients = serviceEndpoint(
  authApi.listClients,
  async (_input, { clients }: ClientContext) => ({
    clients: (await clients.all()).map((client) => ({
      client_id: client._id,
      name: client.name,
      redirect_uris: [...client.redirect_uris],
      staff: client.staff,
      public: isPublic(client),
      fapi: isFapi(client),
      disabled: client.disabled,
      secrets: secretHashesOf(client).map(secretId),
      ...settingsOf(client),
      require_pkce: requiresPkce(client),
    })),
  }),
);

/** POST /internal/clients/verify: checks the credentials of a client application; 403 without code when they are wrong. */
export const checkClient = serviceEndpoint(
  authApi.verifyClient,
  async (input, { clients }: ClientContext) => {
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
);

/** POST /internal/clients/returns: whether addresses are on the origins that a client is registered with. */
export const checkReturns = serviceEndpoint(
  authApi.checkReturns,
  async (input, { clients }: ClientContext) => {
    const client = await clients.find(input.client_id);
    if (!client || client.disabled) return { allowed: false };
    const origins = new Set(
      originsOf([...client.redirect_uris, ...(client.post_logout_redirect_uris ?? [])]),
    );
    return { allowed: input.urls.every((url) => origins.has(new URL(url).origin)) };
  },
);

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
export const changeRedirects = serviceEndpoint(
  authApi.setRedirects,
  async ({ client_id, redirect_uris }, context: ClientContext) => {
    checkRedirects(redirect_uris);
    await change(client_id, { redirect_uris }, 'redirects', context);
    await inform(context, () => publishOrigins(context.clients));
    return {};
  },
);

/** POST /internal/clients/settings: changes the settings in the request and keeps the others. */
export const changeSettings = serviceEndpoint(
  authApi.setClientSettings,
  async ({ client_id, ...settings }, context: ClientContext) => {
    checkRedirects(settings.post_logout_redirect_uris ?? []);
    await change(client_id, settings, 'settings', context);
    return {};
  },
);

/** POST /internal/clients/disable: rejects a client and its access tokens, or accepts them again. */
export const changeDisabled = serviceEndpoint(
  authApi.disableClient,
  async ({ client_id, disabled }, context: ClientContext) => {
    const to = { disabled, ...(disabled && { disabled_at: context.clock() }) };
    await change(client_id, to, disabled ? 'disabled' : 'enabled', context);
    const { clients } = context;
    await inform(context, async () => {
      await clients.flags.setDisabled(client_id, disabled);
      await publishOrigins(clients);
    });
    return {};
  },
);
