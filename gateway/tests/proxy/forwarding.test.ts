import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { connectionAgeMs } from '@covalence/http/peer';
import { until } from '@covalence/testing/until';
import { request as httpRequest, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import request from 'supertest';
import { routes } from '../../src/routing/routes.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';
import { sendRaw } from '../support/raw.ts';

const mebibyte = 1024 * 1024;

describe('requests to services', () => {
  let gateway: ServiceUnderTest;
  beforeAll(async () => {
    gateway = await startService('forwarding');
  });
  afterAll(() => gateway.close());

  it('keep Host, name the client and ignore what clients claim about themselves', async () => {
    const { body } = await request(gateway.url)
      .get('/jwks')
      .set({
        Host: 'members.example:8443',
        'X-Forwarded-For': '198.51.100.1',
        'X-Forwarded-Host': 'evil.example',
        'X-Forwarded-Proto': 'gopher',
        'X-Forwarded-Port': '1',
        'X-Real-IP': '198.51.100.1',
        Forwarded: 'for=198.51.100.1',
        'X-HTTP-Method-Override': 'DELETE',
        Traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        Baggage: 'who=me',
      })
      .expect(200);
    expect(body.headers).toMatchObject({
      host: 'members.example:8443',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'members.example:8443',
      'x-forwarded-proto': 'http',
    });
    const own = ['x-forwarded-port', 'x-real-ip', 'forwarded', 'x-http-method-override'];
    for (const name of [...own, 'traceparent', 'baggage']) {
      expect(body.headers).not.toHaveProperty(name);
    }
  });

  it('have no hop-by-hop headers or headers named by Connection, except those that frame the body', async () => {
    const answer = await sendRaw(
      gateway.port,
      [
        'POST /token HTTP/1.1',
        'Host: api.test',
        'Connection: close, X-Secret-Hop, Content-Length, Authorization',
        'X-Secret-Hop: 1',
        'Keep-Alive: timeout=5',
        'Proxy-Authorization: Basic eA==',
        'TE: trailers',
        'Authorization: Basic YTpi',
        'Content-Length: 5',
        '',
        'a=b&c',
      ].join('\r\n'),
    );
    const seen = JSON.parse(answer.body) as { headers: Record<string, string>; body: string };
    expect(seen.body).toBe('a=b&c');
    expect(seen.headers).toMatchObject({ authorization: 'Basic YTpi', 'content-length': '5' });
    expect(seen.headers['connection']).toBe('keep-alive');
    for (const name of ['x-secret-hop', 'keep-alive', 'proxy-authorization', 'te']) {
      expect(seen.headers).not.toHaveProperty(name);
    }
  });

  it('carry a valid request id of the client, or a new one', async () => {
    const own = await request(gateway.url).get('/jwks').set('X-Request-Id', 'app-17:3').expect(200);
    expect(own.body.headers['x-request-id']).toBe('app-17:3');
    expect(own.headers['x-request-id']).toBe('app-17:3');
    const made = await request(gateway.url).get('/jwks').set('X-Request-Id', 'not sane !').expect(200);
    expect(made.body.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(made.headers['x-request-id']).toBe(made.body.headers['x-request-id']);
  });

  /** The connection that a request reached the service by. */
  const passedBy = async () => {
    await request(gateway.url).post('/token').send('a=b').expect(200);
    return gateway.service.requests.at(-1)?.socket.remotePort;
  };

  it('share one connection if consecutive', async () => {
    const ports = new Set<number | undefined>();
    for (let index = 0; index < 10; index += 1) ports.add(await passedBy());
    expect(ports.size).toBe(1);
  });

  it('use a new connection after a while, so that new processes get requests', async () => {
    const before = await passedBy();
    const later = Date.now() + connectionAgeMs + 1;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => later);
    const after = await passedBy().finally(() => clock.mockRestore());
    expect(after).not.toBe(before);
  });

  it('contain the whole body if it has no length', async () => {
    const sent = Buffer.alloc(300_000, 'x');
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const call = httpRequest(`${gateway.url}/token`, { method: 'POST' }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(text));
    });
    call.on('error', reject);
    for (let at = 0; at < sent.length; at += 10_000) call.write(sent.subarray(at, at + 10_000));
    call.end();
    const seen = JSON.parse(await promise) as { body: string };
    expect(seen.body.length).toBe(sent.length);
    expect(seen.body).toBe(sent.toString('utf8'));
  });

  it('free the connection for the next request if they are answered early', async () => {
    const hasty = await startService('forwarding', { answer: (_request, response) => response.end('{}') });
    const socket = connect(hasty.port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    const answers = () => text.split('HTTP/1.1 200').length - 1;
    const half = 'x'.repeat(400_000);
    const head = ['POST /token HTTP/1.1', 'Host: api.test', `Content-Length: ${2 * half.length}`, '', ''];
    socket.write(head.join('\r\n') + half);
    await until('the early answer', () => answers() === 1);
    socket.write(`${half}GET /jwks HTTP/1.1\r\nHost: api.test\r\n\r\n`);
    expect(await until('the next one', () => answers() === 2)).toBe(true);
    socket.destroy();
    await hasty.close();
  });

  it('send 100 Continue only after admission', async () => {
    const asked = (authorization?: string) =>
      sendRaw(
        gateway.port,
        `POST /like HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 2\r\n${
          authorization ? `Authorization: ${authorization}\r\n` : ''
        }\r\n{}`,
      );
    expect((await asked()).status).toBe(401);
    expect((await asked(await gateway.tokens.authorization({ id: 1 }))).status).toBe(100);
  });
});

