import { exportJWK, generateKeyPair } from 'jose';
import { KeyObject, sign, verify } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { Provider, type Adapter, type AdapterPayload } from 'oidc-provider';

/**
 * What the auth service is compared with, in a process of its own: oidc-provider with an in-memory adapter and nothing
 * else, rotation, and tokens of the contract's form: access and refresh tokens are JWTs signed ES256. To the message
 * `families` of the process that forked it, it answers with its address, client and refresh tokens of new families, to `cpu` with the milliseconds of processor time it has used.
 */
const families = Number(process.argv[2]);
const audience = 'http://api.test';
const client = { client_id: 'bench', client_secret: 's'.repeat(43) };
const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
const keys = { sign: KeyObject.from(privateKey), verify: KeyObject.from(publicKey) };

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const header = encode({ alg: 'ES256', typ: 'refresh+jwt', kid: 'bench' });

/** A JWT around the opaque id of a refresh token. */
function wrap(jti: string): string {
  const iat = Math.floor(Date.now() / 1000);
  const text = `${header}.${encode({ iss: 'http://auth.test', jti, iat, exp: iat + 86_400 })}`;
  // In DER, which Node makes at half the cost; nobody but us reads it.
  const signature = sign('sha256', Buffer.from(text), keys.sign);
  return `${text}.${signature.toString('base64url')}`;
}

/** The id inside; throws where the signature is not ours. */
function unwrap(token: string): string {
  const [head = '', payload = '', signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  if (!verify('sha256', Buffer.from(`${head}.${payload}`), keys.verify, bytes)) throw new Error('not ours');
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { jti: string }).jti;
}

/** So many of a kind are remembered; nothing is asked for again after as many others. */
const remembered = 10_000;

const done = Promise.resolve();
const nobody = () => Promise.resolve(undefined);

/**
 * The storage of one kind. The provider's own forgets a refresh token that is still good after a thousand writes, and goes through
 * all that a family ever gave with each of its refreshes.
 */
function memory(): Adapter {
  const entries = new Map<string, AdapterPayload>();
  return {
    upsert(id, payload) {
      entries.set(id, payload);
      const [oldest] = entries.keys();
      if (entries.size > remembered && oldest !== undefined) entries.delete(oldest);
      return done;
    },
    find: (id) => Promise.resolve(entries.get(id)),
    consume(id) {
      const entry = entries.get(id);
      if (entry) entry.consumed = Math.floor(Date.now() / 1000);
      return done;
    },
    destroy(id) {
      entries.delete(id);
      return done;
    },
    findByUid: nobody,
    findByUserCode: nobody,
    revokeByGrantId: () => done,
  };
}

const provider = new Provider('http://auth.test', {
  adapter: memory,
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

provider.use(async (context, next) => {
  await next();
  const body = context.body as { refresh_token?: string } | undefined;
  if (typeof body?.refresh_token === 'string') body.refresh_token = wrap(body.refresh_token);
});
const { RefreshToken } = provider;
const findById = RefreshToken.find.bind(RefreshToken);
Object.assign(RefreshToken, {
  find: (token: string, options?: object) => findById(unwrap(token), options),
});

async function refreshTokenOf(accountId: string): Promise<string> {
  const found = await provider.Client.find(client.client_id);
  if (!found) throw new Error('the client is not there');
  const grant = new provider.Grant({ accountId, clientId: client.client_id });
  grant.addResourceScope(audience, 'member');
  const grantId = await grant.save();
  const parts = { accountId, grantId, client: found, gty: 'authorization_code', scope: 'member' };
  return wrap(await new provider.RefreshToken({ ...parts, resource: audience }).save());
}

const server = provider.listen(0, '127.0.0.1');
const target = async () => {
  const { port } = server.address() as AddressInfo;
  const tokens = await Promise.all(Array.from({ length: families }, (_one, at) => refreshTokenOf(`m${at}`)));
  return { url: `http://127.0.0.1:${port}/token`, client, tokens };
};
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return Promise.resolve((user + system) / 1_000);
};
process.on('message', (question) => {
  (question === 'cpu' ? cpu() : target())
    .then((answer) => process.send?.(answer))
    .catch((error: unknown) => process.emitWarning(String(error)));
});
process.once('disconnect', () => process.exit(0));
