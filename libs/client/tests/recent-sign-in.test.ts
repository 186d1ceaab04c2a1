import { beforeEach, describe, expect, it } from '@jest/globals';
import { createClient, type CovalenceClient } from '../src/client.ts';
import { createSession, RecentSignInRequired } from '../src/session.ts';
import { beginSignIn } from '../src/sign-in.ts';
import { memoryStorage, type TokenStorage } from '../src/tokens.ts';

const authUrl = 'http://api.test';
const challenge = 'error="insufficient_user_authentication", error_description="old", max_age="600"';

describe('a call that needs a recent sign-in', () => {
  let refreshes: number;
  let storage: TokenStorage;
  beforeEach(() => {
    refreshes = 0;
    storage = memoryStorage({ access_token: 'access-1', refresh_token: 'refresh-1', expires_at: 0 });
  });

  const token: typeof fetch = () => {
    refreshes += 1;
    const pair = { access_token: 'access-2', refresh_token: 'refresh-2', expires_in: 1800 };
    return Promise.resolve(Response.json(pair));
  };

  /** A client whose calls get these challenges in order. */
  const refusedWith = (challenges: string[]): CovalenceClient => {
    const refuse: typeof fetch = () => {
      const headers = { 'WWW-Authenticate': `Bearer realm="covalence", ${challenges.shift()}` };
      return Promise.resolve(new Response('{}', { status: 401, headers }));
    };
    const session = createSession({ authUrl, clientId: 'app', storage, fetch: token });
    return createClient({ baseUrl: authUrl, session, fetch: refuse });
  };

  it('throws RecentSignInRequired without a refresh', async () => {
    const refused: unknown = await refusedWith([challenge])
      .DELETE('/members/self')
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RecentSignInRequired);
    expect(refused).toMatchObject({ maxAge: 600 });
    expect([refreshes, await storage.read()]).toMatchObject([0, { access_token: 'access-1' }]);
  });

  it('throws it after the refresh of an expired token too', async () => {
    const challenges = ['error="invalid_token"', challenge];
    const asked = refusedWith(challenges).GET('/members/self/export');
    await expect(asked).rejects.toThrow(RecentSignInRequired);
    expect([challenges, refreshes]).toEqual([[], 1]);
  });

  it('succeeds after a sign-in with its max_age', async () => {
    const begun = await beginSignIn({
      authUrl,
      clientId: 'app',
      redirectUri: 'com.example.app:/back',
      maxAge: 600,
    });
    expect(new URL(begun.url).searchParams.get('max_age')).toBe('600');
  });
});
