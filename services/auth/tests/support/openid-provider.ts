import { listenLocally } from '@covalence/testing/listen-locally';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { exportJWK, generateKeyPair, importJWK, SignJWT, type CryptoKey, type JWK } from 'jose';
import {
  errors,
  interactionPolicy,
  Provider,
  type Adapter,
  type AdapterPayload,
  type KoaContextWithOIDC,
} from 'oidc-provider';

/** Somebody with an account at the provider. */
export interface Person {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean | 'true' | 'false';
  readonly name?: string;
}

/** Differences of the next identity tokens from valid ones. */
export interface Fault {
  readonly iss?: string;
  readonly aud?: string;
  readonly nonce?: string;
  readonly exp?: number;
  readonly iat?: number;
  readonly auth_time?: number | undefined;
  /** Signed with a secret, or not at all. */
  readonly alg?: 'HS256' | 'none';
  /** Signed with a key that the provider does not publish. */
  readonly strangeKey?: true;
}

/** A token that was revoked, and the client that asked for it. */
interface Revocation {
  readonly token: string;
  readonly client_id: string;
}

/** An OpenID provider of a test: oidc-provider, which signs in `person` without asking. */
export interface OpenidProvider {
  readonly issuer: string;
  readonly clientId: string;
  /** The person signed in there; undefined cancels. */
  person: Person | undefined;
  fault: Fault;
  /** Shows a page with a button before it signs somebody in. */
  asks: boolean;
  /** Every request gets 503, no answer at all, an endless one, or is redirected to `elsewhere`. */
  state: 'up' | 'away' | 'silent' | 'endless' | 'redirecting';
  elsewhere: string;
  /** Refresh tokens in the order in which they were issued, and successful calls of the revocation endpoint. */
  readonly refreshTokens: string[];
  readonly revocations: Revocation[];
  /** Whether a refresh token is still good for something. */
  isValid(refreshToken: string): Promise<boolean>;
  /** An authorization code of somebody, as the dialog of a phone gives it to an app. */
  nativeCode(sub: string): Promise<string>;
  /** Replaces the signing key by a new one. */
  rollKeys(): Promise<void>;
  /** Signs an identity token or notice. */
  sign(claims: Readonly<Record<string, unknown>>, fault?: Fault): Promise<string>;
  close(): void;
}

/** Registration of the service under test at the provider. */
interface Registration {
  readonly client_secret: string;
  readonly redirect_uri: string;
  /** The client of a native app, which gets refresh tokens as the service does. Without one there are none. */
  readonly nativeClientId?: string;
  /** Checks the secret of a request instead of comparing it. */
  readonly checkSecret?: (secret: string, issuer: string) => Promise<boolean>;
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JSON text that does not end. */
const endless = () =>
  Readable.from(
    (function* () {
      yield '{"access_token":"';
      for (;;) yield 'a'.repeat(65_536);
    })(),
  );

async function newKey() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), alg: 'RS256', use: 'sig' };
}

const policyWithoutConsent = () => {
  const policy = interactionPolicy.base();
  policy.remove('consent');
  return policy;
};

/** Storage in memory of one kind of entries. */
function memory(): Adapter {
  const entries = new Map<string, AdapterPayload>();
  const findBy = (field: 'uid' | 'userCode') => (text: string) =>
    Promise.resolve([...entries.values()].find((payload) => payload[field] === text));
  return {
    async upsert(id, payload) {
      entries.set(id, payload);
    },
    find: (id) => Promise.resolve(entries.get(id)),
    findByUid: findBy('uid'),
    findByUserCode: findBy('userCode'),
    async consume(id) {
      Object.assign(entries.get(id) ?? {}, { consumed: Math.floor(Date.now() / 1_000) });
    },
    async destroy(id) {
      entries.delete(id);
    },
    async revokeByGrantId(grantId) {
      for (const [id, payload] of entries) if (payload.grantId === grantId) entries.delete(id);
    },
  };
}

