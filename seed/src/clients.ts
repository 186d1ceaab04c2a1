import { Failure } from '@covalence/contract/failure';
import type { Peer } from '@covalence/http/peer';
import type { Demo } from './demo.ts';

/** A client application in `.data/demo.json`. */
export type DemoClient = Pick<Demo, 'client_id' | 'client_secret' | 'redirect_uri'>;

/** Registers a client application with this redirect address. */
export async function registerClient(
  auth: Peer<'auth'>,
  name: string,
  redirectUri: string,
  staff = false,
): Promise<DemoClient> {
  const input = { name, redirect_uris: [redirectUri], staff };
  const created = await auth.createClient(input);
  return { ...created, redirect_uri: redirectUri };
}

/** The name of the staff account. */
export const staffUsername = 'staff';

/** Creates the staff account unless it exists. */
export async function registerStaff(auth: Peer<'auth'>, password: string): Promise<void> {
  const input = { username: staffUsername, password };
  await auth.createStaff(input).catch((error: unknown) => {
    if (!(error instanceof Failure && error.status === 403)) throw error;
  });
}
