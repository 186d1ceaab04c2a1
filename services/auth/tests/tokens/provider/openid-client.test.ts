import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as oauth from 'openid-client';
import type { ServiceUnderTest } from '../../harness.ts';
import { startIssuer } from '../../support/issuer-under-test.ts';
import type { TestMember } from '../../support/people.ts';

describe('a standard OAuth client (openid-client), by configuration alone', () => {
  let auth: ServiceUnderTest;
  let member: TestMember;
  let issuer: string;
  beforeAll(async () => {
    ({ auth, issuer } = await startIssuer('openidclient'));
    member = await auth.addMember();
  });
  afterAll(() => auth.close());

  it.each<[string, { method?: typeof oauth.ClientSecretBasic; public?: boolean }]>([
    ['client_secret_basic', { method: oauth.ClientSecretBasic }],
    ['client_secret_post, which it takes where nothing is said', {}],
    ['none, for a public client', { method: oauth.None, public: true }],
  ])('discovers, signs in with PKCE, refreshes and revokes: %s', async (_method, { method, ...kind }) => {
    const { client_id, client_secret, redirect_uri } = await auth.createClient(kind);
    const config = await oauth.discovery(new URL(issuer), client_id, client_secret, method?.(client_secret), {
      execute: [oauth.allowInsecureRequests],
    });
    expect(config.serverMetadata()).toMatchObject({
      issuer,
      code_challenge_methods_supported: ['S256'],
      token_endpoint: `${issuer}/token`,
      revocation_endpoint: `${issuer}/revoke`,
      revocation_endpoint_auth_methods_supported: [
        'client_secret_basic',
        'client_secret_post',
        'private_key_jwt',
        'none',
      ],
      scopes_supported: ['member', 'staff'],
    });
    const pkceCodeVerifier = oauth.randomPKCECodeVerifier();
    const expectedState = oauth.randomState();
    const start = oauth.buildAuthorizationUrl(config, {
      redirect_uri,
      state: expectedState,
      code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const browser = auth.browser();
    const page = await browser.open(start.pathname + start.search);
    const end = await browser.submit(page, { login: member.username, password: member.password });
    const callback = new URL(end.get('Location') ?? '');

    await expect(
      oauth.authorizationCodeGrant(config, callback, {
        pkceCodeVerifier: oauth.randomPKCECodeVerifier(),
        expectedState,
      }),
    ).rejects.toMatchObject({ error: 'invalid_grant' });
    const pair = await oauth.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState });
    const fresh = await oauth.refreshTokenGrant(config, pair.refresh_token ?? '');
    expect(fresh.expires_in).toBe(1800);
    await oauth.tokenRevocation(config, fresh.refresh_token ?? '');
    await expect(oauth.refreshTokenGrant(config, fresh.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('exchanges the code of a registration', async () => {
    const { client_id, client_secret, redirect_uri } = auth.client;
    const config = await oauth.discovery(new URL(issuer), client_id, client_secret, undefined, {
      execute: [oauth.allowInsecureRequests],
    });
    const { body } = await auth.internal('/internal/codes', { member_id: member.member_id, client_id });
    const { code } = body as { code: string };
    const pair = await oauth.genericGrantRequest(config, 'authorization_code', { code, redirect_uri });
    expect(pair).toMatchObject({ token_type: 'bearer', expires_in: 1800 });
    const fresh = await oauth.refreshTokenGrant(config, pair.refresh_token ?? '');
    expect(fresh.token_type).toBe('bearer');
  });
});
