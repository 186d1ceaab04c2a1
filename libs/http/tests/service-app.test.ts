import { invalidArgument, unavailable } from '@covalence/contract/failure';
import { createLogger } from '@covalence/runtime/logger';
import { createMetrics } from '@covalence/runtime/metrics';
import { serviceAuthorization, testPublicKeys } from '@covalence/testing/service-tokens';
import { createTestTokens, type TestTokens } from '@covalence/testing/test-tokens';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Server } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import request from 'supertest';
import { z } from 'zod';
import { endpoint, serviceEndpoint, type Routes } from '../src/endpoint.ts';
import { createServiceApp } from '../src/mount.ts';
import { createServiceGate } from '../src/service-gate.ts';
import { echo } from './echo.ts';
import { documentation } from './documentation.ts';

const secretive = endpoint({
  access: 'public',
  ...documentation,
  summary: 'Takes a secret',
  bodyOnly: true,
  input: z.record(z.string(), z.unknown()),
  output: z.object({ got: z.unknown() }),
  handler: ({ input }) => Promise.resolve({ got: input }),
});

const strict = endpoint({
  access: 'public',
  ...documentation,
  summary: 'Two checked parameters',
  input: z.object({
    first: z.string().min(2),
    second: z.string(),
  }),
  output: z.object({}),
  handler: () => Promise.resolve({}),
});

const whoami = endpoint({
  access: 'member',
  ...documentation,
  summary: 'The caller',
  input: z.object({}),
  output: z.object({ id: z.int() }),
  handler: ({ caller }) => Promise.resolve({ id: caller.id }),
});

const perhaps = endpoint({
  access: 'optional',
  ...documentation,
  summary: 'The caller, where there is one',
  input: z.object({}),
  output: z.object({ id: z.int().nullable() }),
  etag: true,
  handler: ({ caller }) => Promise.resolve({ id: caller?.id ?? null }),
});

const staffOnly = endpoint({
  access: 'staff',
  staff: { roles: ['support'], site: 'several' },
  ...documentation,
  summary: 'For staff',
  input: z.object({}),
  output: z.object({}),
  handler: () => Promise.resolve({}),
});

const internal = serviceEndpoint(
  { input: z.object({ given: z.string().optional() }), output: z.object({ given: z.string().optional() }) },
  (input) => Promise.resolve(input),
);

const thrown: Record<string, () => Error> = {
  defect: () => new TypeError('a private detail'),
  away: () => Object.assign(new Error('no server'), { name: 'MongoServerSelectionError' }),
  busy: () => unavailable(new Error('private')),
  codes: () => invalidArgument(10002, 10001, 10002),
  undeclared: () => invalidArgument(10001, 10011),
};

const fails = endpoint({
  access: 'public',
  ...documentation,
  summary: 'Throws',
  input: z.object({ how: z.string() }),
  output: z.object({}),
  codes: [10001, 10002],
  handler: ({ input }) => Promise.reject(thrown[input.how]?.() ?? new Error('unknown')),
});

const wrongOutput = endpoint({
  access: 'public',
  ...documentation,
  summary: 'Answers something else than it declares',
  input: z.object({}),
  output: z.object({ id: z.int() }),
  handler: () => Promise.resolve(JSON.parse('{"id":"x"}') as { id: number }),
});

const routes: Routes<null> = {
  'POST /echo': echo,
  'GET /echo': echo,
  'GET /echo/:name': echo,
  'POST /secretive/:name': secretive,
  'POST /strict': strict,
  'GET /whoami': whoami,
  'GET /perhaps': perhaps,
  'GET /staff': staffOnly,
  'POST /internal/projections': internal,
  'GET /fails/:how': fails,
  'GET /wrong': wrongOutput,
};

