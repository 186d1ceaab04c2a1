import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as oauth from 'openid-client';
import { startAuth, type AuthUnderTest } from './auth-under-test.ts';
import type { TestMember } from './people.ts';

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('a standard OAuth client (openid-client), by configuration alone', () => {
  let auth: AuthUnderTest;
  let member: TestMember;
  let issuer: string;
  beforeAll(async () => {
    const port = await freePort();
    issuer = `http://127.0.0.1:${port}`;
    auth = await startAuth('openidclient', { AUTH_PUBLIC_URL: issuer, PORT: String(port) });
    member = await auth.addMember();
  });
  afterAll(() => auth.close());

  it('discovers, signs in with PKCE, refreshes and revokes', async () => {
    const { client_id, client_secret, redirect_uri } = auth.client;
    const config = await oauth.discovery(
      new URL(issuer),
      client_id,
      undefined,
      oauth.ClientSecretBasic(client_secret),
      { execute: [oauth.allowInsecureRequests] },
    );
    expect(config.serverMetadata()).toMatchObject({
      issuer,
      code_challenge_methods_supported: ['S256'],
      token_endpoint: `${issuer}/token`,
      revocation_endpoint: `${issuer}/revoke`,
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
});
