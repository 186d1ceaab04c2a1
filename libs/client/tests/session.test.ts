import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { listenLocally } from '@covalence/testing/listen-locally';
import { until } from '@covalence/testing/until';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { createClient } from '../src/client.ts';
import { createSession, SignedOut, type Session, type SessionOptions } from '../src/session.ts';
import { beginSignIn, finishSignIn, SignInFailed } from '../src/sign-in.ts';
import { memoryStorage, type TokenStorage } from '../src/tokens.ts';

interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

const send = (response: ServerResponse, status: number, content: object) =>
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(content));

const tokensOf = (sub: string) => ({
  access_token: `e30.${Buffer.from(JSON.stringify({ sub, text: '?ü>' })).toString('base64url')}.AA`,
  refresh_token: 'refresh-1',
  expires_at: 0,
});

/** A server with one valid access token, which it replaces for the right refresh token. */
describe('a session', () => {
  let server: Server;
  let url: string;
  let good: string;
  let generation: number;
  let failures: (number | 'cut')[];
  let asked: Asked[];
  let held: PromiseWithResolvers<void>;
  let storage: TokenStorage;
  let session: Session;

  const options = (): SessionOptions => ({
    authUrl: url,
    clientId: 'app',
    clientSecret: 'secret',
    storage,
    pause: () => Promise.resolve(),
  });

  const asksFor = (path: string) => asked.filter((one) => one.path === path);

  /** Refreshes at a server that is down and sends Retry-After; resolves with the number of calls and the delays in ms. */
  const refreshRefused = async (retryAfter: string) => {
    let calls = 0;
    const pauses: number[] = [];
    const refused = createSession({
      ...options(),
      fetch() {
        calls += 1;
        return Promise.resolve(new Response('', { status: 503, headers: { 'Retry-After': retryAfter } }));
      },
      pause: (milliseconds) => Promise.resolve(void pauses.push(milliseconds)),
    });
    await expect(refused.refresh('access-1')).rejects.toThrow('503');
    return { calls, pauses };
  };

  beforeEach(async () => {
    [good, generation, failures, asked] = ['access-2', 1, [], []];
    held = Promise.withResolvers();
    held.resolve();
    server = createServer((request, response) => {
      const answer = (status: number, content: object) => send(response, status, content);
      void text(request).then((body) => {
        const path = request.url?.split('?')[0] ?? '';
        asked.push({ path, authorization: request.headers.authorization, body });
        if (path === '/revoke') return answer(200, {});
        if (path !== '/token') {
          const isGood = request.headers.authorization === `Bearer ${good}`;
          return answer(isGood ? 200 : 401, isGood ? { got: body } : { fail: 'Unauthorized' });
        }
        const failure = failures.shift();
        if (failure === 'cut') return request.socket.destroy();
        if (failure) return answer(failure, { error: failure === 400 ? 'invalid_grant' : 'invalid_client' });
        generation += 1;
        const pair = { access_token: `access-${generation}`, refresh_token: `refresh-${generation}` };
        return void held.promise.then(() => answer(200, { ...pair, expires_in: 1800 }));
      });
    });
    url = `http://127.0.0.1:${await listenLocally(server)}`;
    storage = memoryStorage({ access_token: 'access-1', refresh_token: 'refresh-1', expires_at: 0 });
    session = createSession(options());
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('refreshes once for twenty concurrent refused calls, and retries each with its body', async () => {
    const client = createClient({ baseUrl: url, session });
    const calls = Array.from({ length: 20 }, (_, profileid) => client.POST('/like', { body: { profileid } }));
    const answers = await Promise.all(calls);
    expect(answers.map(({ data }) => data)).toEqual(
      Array.from({ length: 20 }, (_, profileid) => ({ got: JSON.stringify({ profileid }) })),
    );
    expect(asksFor('/token')).toHaveLength(1);
    expect(Object.fromEntries(new URLSearchParams(asksFor('/token')[0]?.body))).toEqual({
      client_id: 'app',
      client_secret: 'secret',
      grant_type: 'refresh_token',
      refresh_token: 'refresh-1',
    });
    await expect(storage.read()).resolves.toMatchObject({
      access_token: 'access-2',
      refresh_token: 'refresh-2',
    });
  });

  it('accepts null for fields that null clears, and a numeric id in a path', async () => {
    const client = createClient({ baseUrl: url, session });
    await client.POST('/members/self', { body: { height: null, smoking: null, f_book: null } });
    await client.POST('/members/self/criteria', { body: { age: { from: 30 }, smoking: null } });
    await client.GET('/users/{profileid}', { params: { path: { profileid: 1002 } } });
    expect(asked.at(-1)?.path).toBe('/users/1002');
    expect(asksFor('/members/self/criteria').at(-1)?.body).toBe('{"age":{"from":30},"smoking":null}');
  });

  it('retries once: a second 401 is the answer', async () => {
    good = 'none is good';
    const { response } = await createClient({ baseUrl: url, session }).GET('/photo');
    expect(response.status).toBe(401);
    expect(asksFor('/photo')).toHaveLength(2);
  });

  it('uses tokens that another page refreshed meanwhile', async () => {
    await storage.write({ access_token: 'access-2', refresh_token: 'refresh-2', expires_at: 0 });
    await expect(session.refresh('access-1')).resolves.toMatchObject({ access_token: 'access-2' });
    expect(asksFor('/token')).toEqual([]);
  });

  it.each([[['cut']], [[503, 'cut', 500]], [[429]], [[408]]] as const)(
    'asks again with the same token after %j',
    async (first) => {
      failures = [...first];
      await expect(session.refresh('access-1')).resolves.toMatchObject({ access_token: 'access-2' });
      const used = asksFor('/token').map(({ body }) => new URLSearchParams(body).get('refresh_token'));
      expect(used).toEqual(Array.from({ length: first.length + 1 }, () => 'refresh-1'));
    },
  );

  it.each([
    ['2', 2_000, 2_500],
    // A proxy may send a date (RFC 9110).
    [new Date(Date.now() + 60_000).toUTCString(), 250, 500],
  ])('waits before it asks again after Retry-After %s', async (retryAfter, least, most) => {
    const { pauses } = await refreshRefused(retryAfter);
    expect(pauses).toHaveLength(3);
    expect(pauses[0]).toBeGreaterThanOrEqual(least);
    expect(pauses[0]).toBeLessThanOrEqual(most);
  });

  it('keeps the tokens while the server is down, and retries with the next call', async () => {
    failures = [503, 503, 503, 503];
    await expect(session.refresh('access-1')).rejects.toThrow('503');
    await expect(session.refresh('access-1')).resolves.toMatchObject({ access_token: 'access-2' });
  });

  it('does not wait for a long Retry-After of a maintenance', async () => {
    await expect(refreshRefused('3600')).resolves.toEqual({ calls: 1, pauses: [] });
  });

  it('times out on a lost connection and retries', async () => {
    jest.useFakeTimers();
    try {
      const asking = jest.fn<typeof fetch>(async (_url, init) => {
        if (asking.mock.calls.length > 1)
          return Response.json({ access_token: 'access-2', expires_in: 1800 });
        return new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
        });
      });
      const lost = createSession({ ...options(), fetch: asking });
      const refreshed = lost.refresh('access-1');
      await jest.advanceTimersByTimeAsync(60_000);
      expect(asking).toHaveBeenCalledTimes(2);
      await expect(refreshed).resolves.toMatchObject({ access_token: 'access-2' });
    } finally {
      jest.useRealTimers();
    }
  });

  it.each([401, 403, 404, 413, 431])('keeps the tokens after a %d without invalid_grant', async (status) => {
    failures = [status];
    await expect(session.refresh('access-1')).rejects.toThrow(`${status}`);
    await expect(session.tokens()).resolves.toMatchObject({ refresh_token: 'refresh-1' });
  });

  it('ends when the refresh token is refused', async () => {
    const heard: unknown[] = [];
    session.onChange((tokens) => heard.push(tokens));
    failures = [400];
    await expect(session.refresh('access-1')).rejects.toThrow(SignedOut);
    await expect(storage.read()).resolves.toBeUndefined();
    expect(heard).toEqual([undefined]);
    await expect(session.refresh('access-1')).rejects.toThrow(SignedOut);
  });

  it('keeps the tokens of a sign-in when a second one fails', async () => {
    const heard: unknown[] = [];
    session.onChange((tokens) => heard.push(tokens));
    failures = [400];
    const exchange = session.exchange({ code: 'too old', redirectUri: 'com.example.app:/back' });
    await expect(exchange).rejects.toThrow(SignedOut);
    expect([await session.tokens(), heard]).toMatchObject([{ access_token: 'access-1' }, []]);
  });

  it('ends the sign-in that another one replaces', async () => {
    const tokens = await session.exchange({ code: 'new', redirectUri: 'com.example.app:/back' });
    expect([tokens, await session.tokens()]).toMatchObject([{ refresh_token: 'refresh-2' }, tokens]);
    await until('the former sign-in has ended', () => asksFor('/revoke').length === 1);
    expect(new URLSearchParams(asksFor('/revoke')[0]?.body).get('token')).toBe('refresh-1');
  });

  it('deletes and revokes the tokens', async () => {
    await session.signOut();
    await expect(storage.read()).resolves.toBeUndefined();
    expect(new URLSearchParams(asksFor('/revoke')[0]?.body).get('token')).toBe('refresh-1');
  });

  it('sends no secret when the server of the app adds it', async () => {
    const { clientSecret: _kept, ...open } = options();
    await createSession(open).refresh('access-1');
    expect([...new URLSearchParams(asksFor('/token')[0]?.body).keys()]).not.toContain('client_secret');
  });

  it('throws SignedOut when a call needs a sign-in', async () => {
    await session.signOut();
    const client = createClient({ baseUrl: url, session });
    await expect(client.POST('/like', { body: { profileid: 1 } })).rejects.toThrow(SignedOut);
  });

  it('does not retry with a token that another page used meanwhile', async () => {
    const next = { access_token: 'access-9', refresh_token: 'refresh-9', expires_at: 1 };
    failures = ['cut'];
    const slept = createSession({ ...options(), pause: () => storage.write(next) });
    await expect(slept.refresh('access-1')).resolves.toEqual(next);
    expect([asksFor('/token').length, await storage.read()]).toEqual([1, next]);
  });

  it('uses the tokens of another page when its own are refused', async () => {
    const next = { access_token: 'access-9', refresh_token: 'refresh-9', expires_at: 1 };
    const refuse: typeof fetch = async () => {
      await storage.write(next);
      return Response.json({ error: 'invalid_grant' }, { status: 400 });
    };
    const slow = createSession({ ...options(), fetch: refuse });
    await expect(slow.refresh('access-1')).resolves.toEqual(next);
    expect(await storage.read()).toEqual(next);
  });

  it('does not restore a signed-out member by a late refresh', async () => {
    held = Promise.withResolvers();
    const refreshed = session.refresh('access-1').catch((error: unknown) => error);
    await until('it is under way', () => asksFor('/token').length === 1);
    await session.signOut();
    held.resolve();
    expect(await refreshed).toBeInstanceOf(SignedOut);
    expect(await session.tokens()).toBeUndefined();
  });

  it('does not replace another sign-in by a late refresh', async () => {
    held = Promise.withResolvers();
    const refreshed = session.refresh('access-1');
    await until('it is under way', () => asksFor('/token').length === 1);
    const next = { access_token: 'access-9', refresh_token: 'refresh-9', expires_at: 1 };
    await storage.write(next);
    held.resolve();
    await refreshed;
    expect(await session.tokens()).toEqual(next);
  });

  it('does not share a refresh between sign-ins', async () => {
    held = Promise.withResolvers();
    const late = session.refresh('access-1');
    await until('it is under way', () => asksFor('/token').length === 1);
    await storage.write({ access_token: 'access-9', refresh_token: 'refresh-9', expires_at: 1 });
    const own = session.refresh('access-9');
    await until('the other is, too', () => asksFor('/token').length === 2);
    expect(new URLSearchParams(asksFor('/token')[1]?.body).get('refresh_token')).toBe('refresh-9');
    held.resolve();
    const [kept, strange] = [await own, await late];
    expect(kept).not.toEqual(strange);
    expect(await session.tokens()).toEqual(kept);
  });

  it('never sends a call with the tokens of another member', async () => {
    await storage.write(tokensOf('anna'));
    const bobs = tokensOf('bob');
    good = bobs.access_token;
    const signsIn: typeof fetch = async (call) => {
      const response = await fetch(call);
      await storage.write(bobs);
      return response;
    };
    const client = createClient({ baseUrl: url, session, fetch: signsIn });
    const { response } = await client.POST('/like', { body: { profileid: 7 } });
    expect([response.status, asksFor('/like').length]).toEqual([401, 1]);
    expect((await client.POST('/like', { body: { profileid: 8 } })).response.status).toBe(200);
  });

  it('signs in with PKCE and a new state, and takes answers of its own server only', async () => {
    const begun = await beginSignIn({
      authUrl: url,
      clientId: 'app',
      redirectUri: 'com.example.app:/back',
      siteid: 1,
    });
    const { searchParams } = new URL(begun.url);
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(begun.verifier));
    expect(searchParams.get('code_challenge')).toBe(Buffer.from(digest).toString('base64url'));
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    expect(begun.verifier).toMatch(/^[\w-]{43}$/);
    expect(searchParams.get('prompt')).toBeNull();
    const anew = {
      authUrl: url,
      clientId: 'app',
      redirectUri: 'com.example.app:/back',
      prompt: 'login',
    } as const;
    expect(new URL((await beginSignIn(anew)).url).searchParams.get('prompt')).toBe('login');

    const back = (answer: Record<string, string>) =>
      `com.example.app:/back?${new URLSearchParams({ state: begun.state, iss: url, ...answer }).toString()}`;
    const finish = (answer: Record<string, string>) => finishSignIn(session, begun, back(answer));
    await expect(finish({ code: 'c', state: 'other' })).rejects.toThrow(SignInFailed);
    // An answer of another server could carry a code of its own (mix-up).
    await expect(finish({ code: 'c', iss: 'https://other.example' })).rejects.toThrow(SignInFailed);
    await expect(finish({ code: 'c', iss: '' })).rejects.toThrow(SignInFailed);
    await expect(finish({ error: 'access_denied' })).rejects.toThrow('access_denied');
    await finish({ code: 'c1' });
    expect(Object.fromEntries(new URLSearchParams(asksFor('/token')[0]?.body))).toMatchObject({
      grant_type: 'authorization_code',
      code: 'c1',
      redirect_uri: 'com.example.app:/back',
      code_verifier: begun.verifier,
    });
  });
});
