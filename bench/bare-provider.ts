import { exportJWK, generateKeyPair } from 'jose';
import { KeyObject, sign, verify } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { Provider, type Adapter, type AdapterPayload } from 'oidc-provider';

/**
 * The reference of the auth service: oidc-provider with an in-memory adapter, rotation, and JWTs signed with
 * ES256. It answers each message of its parent with its address, its client and refresh tokens of new
 * families.
 */
const families = Number(process.argv[2]);
const audience = 'http://api.test';
const client = { client_id: 'bench', client_secret: 's'.repeat(43) };
const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
const keys = { sign: KeyObject.from(privateKey), verify: KeyObject.from(publicKey) };

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const header = encode({ alg: 'ES256', typ: 'refresh+jwt', kid: 'bench' });

/** Wraps the opaque id of a refresh token in a JWT. */
function wrap(jti: string): string {
  const iat = Math.floor(Date.now() / 1000);
  const text = `${header}.${encode({ iss: 'http://auth.test', jti, iat, exp: iat + 86_400 })}`;
  // DER costs half as much as the JOSE format, and only this process reads it.
  const signature = sign('sha256', Buffer.from(text), keys.sign);
  return `${text}.${signature.toString('base64url')}`;
}

/** Unwraps the id; throws for a wrong signature. */
function unwrap(token: string): string {
  const [head = '', payload = '', signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  if (!verify('sha256', Buffer.from(`${head}.${payload}`), keys.verify, bytes))
    throw new Error('wrong signature');
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { jti: string }).jti;
}

/** Number of entries of each kind in memory. */
const remembered = 10_000;

const done = Promise.resolve();
const nobody = () => Promise.resolve(undefined);

/**
 * Storage of one kind. The adapter of the provider loses valid tokens after a thousand writes and walks all
 * tokens of a family.
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
  if (!found) throw new Error('the client is missing');
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
process.on('message', () => {
  target()
    .then((answer) => process.send?.(answer))
    .catch((error: unknown) => process.emitWarning(String(error)));
});
process.once('disconnect', () => process.exit(0));