/** Starts a provider with one client, the service under test. */
export async function startOpenidProvider({
  client_secret,
  redirect_uri,
  nativeClientId,
  checkSecret,
}: Registration): Promise<OpenidProvider> {
  const clientId = 'covalence-service';
  let key: JWK = await newKey();
  const grant_types = ['authorization_code', ...(nativeClientId ? ['refresh_token'] : [])];
  let provider: Provider;
  let handle: ((request: IncomingMessage, response: ServerResponse) => unknown) | undefined;
  const server = createServer((request, response) => {
    if (self.state === 'up') handle?.(request, response);
    else if (self.state === 'away') response.writeHead(503).end();
    else if (self.state === 'redirecting') response.writeHead(307, { location: self.elsewhere }).end();
    else if (self.state === 'endless') {
      response.writeHead(200, { 'content-type': 'application/json' });
      endless().pipe(response);
    }
  });
  const issuer = `http://127.0.0.1:${await listenLocally(server)}`;

  const build = () => {
    provider = new Provider(issuer, {
      adapter: memory,
      jwks: { keys: [key] },
      clients: [clientId, ...(nativeClientId ? [nativeClientId] : [])].map((client_id) => ({
        client_id,
        client_secret,
        redirect_uris: [redirect_uri],
        grant_types,
        token_endpoint_auth_method: 'client_secret_post',
      })),
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      conformIdTokenClaims: false,
      pkce: { required: (_context, client) => client.clientId === clientId },
      // The dialog of a phone has no redirect address.
      allowOmittingSingleRegisteredRedirectUri: true,
      issueRefreshToken: () => nativeClientId !== undefined,
      responseTypes: ['code'],
      cookies: { keys: ['a key of the test'] },
      ttl: {
        AccessToken: 600,
        IdToken: 600,
        Interaction: 600,
        Grant: 600,
        Session: 600,
        RefreshToken: 86_400,
      },
      features: {
        devInteractions: { enabled: false },
        revocation: {
          enabled: true,
          allowedPolicy(_context, client, token) {
            if (token.clientId !== client.clientId) throw new errors.InvalidRequest('of another client');
            return true;
          },
        },
      },
      interactions: { policy: policyWithoutConsent(), url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...self.person, sub }) }),
      async loadExistingGrant({ oidc }) {
        const grant = new oidc.provider.Grant({
          accountId: oidc.account?.accountId ?? '',
          clientId: oidc.client?.clientId ?? '',
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    if (checkSecret)
      Object.assign(provider.Client.prototype, {
        compareClientSecret: (secret: string) => checkSecret(secret, issuer),
      });
    provider.use(async (context, next) => {
      if (context.path.startsWith('/interaction/')) {
        if (self.asks && context.method === 'GET') {
          context.type = 'html';
          context.body = `<title>Provider</title><form method="post"><button>Allow</button></form>`;
          return;
        }
        const result = self.person
          ? { login: { accountId: self.person.sub } }
          : { error: 'access_denied', error_description: 'the person canceled' };
        return provider.interactionFinished(context.req, context.res, result);
      }
      await next();
      if (context.status !== 200) return;
      const { oidc } = context as KoaContextWithOIDC;
      if (context.path === '/token/revocation')
        self.revocations.push({
          token: String(oidc.params?.['token']),
          client_id: oidc.client?.clientId ?? '',
        });
      if (context.path !== '/token') return;
      const body = context.body as { id_token: string; refresh_token?: string };
      if (body.refresh_token !== undefined) self.refreshTokens.push(body.refresh_token);
      const [, payload = ''] = body.id_token.split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
      body.id_token = await self.sign(claims, self.fault);
    });
    handle = provider.callback();
  };

  const self: OpenidProvider = {
    issuer,
    clientId,
    person: undefined,
    fault: {},
    asks: false,
    state: 'up',
    elsewhere: '',
    refreshTokens: [],
    revocations: [],
    isValid: async (refreshToken) => Boolean(await provider.RefreshToken.find(refreshToken)),
    async nativeCode(accountId) {
      const client = await provider.Client.find(nativeClientId ?? '');
      if (!client) throw new Error('no native client');
      const grant = new provider.Grant({ accountId, clientId: client.clientId });
      grant.addOIDCScope('openid email');
      const grantId = await grant.save();
      const about = { accountId, client, grantId, scope: 'openid email', redirectUri: redirect_uri };
      return new provider.AuthorizationCode({ gty: 'authorization_code', ...about }).save();
    },
    async rollKeys() {
      key = await newKey();
      build();
    },
    async sign(claims, { alg, strangeKey, ...changes } = {}) {
      const now = Math.floor(Date.now() / 1000);
      const whole = { iss: issuer, aud: clientId, iat: now, exp: now + 600, ...claims, ...changes };
      if (alg === 'none') return `${encode({ alg })}.${encode(whole)}.`;
      const header = { alg: alg ?? 'RS256', kid: key.kid ?? '' };
      if (alg === 'HS256')
        return new SignJWT(whole).setProtectedHeader(header).sign(Buffer.from(client_secret));
      const signing = strangeKey ? await newKey() : key;
      return new SignJWT(whole)
        .setProtectedHeader(header)
        .sign((await importJWK(signing, 'RS256')) as CryptoKey);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  build();
  return self;
}

/**
 * Acts as a browser at the provider: follows redirects with the provider's cookies, until it is sent back.
 * Returns the address of the redirect, or the form that it has to post (form_post).
 */
export async function passThrough(
  begin: string,
): Promise<{ readonly url: URL; readonly form?: Readonly<Record<string, string>> }> {
  const cookies = new Map<string, string>();
  const { origin } = new URL(begin);
  let next = new URL(begin);
  while (next.origin === origin) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(next, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) {
      const text = await answer.text();
      const action = /action="([^"]*)"/.exec(text)?.[1];
      if (action === undefined)
        throw new Error(`the provider answered ${answer.status}: ${text.slice(0, 500)}`);
      const inputs = [...text.matchAll(/name="([^"]*)" value="([^"]*)"/g)];
      const form = Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value]));
      return { url: new URL(action), form };
    }
    next = new URL(location, next);
  }
  return { url: next };
}
