import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import request from 'supertest';
import { destination } from '../../support/browser.ts';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import type { TestMember } from '../../support/people.ts';

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');
const withChallenge = { code_challenge: challenge, code_challenge_method: 'S256' };

let auth: ServiceUnderTest;
let member: TestMember;
beforeAll(async () => {
  auth = await startService('pkce');
  member = await auth.addMember();
});
afterAll(() => auth.close());

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

const end = (parameters: Record<string, string>) =>
  auth
    .browser()
    .signIn(auth.client, member, parameters)
    .then(({ searchParams }) => searchParams);

async function exchanged(parameters: Record<string, string>, proof: Record<string, string>) {
  const code = (await end(parameters)).get('code') ?? '';
  const { status, body } = await auth.token({
    ...auth.client,
    grant_type: 'authorization_code',
    code,
    ...proof,
  });
  return [status, (body as { error?: string }).error];
}

describe('PKCE', () => {
  it.each<[string, Record<string, string>, Record<string, string>, [number, string | undefined]]>([
    ['the right verifier', withChallenge, { code_verifier: verifier }, [200, undefined]],
    ['another verifier', withChallenge, { code_verifier: 'x'.repeat(43) }, [400, 'invalid_grant']],
    ['no verifier, where there was a challenge', withChallenge, {}, [400, 'invalid_grant']],
    ['a verifier without a challenge (downgrade)', {}, { code_verifier: verifier }, [400, 'invalid_grant']],
    ['neither', {}, {}, [200, undefined]],
  ])('%s', async (_case, parameters, proof, expected) => {
    expect(await exchanged(parameters, proof)).toEqual(expected);
  });

  it('rejects the plain method', async () => {
    const plain = { code_challenge: verifier, code_challenge_method: 'plain' };
    const back = destination(await auth.browser().begin(auth.client, plain)).searchParams;
    expect([back.get('code'), back.get('error')]).toEqual([null, 'invalid_request']);
  });
});

describe('unsupported features', () => {
  it.each(['password', 'client_credentials', 'implicit', 'urn:ietf:params:oauth:grant-type:device_code'])(
    'rejects the grant type %s',
    async (grant_type) => {
      const { username, password } = member;
      const { status, body } = await auth.token({
        ...auth.client,
        grant_type,
        username,
        password,
        scope: 'member',
      });
      expect(status).toBe(400);
      expect((body as { error: string }).error).toMatch(/^(unsupported_grant_type|unauthorized_client)$/);
    },
  );

  it.each(['token', 'id_token', 'code token', 'code id_token', 'id_token token', 'none'])(
    'rejects the response type %s',
    async (response_type) => {
      const back = destination(await auth.browser().begin(auth.client, { response_type }));
      const told = back.searchParams;
      expect([told.get('error'), back.hash]).toEqual(['unsupported_response_type', '']);
      expect(['code', 'access_token', 'id_token'].filter((name) => told.has(name))).toEqual([]);
    },
  );

  it.each(['fragment', 'form_post', 'web_message', 'jwt', 'query.jwt', 'FRAGMENT', ''])(
    'rejects the response mode %j in the query, signed in or not',
    async (response_mode) => {
      const browser = auth.browser();
      const told = async () => {
        const back = destination(await browser.begin(auth.client, { response_mode, state: 'kept' }));
        return [back.searchParams.get('error'), back.searchParams.get('state'), back.hash];
      };
      expect(await told()).toEqual(['unsupported_response_mode', 'kept', '']);
      await browser.signIn(auth.client, member, { response_mode: 'query' });
      expect(await told()).toEqual(['unsupported_response_mode', 'kept', '']);
    },
  );

  it.each(['staff', 'member staff', 'openid offline_access'])(
    'ignores the requested scope %s of the client of an app',
    async (scope) => {
      const code = (await end({ scope })).get('code') ?? '';
      const exchange = { ...auth.client, grant_type: 'authorization_code', code, scope };
      const first = (await auth.token(exchange)).body as Tokens;
      expect(decodeJwt(first.access_token)).toMatchObject({ scope: 'member' });
      const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token, scope };
      const next = (await auth.token({ ...auth.client, ...refresh }).expect(200)).body as Tokens;
      expect(decodeJwt(next.access_token)).toMatchObject({ scope: 'member' });
    },
  );
});

it('names the issuer in a redirect, against mix-up attacks (RFC 9207)', async () => {
  expect((await end({})).get('iss')).toBe('http://auth.test');
});

it.each(['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'])(
  'publishes only supported features at %s (RFC 8414)',
  async (path) => {
    const { body } = await request(auth.server).get(path).expect(200);
    expect(body).toMatchObject({
      issuer: 'http://auth.test',
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      response_types_supported: ['code'],
      ui_locales_supported: ['en-US', 'es-ES', 'de-DE', 'fr-FR', 'el-GR', 'tr-TR'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: [
        'client_secret_basic',
        'client_secret_post',
        'private_key_jwt',
        'none',
      ],
    });
    expect(body.response_modes_supported).toEqual(['query']);
  },
);
