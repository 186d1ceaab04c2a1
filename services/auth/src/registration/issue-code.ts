import { invalidArgument } from '@covalence/contract/failure';
import { issueCode } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { SignInContext } from '../sign-in/sign-in-context.ts';
import { scopeOf } from '../tokens/provider/provider.ts';

/** POST /internal/codes: an authorization code for a new member. */
export const issue = endpoint({
  access: 'service',
  summary: 'Issue an authorization code for a new member',
  ...issueCode,
  handler: async (
    { input },
    { tokens, accounts, audience: resource, now }: SignInContext & { audience: string },
  ) => {
    const { provider, envelopes } = await tokens.server.current();
    const [client, account] = await Promise.all([
      provider.Client.find(input.client_id),
      accounts.find(input.member_id),
    ]);
    const [redirectUri] = client?.redirectUris ?? [];
    if (!client || !redirectUri || account?.status !== 'active') throw invalidArgument();
    const scope = scopeOf(client);
    const grant = new provider.Grant({ accountId: account._id, clientId: client.clientId });
    grant.addResourceScope(resource, scope);
    const code = new provider.AuthorizationCode({
      client,
      accountId: account._id,
      grantId: await grant.save(),
      gty: 'authorization_code',
      redirectUri,
      resource,
      scope,
      authTime: Math.floor(now().getTime() / 1000),
    });
    return { code: envelopes.wrapCode(await code.save()) };
  },
});
