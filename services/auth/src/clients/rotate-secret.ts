import { invalidArgument, notFound } from '@covalence/contract/failure';
import { addSecret, retireSecret } from '@covalence/contract/peers/auth-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import type { ClientApplication, ClientContext } from './client-store.ts';
import { hashSecret, newSecret, secretHashesOf, secretId } from './secrets.ts';

async function clientOf(clientId: string, { clients }: ClientContext): Promise<ClientApplication> {
  const client = await clients.find(clientId);
  if (!client) throw notFound();
  return client;
}

/** POST /internal/clients/secret: adds a second secret. Only this response has it; the first one stays valid. */
export const addNewSecret = serviceEndpoint(addSecret, async ({ client_id }, context: ClientContext) => {
  const client = await clientOf(client_id, context);
  if (!secretHashesOf(client).length) throw invalidArgument();
  const client_secret = newSecret();
  const second_secret = { hash: hashSecret(client_secret), created_at: context.clock() };
  if (client.second_secret || !(await context.clients.change(client_id, { second_secret }, client)))
    throw invalidArgument();
  context.security.record('client_changed', { client: client_id, reason: 'secret_added' });
  return { client_secret, secret_id: secretId(second_secret.hash) };
});

/** POST /internal/clients/retire-secret: removes one of two secrets. */
export const retireOldSecret = serviceEndpoint(
  retireSecret,
  async ({ client_id, secret_id }, context: ClientContext) => {
    const client = await clientOf(client_id, context);
    const [older = '', newer] = secretHashesOf(client);
    if (newer === undefined) throw invalidArgument();
    const wanted = secret_id ?? secretId(older);
    const retired = [older, newer].find((each) => secretId(each) === wanted);
    if (retired === undefined) throw invalidArgument();
    const kept = retired === older ? newer : older;
    const change = { secret_hash: kept, second_secret: undefined };
    if (!(await context.clients.change(client_id, change, client))) throw invalidArgument();
    context.security.record('client_changed', { client: client_id, reason: 'secret_retired' });
    return { secret_id: secretId(retired) };
  },
);