describe('an application with a route table', () => {
  let tokens: TestTokens;
  let server: Server;
  const lines: string[] = [];

  beforeAll(async () => {
    tokens = await createTestTokens();
    const app = createServiceApp(routes, null, {
      logger: createLogger('test', 'info', { write: (line) => void lines.push(line) }),
      metrics: createMetrics('test'),
      bearer: tokens.bearer,
      audit: () => Promise.resolve(),
      services: createServiceGate('profile', testPublicKeys, createLogger('test', 'silent')),
      checkOutput: true,
    });
    server = app.listen(0);
  });
  afterAll(() => void server.close());

  describe('bodies', () => {
    it('accepts JSON and nested forms alike', async () => {
      const got = { age: { from: '25', to: '40' }, list: ['a', 'b'] };
      const json = await request(server).post('/echo').send(got);
      const form = await request(server)
        .post('/echo')
        .type('form')
        .send('age[from]=25&age[to]=40&list[]=a&list[]=b');
      const repeated = await request(server).get('/echo?age[from]=25&age[to]=40&list=a&list=b');
      expect(json.body).toEqual({ got });
      expect(form.body).toEqual({ got });
      expect(repeated.body).toEqual({ got });
    });

    it('ignores case and hyphens of parameter names, and prefers the path', async () => {
      const { body } = await request(server).get('/echo/path?Eye-Color=1&NAME=query');
      expect(body).toEqual({ got: { eye_color: '1', name: 'path' } });
    });

    it('ignores the query string of endpoints with secrets and of calls between services', async () => {
      const { body } = await request(server).post('/secretive/path?a=query&B=query').send({ a: 'body' });
      expect(body).toEqual({ got: { a: 'body', name: 'path' } });
      const asService = { Authorization: serviceAuthorization({ from: 'search', to: 'profile' }) };
      const call = request(server).post('/internal/projections?given=query');
      const called = await call.set(asService).send({});
      expect([called.status, called.body]).toEqual([200, {}]);
    });

    it('never lets a name reach a prototype', async () => {
      const { body } = await request(server)
        .post('/echo')
        .set('Content-Type', 'application/json')
        .send('{"__proto__":{"admin":true},"constructor":1,"a":1}');
      expect(body).toEqual({ got: { a: 1 } });
    });

    it.each([
      ['malformed JSON', 'application/json', '{"a":', 400, 'Bad Request'],
      ['JSON that is no map', 'application/json', '[1]', 400, 'Bad Request'],
      ['another type', 'text/xml', '<a/>', 415, 'Unsupported Media Type'],
      ['over 1 MiB', 'application/json', `{"a":"${'x'.repeat(1024 * 1024)}"}`, 413, 'Payload Too Large'],
    ])('%s', async (_name, type, body, status, fail) => {
      const response = await request(server).post('/echo').set('Content-Type', type).send(body);
      expect(response.status).toBe(status);
      expect(response.body).toEqual({ fail });
    });
  });

  const sendPacked = async (coding: string, packed: Buffer) => {
    const { status, body } = await request(server)
      .post('/echo')
      .set({ 'Content-Type': 'application/json', 'Content-Encoding': coding })
      .serialize((bytes: unknown) => bytes as string)
      .send(packed);
    return [status, body] as unknown;
  };

  it('decompresses bodies up to 1 MiB, in known encodings only', async () => {
    const large = Buffer.from(`{"a":"${'x'.repeat(64 * 1024 * 1024)}"}`);
    const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
    expect(await sendPacked('gzip', gzipSync('{"a":"1"}'))).toEqual([200, { got: { a: '1' } }]);
    expect(await sendPacked('gzip', gzipSync(large))).toEqual([413, { fail: 'Payload Too Large' }]);
    expect(await sendPacked('br', brotliCompressSync(large, quick))).toEqual([
      413,
      { fail: 'Payload Too Large' },
    ]);
    expect(await sendPacked('zip', Buffer.from('{}'))).toEqual([415, { fail: 'Unsupported Media Type' }]);
    expect(await sendPacked('gzip', Buffer.from('{"a":1}'))).toEqual([400, { fail: 'Bad Request' }]);
  });

  describe('optional callers and tags', () => {
    it('authenticates an optional caller, and refuses an invalid token', async () => {
      const stranger = await request(server).get('/perhaps');
      expect(stranger.body).toEqual({ id: null });
      const authorization = await tokens.authorization({ id: 7 });
      const known = await request(server).get('/perhaps').set('Authorization', authorization);
      expect(known.body).toEqual({ id: 7 });
      const bad = await request(server).get('/perhaps').set('Authorization', 'Bearer x');
      expect(bad.status).toBe(401);
    });

    it('sends an ETag, and answers 304 to a known one', async () => {
      const { headers } = await request(server).get('/perhaps').expect(200);
      const { etag } = headers;
      expect(etag).toMatch(/^"[\w-]+"$/);
      const known = await request(server)
        .get('/perhaps')
        .set('If-None-Match', `"other", ${etag}`)
        // A fetch with its own If-None-Match always sends this.
        .set('Cache-Control', 'no-cache')
        .expect(304);
      expect(known.text).toBe('');
      const authorization = await tokens.authorization({ id: 7 });
      const mine = request(server).get('/perhaps').set('Authorization', authorization);
      await mine.set('If-None-Match', etag ?? '').expect(200, { id: 7 });
      const untagged = await request(server).get('/echo');
      expect(untagged.headers['etag']).toBeUndefined();
    });
  });

  describe('errors', () => {
    it('answers 403 without code when the input schema rejects', async () => {
      const { status, body } = await request(server).post('/strict').send({ second: 2, first: 'x' });
      expect(status).toBe(403);
      expect(body).toEqual({ fail: 'Invalid Argument' });
    });

    it('answers each failure code once, in the order thrown', async () => {
      const { body } = await request(server).get('/fails/codes').expect(403);
      expect(body).toEqual({ fail: 'Invalid Argument', failcode: [10002, 10001] });
    });

    it('hides a defect behind its request id, and logs it', async () => {
      const { body } = await request(server).get('/fails/defect').set('X-Request-Id', 'req-7').expect(500);
      expect(body).toEqual({ fail: 'Internal Server Error', request_id: 'req-7' });
      expect(lines.some((line) => line.includes('a private detail') && line.includes('req-7'))).toBe(true);
    });

    it.each([
      ['/wrong', /GET \/wrong: the answer does not match `output`: .*expected number.* at id/],
      ['/fails/undeclared', /GET \/fails\/:how: `codes` does not declare 10011/],
    ])(
      'answers 500 to what its definition lacks, and logs it as fatal for tests: %s',
      async (path, reason) => {
        const { body } = await request(server).get(path).expect(500);
        expect(Object.keys(body)).toEqual(['fail', 'request_id']);
        const fatal = lines.filter((line) => line.includes('"level":60'));
        expect(fatal.at(-1)).toMatch(reason);
      },
    );

    it('answers 503 with Retry-After when a store is unavailable', async () => {
      const away = await request(server).get('/fails/away').expect(503, { fail: 'Service Unavailable' });
      expect(Number(away.headers['retry-after'])).toBeGreaterThan(0);
      const busy = await request(server).get('/fails/busy').expect(503);
      expect(busy.headers['retry-after']).toBe('2');
    });

    it('answers 404 for unknown routes and 405 for other methods', async () => {
      await request(server).get('/nowhere').expect(404, { fail: 'Not Found' });
      const { headers } = await request(server).delete('/echo').expect(405, { fail: 'Method Not Allowed' });
      expect(headers['allow']).toBe('POST, GET');
      await request(server).get('/echo/%E0%A4%A').expect(400, { fail: 'Bad Request' });
    });

    it.each(['/ECHO', '/echo/', '/Echo/1', '/echo/1/'])(
      'takes no other spelling of a path: %s',
      async (path) => {
        const answers = [await request(server).post(path).send({}), await request(server).get(path)];
        expect(answers.map(({ status }) => status)).toEqual([404, 404]);
      },
    );
  });

  describe('request ids', () => {
    it.each([
      ['a sane one is kept', 'abc-1.2:3', 'abc-1.2:3'],
      ['one with spaces is replaced', 'a b', expect.stringMatching(/^[0-9a-f-]{36}$/)],
      ['one that is too long is replaced', 'x'.repeat(129), expect.stringMatching(/^[0-9a-f-]{36}$/)],
    ])('%s', async (_name, sent, expected) => {
      const { headers } = await request(server).get('/nowhere').set('X-Request-Id', sent);
      expect(headers['x-request-id']).toEqual(expected);
    });
  });

  describe('access', () => {
    it('admits a member by the access token', async () => {
      const authorization = await tokens.authorization({ id: 42 });
      const { status, body } = await request(server).get('/whoami').set('Authorization', authorization);
      expect([status, body]).toEqual([200, { id: 42 }]);
    });

    it('refuses a staff token for members, and a member token for staff', async () => {
      const staff = await tokens.authorization({ id: 0, siteid: 0, scope: 'staff' });
      await request(server).get('/whoami').set('Authorization', staff).expect(403);
      await request(server).get('/staff').set('Authorization', staff).expect(200);
      const member = await tokens.authorization({ id: 42 });
      const refused = await request(server).get('/staff').set('Authorization', member);
      expect([refused.status, refused.body]).toEqual([403, { fail: 'Forbidden' }]);
    });

    it.each([
      ['no header', undefined, 'Bearer realm="covalence"'],
      ['another scheme', 'Basic YTpi', 'Bearer realm="covalence"'],
      ['an empty token', 'Bearer ', expect.stringContaining('error="invalid_token"')],
      ['two spaces', 'Bearer  a.b.c', expect.stringContaining('error="invalid_token"')],
      ['a token that is no JWT', 'Bearer abc', expect.stringContaining('error="invalid_token"')],
      [
        'a token over 4 KiB',
        `Bearer a.b.${'c'.repeat(4_096)}`,
        expect.stringContaining('error="invalid_token"'),
      ],
    ])('challenges %s (RFC 6750)', async (_name, header, challenge) => {
      const call = request(server).get('/whoami');
      const { status, body, headers } = await (header ? call.set('Authorization', header) : call);
      expect([status, body]).toEqual([401, { fail: 'Unauthorized' }]);
      expect(headers['www-authenticate']).toEqual(challenge);
    });

    it('challenges an expired token', async () => {
      const authorization = await tokens.authorization({ id: 42, lifetime: -1 });
      const { status, headers } = await request(server).get('/whoami').set('Authorization', authorization);
      expect(status).toBe(401);
      expect(headers['www-authenticate']).toContain('error="invalid_token"');
    });
  });
});
