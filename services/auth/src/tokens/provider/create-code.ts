import type { Account } from '../../accounts/account.ts';
import { appDevice } from '../families/app-device.ts';
import type { ServerContext } from './authorization-server.ts';
import { scopeOf } from './provider.ts';
import type { IssuedCode } from './request-state.ts';
import type { SignInMethod } from '../sessions/sign-in-result.ts';
import { isStaffClient } from './sign-in-policy.ts';

/** The method of the proof, and the time when the credentials were entered, in seconds since the epoch. */
interface CodeEntry {
  readonly method: SignInMethod;
  readonly authTime: number;
}

/**
 * Creates a code for an account without a request of a browser; undefined for an unknown client, or one of the other kind.
 * `parameters` name the device.
 */
export async function createCode(
  clientId: string,
  account: Account,
  { method, authTime }: CodeEntry,
  parameters: Readonly<Record<string, unknown>>,
  { tokens, audience: resource }: ServerContext,
): Promise<IssuedCode | undefined> {
  const { provider, envelopes } = await tokens.server.current();
  const client = await provider.Client.find(clientId);
  const [redirectUri] = client?.redirectUris ?? [];
  // A member at the client of staff would get tokens of staff.
  if (!client || !redirectUri || isStaffClient(client) !== account.staff) return undefined;
  const scope = scopeOf(client);
  const grant = new provider.Grant({ accountId: account._id, clientId: client.clientId });
  grant.addResourceScope(resource, scope);
  const grantId = await grant.save();
  await tokens.families.setDevice(grantId, appDevice(parameters));
  const code = new provider.AuthorizationCode({
    client,
    accountId: account._id,
    grantId,
    gty: 'authorization_code',
    redirectUri,
    resource,
    scope,
    amr: [method],
    authTime,
  });
  return { code: envelopes.wrapCode(await code.save()), redirect_uri: redirectUri };
}
