import { Failure } from '@covalence/contract/failure';
import { everySite } from '@covalence/contract/staff-roles';
import type { Peer } from '@covalence/http/peer';
import type { Demo } from './demo.ts';

type DemoClient = Pick<Demo, 'client_id' | 'client_secret' | 'redirect_uri'>;

/** Registers a client application with this redirect address. */
export async function registerClient(
  auth: Peer<'auth'>,
  name: string,
  redirectUri: string,
  staff = false,
): Promise<DemoClient> {
  const input = { name, redirect_uris: [redirectUri], staff };
  const { client_id, client_secret = '' } = await auth.createClient(input);
  return { client_id, client_secret, redirect_uri: redirectUri };
}

/** Registers the public client, whose apps listen on any loopback port. */
export async function registerPublicClient(auth: Peer<'auth'>): Promise<Demo['public_client']> {
  const redirect_uri = 'http://127.0.0.1/callback';
  const input = { name: 'Demo app without a secret', redirect_uris: [redirect_uri], public: true };
  const { client_id } = await auth.createClient(input);
  return { client_id, redirect_uri };
}

/** Registers the console, or corrects its address: the port may be another one now. */
export async function registerConsole(
  auth: Peer<'auth'>,
  client_id: string,
  consoleUrl: string,
): Promise<void> {
  const redirect_uris = [`${consoleUrl}/signed-in`];
  const post_logout_redirect_uris = [`${consoleUrl}/signed-out`];
  try {
    await auth.setRedirects({ client_id, redirect_uris });
    await auth.setClientSettings({ client_id, post_logout_redirect_uris });
  } catch (error) {
    if (!(error instanceof Failure && error.status === 404)) throw error;
    const kind = { staff: true, public: true, post_logout_redirect_uris };
    await auth.createClient({ client_id, name: 'Console', redirect_uris, ...kind });
  }
}

/** The name of the staff account. */
export const staffUsername = 'staff';

/** Creates the staff account unless it exists. */
export async function registerStaff(auth: Peer<'auth'>, password: string): Promise<void> {
  const input = { username: staffUsername, password, roles: { [everySite]: ['admin' as const] } };
  await auth.createStaff(input).catch((error: unknown) => {
    if (!(error instanceof Failure && error.status === 403)) throw error;
  });
}
