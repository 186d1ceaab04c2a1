import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { redisKeys } from '@covalence/contract/redis-keys';
import { createHash, randomBytes } from 'node:crypto';
import request from 'supertest';
import { startService, type ServiceUnderTest } from '../harness.ts';
import { destination } from '../support/browser.ts';
import type { ShownClient, TestMember } from '../support/people.ts';

interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
}

let auth: ServiceUnderTest;
let member: TestMember;
let app: ShownClient;
beforeAll(async () => {
  auth = await startService('publicclients');
  member = await auth.addMember();
  app = await create(['http://127.0.0.1/callback']);
});
afterAll(() => auth.close());

const create = async (redirect_uris: string[], settings: object = {}): Promise<ShownClient> => {
  const input = { name: 'Browser app', redirect_uris, public: true, ...settings };
  const { body } = await auth.internal('/internal/clients/create', input).expect(200);
  expect(body).toEqual({ client_id: expect.any(String) });
  return { client_id: (body as ShownClient).client_id, redirect_uri: redirect_uris[0] ?? '' };
};

const code_verifier = randomBytes(32).toString('base64url');
const challenge = {
  code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
  code_challenge_method: 'S256',
};
const codeOf = async (client: ShownClient) =>
  (await auth.browser().signIn(client, member, challenge)).searchParams.get('code') ?? '';
const exchange = (client: ShownClient, code: string, proof: Record<string, string> = { code_verifier }) =>
  auth.token({ ...client, grant_type: 'authorization_code', code, ...proof });
const refresh = ({ client_id }: ShownClient, refresh_token: string) =>
  auth.token({ client_id, grant_type: 'refresh_token', refresh_token });
const refreshed = async (client: ShownClient, { refresh_token }: Pair) =>
  (await refresh(client, refresh_token).expect(200)).body as Pair;
const signIn = async (client = app) =>
  (await exchange(client, await codeOf(client)).expect(200)).body as Pair;

