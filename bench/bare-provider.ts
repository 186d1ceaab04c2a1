import { exportJWK, generateKeyPair } from 'jose';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/**
 * What the auth service is compared with, in a process of its own: oidc-provider with its in-memory adapter and nothing
 * else, ES256, JWT access tokens, rotation. For every message of the process that forked it, sends its address, client and
 * refresh tokens of new families: its memory forgets what it has not seen for a thousand entries.
 */
const families = Number(process.argv[2]);
const audience = 'http://api.test';
const client = { client_id: 'bench', client_secret: 's'.repeat(43) };
const { privateKey } = await generateKeyPair('ES256', { extractable: true });

const provider = new Provider('http://auth.test', {
  jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig', kid: 'bench' }] },
  clients: [
    {
      ...client,
      redirect_uris: ['https://app.example/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_post',
      id_token_signed_response_alg: 'ES256',
    },
  ],
  scopes: ['member'],
  findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
  issueRefreshToken: () => true,
  rotateRefreshToken: true,
  expiresWithSession: () => false,
  ttl: { AccessToken: 1_800, RefreshToken: 86_400, Grant: 86_400 },
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => audience,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: 'member',
        audience,
        accessTokenFormat: 'jwt',
        accessTokenTTL: 1_800,
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
});

async function refreshTokenOf(accountId: string): Promise<string> {
  const found = await provider.Client.find(client.client_id);
  if (!found) throw new Error('the client is not there');
  const grant = new provider.Grant({ accountId, clientId: client.client_id });
  grant.addResourceScope(audience, 'member');
  const grantId = await grant.save();
  const parts = { accountId, grantId, client: found, gty: 'authorization_code', scope: 'member' };
  return new provider.RefreshToken({ ...parts, resource: audience }).save();
}

const server = provider.listen(0, '127.0.0.1');
process.on('message', () => {
  const { port } = server.address() as AddressInfo;
  const target = { url: `http://127.0.0.1:${port}/token`, client };
  Promise.all(Array.from({ length: families }, (_one, at) => refreshTokenOf(`m${at}`)))
    .then((tokens) => process.send?.({ ...target, tokens }))
    .catch((error: unknown) => process.emitWarning(String(error)));
});
process.once('disconnect', () => process.exit(0));