describe('body limits', () => {
  let gateway: ServiceUnderTest;
  beforeAll(async () => {
    const large = {
      service: 'profile',
      methods: ['POST'],
      access: 'public',
      bodyLimit: 4 * mebibyte,
    } as const;
    gateway = await startService('forwarding', { overrides: { routes: { ...routes, '/large': large } } });
  });
  afterAll(() => gateway.close());

  const post = (path: string, bytes: number) =>
    request(gateway.url).post(path).set('Content-Type', 'text/plain').send('x'.repeat(bytes));

  it('accept 1 MiB and refuse more with 413 before the service', async () => {
    await post('/token', mebibyte).expect(200);
    const before = gateway.service.requests.length;
    const { body, headers } = await post('/token', mebibyte + 1).expect(413);
    expect(body).toEqual({ fail: 'Payload Too Large' });
    expect(headers['x-request-id']).toBeDefined();
    expect(gateway.service.requests).toHaveLength(before);
  });

  it('accept more on a route with a larger limit', async () => {
    expect((await post('/large', 3 * mebibyte)).status).toBe(200);
    expect((await post('/large', 4 * mebibyte + 1)).status).toBe(413);
  });

  it('count a body without a length while it streams, and cancel the upstream request', async () => {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const call = httpRequest(`${gateway.url}/token`, { method: 'POST' }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
    call.on('error', reject);
    for (let index = 0; index < 20; index += 1) call.write(Buffer.alloc(100_000));
    call.end();
    expect(await promise).toBe(413);
    expect(gateway.service.requests.at(-1)?.complete).toBe(false);
  });
});

describe('responses to clients', () => {
  let gateway: ServiceUnderTest | undefined;
  afterEach(() => gateway?.close());

  const start = async (answer: RequestListener, environment: Record<string, string> = {}) => {
    gateway = await startService('forwarding', { answer, environment });
    return gateway.url;
  };

  it('have strict headers if they are data', async () => {
    const url = await start((_request, response) =>
      response
        .writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'X-Powered-By': 'x' })
        .end('{}'),
    );
    const { headers } = await request(url).get('/jwks').expect(200);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    });
    expect(headers).not.toHaveProperty('x-powered-by');
  });

  it('keep the policies of services and pages', async () => {
    const policy = "default-src 'self'; form-action *";
    const url = await start((asked, response) =>
      asked.url === '/jwks'
        ? response
            .writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'max-age=60' })
            .end('{}')
        : response
            .writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': policy })
            .end('<p>'),
    );
    const keys = await request(url).get('/jwks');
    expect(keys.headers['cache-control']).toBe('max-age=60');
    const page = await request(url).get('/login/one');
    expect(page.headers['content-security-policy']).toBe(policy);
    expect(page.headers).not.toHaveProperty('cache-control');
    expect(page.headers['x-content-type-options']).toBe('nosniff');
  });

  it('keep redirects and cookies unchanged', async () => {
    const url = await start((_request, response) =>
      response
        .writeHead(303, { Location: '/authorize/abc', 'Set-Cookie': ['a=1; HttpOnly', 'b=2; Path=/login'] })
        .end(),
    );
    const { headers } = await request(url).post('/authorize').redirects(0).expect(303);
    expect(headers['location']).toBe('/authorize/abc');
    expect(headers['set-cookie']).toEqual(['a=1; HttpOnly', 'b=2; Path=/login']);
  });

  it('keep the challenge of a service, readable for pages of other origins', async () => {
    const challenge = 'Bearer realm="covalence", error="insufficient_user_authentication", max_age="600"';
    const url = await start((_request, response) =>
      response
        .writeHead(401, { 'Content-Type': 'application/json', 'WWW-Authenticate': challenge })
        .end('{"fail":"Recent Sign-In Required"}'),
    );
    const { body, headers } = await request(url).get('/jwks').set('Origin', 'https://a.example').expect(401);
    expect(body).toEqual({ fail: 'Recent Sign-In Required' });
    expect(headers['www-authenticate']).toBe(challenge);
    expect(headers['access-control-expose-headers']).toContain('WWW-Authenticate');
  });

  it('are readable for listed origins, including errors, whatever the service sends', async () => {
    const url = await start(
      (_request, response) =>
        response
          .writeHead(200, {
            'Content-Type': 'application/json',
            'Access-Control-Allow-Origin': 'https://evil.example',
            'Access-Control-Allow-Credentials': 'true',
            Vary: 'Accept-Language',
          })
          .end('{}'),
      { CORS_ORIGINS: 'https://App.example/, https://web.example' },
    );
    const good = await request(url).get('/jwks').set('Origin', 'https://web.example');
    expect(good.headers['access-control-allow-origin']).toBe('https://web.example');
    expect(good.headers['access-control-expose-headers']).toBe(
      'DPoP-Nonce, ETag, Retry-After, WWW-Authenticate, X-Request-Id',
    );
    expect(good.headers).not.toHaveProperty('access-control-allow-credentials');
    expect(good.headers['vary']).toBe('Accept-Language, Origin');
    const refused = await request(url).get('/packages').set('Origin', 'https://app.example').expect(401);
    expect(refused.headers['access-control-allow-origin']).toBe('https://app.example');
    const other = await request(url).get('/jwks').set('Origin', 'https://evil.example');
    expect(other.headers).not.toHaveProperty('access-control-allow-origin');
    const asked = await request(url)
      .options('/jwks')
      .set({ Origin: 'https://evil.example', 'Access-Control-Request-Method': 'GET' });
    expect(asked.headers).not.toHaveProperty('access-control-allow-methods');
  });

  it('are not readable for other origins on hosted pages, but are on /token', async () => {
    const url = await start((_request, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html', 'Access-Control-Allow-Origin': '*' }).end('<p>'),
    );
    const origin = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' };
    const readable = async (path: string) => {
      const [got, asked] = [
        await request(url).get(path).set(origin),
        await request(url).options(path).set(origin),
      ];
      return [got, asked].map(({ headers }) => headers['access-control-allow-origin'] as unknown);
    };
    const pages = [
      '/authorize',
      '/authorize/x',
      '/login/x',
      '/login/x/forgotten',
      '/password/x',
      '/email/x',
      '/device/x',
      '/email/x/revert',
      '/account/password',
    ];
    for (const path of [...pages, '/session/end']) {
      expect([path, ...(await readable(path))]).toEqual([path, undefined, undefined]);
    }
    const endpoints = [
      '/token',
      '/revoke',
      '/jwks',
      '/session/everywhere',
      '/.well-known/oauth-authorization-server',
    ];
    for (const path of endpoints) expect([path, ...(await readable(path))]).toEqual([path, '*', '*']);
  });
});
