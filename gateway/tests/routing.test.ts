import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import request from 'supertest';
import { createRouteTable } from '../src/routing/route-table.ts';
import { routes } from '../src/routing/routes.ts';
import { startService, startUpstream, type ServiceUnderTest, type Upstream } from './harness.ts';
import { sendRaw } from './support/raw.ts';

const names = ['AUTH', 'PROFILE', 'SEARCH', 'BILLING', 'UPDATES'] as const;

describe('routes', () => {
  let gateway: ServiceUnderTest;
  let authorization: string;
  let staff: string;
  const services: Upstream[] = [];

  beforeAll(async () => {
    const environment: Record<string, string> = {};
    for (const name of names) {
      const service = await startUpstream((_request, response) =>
        response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ service: name })),
      );
      services.push(service);
      environment[`${name}_URL`] = service.url;
    }
    gateway = await startService('routing', { environment });
    authorization = await gateway.tokens.authorization({ id: 7 });
    staff = await gateway.tokens.authorization({ id: 0, scope: 'staff' });
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all(services.map((service) => service.close()));
  });

  const cases = Object.entries(routes)
    .filter(([, { webSocket }]) => !webSocket)
    .flatMap(([path, { methods, service, access }]) =>
      methods.map((method) => ({ path, method, service, access })),
    );

  it.each(cases)('forward $method $path to $service', async ({ path, method, service, access }) => {
    const filled = path.replaceAll(/\{\w+\}/g, 'one').replace('*', 'more/below');
    const verb = ({ GET: 'get', POST: 'post', PATCH: 'patch', DELETE: 'delete' } as const)[method];
    const allowed = access === 'staff' ? staff : authorization;
    const { body } = await request(gateway.url)[verb](filled).set('Authorization', allowed).expect(200);
    expect(body).toEqual({ service: service.toUpperCase() });
    expect(services.some(({ requests }) => requests.at(-1)?.url === filled)).toBe(true);
  });

  it('have series of failures at 0 from the start, for exactly those that objectives.yaml names', async () => {
    const rules = readFileSync(new URL('../../observability/objectives.yaml', import.meta.url), 'utf8');
    const matchers = [...rules.matchAll(/\broute=~?"([^"]+)"/g)].flatMap(([, names = '']) =>
      names.split('|'),
    );
    const byMatcher = [...new Set(matchers)].map((matcher) => ({
      matcher,
      paths: Object.keys(routes).filter((path) => new RegExp(`^${matcher}$`).test(path)),
    }));
    expect(byMatcher.length).toBeGreaterThan(8);
    expect(byMatcher.filter(({ paths }) => !paths.length)).toEqual([]);
    const named = new Set(byMatcher.flatMap(({ paths }) => paths));
    const expected = Object.entries(routes)
      .filter(([path]) => named.has(path))
      .flatMap(([path, { methods }]) =>
        methods.flatMap((method) => ['500', '502', '503'].map((status) => `${method} ${path} ${status}`)),
      );
    const { values } = await gateway.context.metrics.requests.get();
    const failures = values
      .filter(
        ({ metricName, labels }) => metricName?.endsWith('_count') && String(labels.status).startsWith('5'),
      )
      .map(({ labels, value }) => ({ series: `${labels.method} ${labels.route} ${labels.status}`, value }));
    expect(failures.map(({ series }) => series).toSorted()).toEqual(expected.toSorted());
    expect(failures.filter(({ value }) => value !== 0)).toEqual([]);
  });

  it('share one metric series for all unknown methods', async () => {
    for (const method of ['PROPFIND', 'PURGE', 'SEARCH', 'PUT']) {
      const head = `${method} /jwks HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
      expect((await sendRaw(gateway.port, head)).status).toBe(405);
    }
    const { values } = await gateway.context.metrics.requests.get();
    const methods = values
      .filter(({ labels }) => labels.route === '/jwks')
      .map(({ labels }) => labels.method);
    expect(new Set(methods)).toEqual(new Set(['GET', 'other']));
  });

  it('forward the query unchanged', async () => {
    await request(gateway.url)
      .get('/searches?age[from]=25&age%5Bto%5D=40')
      .set('Authorization', authorization)
      .expect(200);
    expect(services[2]?.requests.at(-1)?.url).toBe('/searches?age[from]=25&age%5Bto%5D=40');
  });

  it.each([
    '/',
    '/nothing',
    '/internal/records',
    '/INTERNAL/records',
    '/metrics',
    '/health/ready',
    '/packages//',
    '/session//',
    '/Packages',
    '/users',
    '/users/1/photos',
    '/login',
    '//packages',
    '/login/x/%2e%2e/internal',
    '/login/x%2f..%2finternal',
    '/login/x\\internal',
    '/users/self#x',
    '/session/everywhere#x',
  ])('answer %s with 404 and call no service', async (path) => {
    const before = services.flatMap(({ requests }) => requests).length;
    const answer = await sendRaw(
      gateway.port,
      `GET ${path} HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.body)).toEqual({ fail: 'Not Found' });
    expect(answer.head).toMatch(/x-request-id: \S+/i);
    expect(services.flatMap(({ requests }) => requests)).toHaveLength(before);
  });

  it('answer 404 to dot segments', async () => {
    for (const path of ['/login/x/../../internal/records', '/session/./x', '/session/x/..']) {
      const answer = await sendRaw(
        gateway.port,
        `GET ${path} HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\n\r\n`,
      );
      expect(answer.status).toBe(404);
    }
  });

  it('accept a target in absolute form', async () => {
    const answer = await sendRaw(
      gateway.port,
      'GET http://api.test/jwks?a=1 HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\n\r\n',
    );
    expect(answer.status).toBe(200);
    expect(services[0]?.requests.at(-1)?.url).toBe('/jwks?a=1');
  });

  it.each([
    ['/jwks/', '/jwks'],
    ['/jwks/?a=1/', '/jwks?a=1/'],
    ['/login/one/', '/login/one'],
    ['/login/one/more/', '/login/one/more'],
  ])('ignore the trailing slash of %s', async (path, forwarded) => {
    await request(gateway.url).get(path).expect(200, { service: 'AUTH' });
    expect(services[0]?.requests.at(-1)?.url).toBe(forwarded);
  });

  it.each([
    ['two Hosts', 'Host: api.test\r\nHost: evil.test\r\n'],
    ['two Hosts that are equal, in another case', 'Host: api.test\r\nHOST: api.test\r\n'],
    ['two Authorizations', 'Host: api.test\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\n'],
    [
      'two Authorizations, the first empty',
      'Host: api.test\r\nAuthorization:\r\nAuthorization: Bearer b\r\n',
    ],
  ])('answer %s with 400, also for a WebSocket', async (_case, headers) => {
    const opening =
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
    for (const [path, more] of [
      ['/jwks', 'Connection: close\r\n'],
      ['/ws/updates', opening],
    ] as const) {
      const answer = await sendRaw(gateway.port, `GET ${path} HTTP/1.1\r\n${headers}${more}\r\n`);
      expect([answer.status, JSON.parse(answer.body)]).toEqual([400, { fail: 'Bad Request' }]);
    }
  });

  it('answer another method with 405 and Allow before the token is checked', async () => {
    const { body, headers } = await request(gateway.url).delete('/packages').expect(405);
    expect(body).toEqual({ fail: 'Method Not Allowed' });
    expect(headers['allow']).toBe('GET, HEAD, OPTIONS');
    await request(gateway.url).get('/members').expect(405);
  });

  it('accept HEAD wherever they accept GET', async () => {
    await request(gateway.url).head('/packages').set('Authorization', authorization).expect(200);
    expect(services[3]?.requests.at(-1)?.method).toBe('HEAD');
    await request(gateway.url).head('/token').expect(405);
  });

  it('answer a plain request to the WebSocket with 426', async () => {
    const { headers } = await request(gateway.url)
      .get('/ws/updates')
      .expect(426, { fail: 'Upgrade Required' });
    expect(headers['upgrade']).toBe('websocket');
    const refused = await request(gateway.url).post('/ws/updates').expect(405);
    expect(refused.headers['allow']).toBe('GET, HEAD, OPTIONS');
  });

  it.each([
    ['/packages', 'GET'],
    ['/token', 'POST'],
    ['/members/self', 'POST, DELETE'],
    ['/openapi.json', 'GET'],
    ['/ws/updates', 'GET'],
  ])('list only the methods of %s in the response to OPTIONS', async (path, methods) => {
    const { headers } = await request(gateway.url).options(path).expect(204);
    expect(headers['allow']).toBe(methods);
  });

  it('answer a preflight of a known path', async () => {
    const { headers } = await request(gateway.url)
      .options('/searches')
      .set('Origin', 'https://app.example')
      .set('Access-Control-Request-Method', 'POST')
      .expect(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers':
        'Authorization, Content-Type, DPoP, Idempotency-Key, If-None-Match, X-Request-Id',
      'access-control-expose-headers': 'DPoP-Nonce, ETag, Retry-After, WWW-Authenticate, X-Request-Id',
      'access-control-max-age': '7200',
    });
    await request(gateway.url).options('/nothing').expect(404);
  });

  it('are counted by pattern, not by path', async () => {
    await request(gateway.url).get('/users/4711').set('Authorization', authorization).expect(200);
    const text = await gateway.context.metrics.registry.metrics();
    expect(text).toContain('route="/users/{profileid}"');
    expect(text).toContain('route="none"');
    expect(text).not.toContain('users/4711');
  });
});

describe('the route table', () => {
  const table = createRouteTable(routes);

  it.each([
    ['/users/self', '/users/self'],
    ['/users/1', '/users/{profileid}'],
    ['/users/1/read', '/users/{profileid}/read'],
    ['/users/1/2', '/users/{profileid}/{messageid}'],
  ])('prefers the path with text to that with a parameter: %s', (path, expected) => {
    const entry = { service: 'profile', methods: ['GET'], access: 'public' } as const;
    const paths = [
      '/users/{profileid}/{messageid}',
      '/users/{profileid}/read',
      '/users/{profileid}',
      '/users/self',
    ];
    const both = createRouteTable(Object.fromEntries(paths.map((one) => [one, entry])));
    expect(both.find(path)?.path).toBe(expected);
  });

  it('matches a dot only with a dot', () => {
    expect(table.find('/.well-known/openid-configuration')).toBeDefined();
    expect(table.find('/xwell-known/openid-configuration')).toBeUndefined();
  });

  it('has no path under /internal', () => {
    expect(Object.keys(routes).filter((path) => path.startsWith('/internal'))).toEqual([]);
  });
});