describe('a public client', () => {
  it('exchanges a code with its verifier and no secret, refreshes and revokes', async () => {
    const first = await signIn();
    const second = (await refresh(app, first.refresh_token).expect(200)).body as Pair;
    const { client_id } = app;
    const revocation = { client_id, token: second.refresh_token };
    await request(auth.server).post('/revoke').type('form').send(revocation).expect(200);
    expect((await refresh(app, second.refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('gets no sign-in without a challenge, and no tokens without the verifier', async () => {
    const back = destination(await auth.browser().begin(app)).searchParams;
    expect([back.get('error'), back.get('code')]).toEqual(['invalid_request', null]);
    const proofs: Record<string, string>[] = [{}, { code_verifier: 'x'.repeat(43) }, { client_secret: 'x' }];
    for (const proof of proofs) {
      const { status, body } = await exchange(app, await codeOf(app), proof);
      expect([proof, status, (body as { access_token?: string }).access_token]).toEqual([
        proof,
        status,
        undefined,
      ]);
      expect([400, 401]).toContain(status);
    }
  });

  it('ends a sign-in a year after its credentials, however often it is used, unless it is set to go on', async () => {
    const day = 86_400_000;
    const endless = await create(['https://app.example/callback'], { refresh_lifetime_seconds: null });
    let [pair, other] = [await signIn(), await signIn(endless)];
    for (let days = 12; days < 365; days += 12)
      [pair, other] = await auth.later(days * day, () =>
        Promise.all([refreshed(app, pair), refreshed(endless, other)]),
      );
    await auth.later(366 * day, async () => {
      expect((await refresh(app, pair.refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
      await refresh(endless, other.refresh_token).expect(200);
    });
  });

  it('listens on any port of its loopback address', async () => {
    const here = { ...app, redirect_uri: 'http://127.0.0.1:51004/callback' };
    const { headers } = await auth.browser().begin(here, challenge);
    expect(headers['content-security-policy']).toContain(' http://127.0.0.1:51004;');
    const back = await auth.browser().signIn(here, member, challenge);
    expect(back.href.startsWith('http://127.0.0.1:51004/callback?code=')).toBe(true);
    const code = back.searchParams.get('code') ?? '';
    await exchange({ ...here, redirect_uri: 'http://127.0.0.1:51005/callback' }, code).expect(400);
    await exchange(here, await codeOf(here)).expect(200);
    for (const redirect_uri of ['http://127.0.0.1:51004/other', 'http://localhost:51004/callback'])
      expect((await auth.browser().begin({ ...app, redirect_uri }, challenge)).status).toBe(400);
  });

  it('loses its sign-in when a refresh token is used again after the grace', async () => {
    const first = await signIn();
    const second = (await refresh(app, first.refresh_token).expect(200)).body as Pair;
    await auth.later(11_000, async () => {
      for (const { refresh_token } of [first, second])
        expect((await refresh(app, refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
    });
  });

  it('cannot use tokens of another client, nor another client its', async () => {
    const other = await create(['https://other.example/back']);
    const { refresh_token } = await signIn();
    const refused = { error: 'invalid_grant' };
    expect((await refresh(other, refresh_token)).body).toMatchObject(refused);
    const asOther = await auth.token({ ...auth.client, grant_type: 'refresh_token', refresh_token });
    expect(asOther.body).toMatchObject(refused);
    await refresh(app, refresh_token).expect(200);
  });

  it('does not pass where a secret is needed, and gets none', async () => {
    const { client_id } = app;
    const statusOf = async (action: string, body: object = {}) =>
      (await auth.internal(`/internal/clients/${action}`, { client_id, ...body })).status;
    for (const client_secret of ['', 'undefined', 'x'])
      expect(await statusOf('verify', { client_secret })).toBe(403);
    expect(await statusOf('secret')).toBe(403);
    expect(await statusOf('retire-secret')).toBe(403);
  });

  it('is listed in discovery', async () => {
    const { body } = await request(auth.server).get('/.well-known/oauth-authorization-server').expect(200);
    expect(body).toMatchObject({
      token_endpoint_auth_methods_supported: expect.arrayContaining(['none', 'client_secret_post']),
      code_challenge_methods_supported: ['S256'],
    });
  });
});

const published = async (): Promise<string[]> => {
  const text = await auth.context.redis.get(redisKeys.origins(auth.context.config.NAMESPACE));
  return JSON.parse(text ?? '[]') as string[];
};

describe('the origins of public clients', () => {
  it('reach the gateway with every change, without those of other clients', async () => {
    await auth.createClient({ redirect_uri: 'https://server.example/back' });
    const { client_id } = await create(['https://pages.example/back', 'com.example.app:/back']);
    expect(await published()).toContain('https://pages.example');
    expect(await published()).not.toContain('https://server.example');
    const redirect_uris = ['https://moved.example/back'];
    await auth.internal('/internal/clients/redirects', { client_id, redirect_uris }).expect(200);
    expect(await published()).toContain('https://moved.example');
    expect(await published()).not.toContain('https://pages.example');
    await auth.internal('/internal/clients/disable', { client_id, disabled: true }).expect(200);
    expect(await published()).not.toContain('https://moved.example');
  });

  it('are written again when Redis has lost them', async () => {
    await create(['https://kept.example/back']);
    await auth.context.redis.del(redisKeys.origins(auth.context.config.NAMESPACE));
    await auth.runJobs();
    expect(await published()).toContain('https://kept.example');
  });
});

describe('a confidential client', () => {
  it('has to send its secret, and its loopback address is compared exactly', async () => {
    const client = await auth.createClient({ redirect_uri: 'http://127.0.0.1:8976/back' });
    const { client_id, redirect_uri } = client;
    const code = (await auth.browser().signIn(client, member)).searchParams.get('code') ?? '';
    await exchange({ client_id, redirect_uri }, code, {}).expect(401);
    const other = { client_id, redirect_uri: 'http://127.0.0.1:8977/back' };
    expect((await auth.browser().begin(other)).status).toBe(400);
  });
});
