import { createTestTokens } from '@covalence/testing/test-tokens';
import { until } from '@covalence/testing/until';
import { describe, expect, it } from '@jest/globals';
import { get as httpGet, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import request from 'supertest';
import { gatewayForEach } from '../support/gateway-for-each.ts';
import { sendRaw } from '../support/raw.ts';
import { startUnreachable } from '../support/unreachable.ts';

const mebibyte = 1024 * 1024;

const start = gatewayForEach();

describe('clients that disconnect', () => {
  it('cancel their upstream request: 40 of 40', async () => {
    let open = 0;
    let begun = 0;
    const { url } = await start({
      answer: (_request, response) => {
        begun += 1;
        open += 1;
        response.once('close', () => (open -= 1));
      },
    });
    const clients = Array.from({ length: 40 }, () => {
      const client = httpGet(`${url}/jwks`);
      client.on('error', () => undefined);
      return client;
    });
    await until('40 requests at the service', () => begun === 40);
    for (const client of clients) client.destroy();
    await until('none left at the service', () => open === 0);
    expect({ begun, open }).toEqual({ begun: 40, open: 0 });
  });

  it('cancel it within their body and within the response too', async () => {
    let open = 0;
    let begun = 0;
    const { url } = await start({
      answer: (asked, response) => {
        begun += 1;
        open += 1;
        response.once('close', () => (open -= 1));
        asked.resume();
        if (asked.method === 'GET') response.writeHead(200, { 'Content-Length': '1000000' }).write('x');
      },
    });
    const uploading = httpRequest(`${url}/token`, { method: 'POST' });
    uploading.on('error', () => undefined);
    uploading.write('a');
    const reading = httpGet(`${url}/jwks`);
    reading.on('error', () => undefined);
    await until('both at the service', () => begun === 2);
    uploading.destroy();
    reading.destroy();
    await until('none left at the service', () => open === 0);
    expect({ begun, open }).toEqual({ begun: 2, open: 0 });
  });

  it('reach no service if they disconnect during admission', async () => {
    const tokens = await createTestTokens();
    const entered = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const bearer = {
      ...tokens.bearer,
      fromHeader: async (header: string | undefined) => {
        entered.resolve();
        await release.promise;
        return tokens.bearer.fromHeader(header);
      },
    };
    const { url, service, context } = await start({ tokens, overrides: { bearer } });
    const authorization = await tokens.authorization({ id: 1 });
    const client = httpGet(`${url}/packages`, { headers: { authorization } });
    client.on('error', () => undefined);
    await entered.promise;
    client.destroy();
    await until('the gateway has noticed', async () =>
      (await context.metrics.registry.metrics()).includes('status="499"'),
    );
    release.resolve();
    await request(url).get('/jwks').expect(200);
    expect(service.requests.map((asked) => asked.url)).toEqual(['/jwks']);
  });
});

describe('failing services', () => {
  it('give 503 with Retry-After if unavailable, and do not affect the others', async () => {
    const { url, tokens } = await start({ environment: { BILLING_URL: 'http://127.0.0.1:1' } });
    const authorization = await tokens.authorization({ id: 1 });
    const { body, headers } = await request(url)
      .get('/packages')
      .set('Authorization', authorization)
      .expect(503);
    expect(body).toEqual({ fail: 'Service Unavailable' });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(headers['x-request-id']).toBeDefined();
    await request(url).get('/jwks').expect(200);
  });

  it('give 503 sooner if their address is gone than if they are silent', async () => {
    const gone = await startUnreachable();
    try {
      const environment = { UPSTREAM_CONNECT_TIMEOUT_MS: '150', AUTH_URL: gone.url };
      const { url } = await start({ environment });
      const { status, body, headers } = await request(url).get('/jwks');
      expect([status, body]).toEqual([503, { fail: 'Service Unavailable' }]);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      await gone.close();
    }
  });

  it('give 503 at the time limit if they hang', async () => {
    let open = 0;
    const { url } = await start({
      environment: { UPSTREAM_TIMEOUT_MS: '150' },
      answer: (_request, response) => {
        open += 1;
        response.once('close', () => (open -= 1));
      },
    });
    const { status, body } = await request(url).get('/jwks');
    expect([status, body]).toEqual([503, { fail: 'Service Unavailable' }]);
    await until('its request has ended', () => open === 0);
  });

  it('do not accumulate requests if they hang', async () => {
    const held: (() => void)[] = [];
    const { url } = await start({
      environment: { UPSTREAM_MAX_REQUESTS: '2' },
      answer: (_request, response) => void held.push(() => response.end('{}')),
    });
    const ask = async () => (await request(url).get('/jwks')).status;
    const first = [ask(), ask()];
    await until('two under way', () => held.length === 2);
    expect(await ask()).toBe(503);
    for (const finish of held) finish();
    expect(await Promise.all(first)).toEqual([200, 200]);
    const later = ask();
    await until('room again', () => held.length === 3);
    held[2]?.();
    expect(await later).toBe(200);
  });

  it('never give a complete response if theirs is truncated', async () => {
    const { port, context } = await start({
      answer: (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.write('{"half":', () => response.destroy());
      },
    });
    const { status, body } = await sendRaw(port, 'GET /jwks HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(status).toBe(200);
    expect(body).not.toContain('\r\n0\r\n');
    const counted = await until('it is counted', async () => {
      const { values } = await context.metrics.requests.get();
      return values.find(({ metricName, value }) => metricName?.endsWith('_count') && value);
    });
    expect(counted.labels).toEqual({ method: 'GET', route: '/jwks', status: '502' });
  });
});

describe('bodies and responses in progress', () => {
  it('reach the client if the response comes before the end of the body', async () => {
    const { url } = await start({
      answer: (_request, response) => response.writeHead(400, { 'Content-Type': 'text/plain' }).end('no'),
    });
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const call = httpRequest(`${url}/token`, { method: 'POST' }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
    call.on('error', reject);
    call.write('a');
    expect(await promise).toBe(400);
    // If the client continues, its body is read to the end, and the connection serves the next request.
    call.end('b'.repeat(100_000));
    await request(url).get('/jwks').expect(400);
  });

  it('give 503 if the service disconnects within a body', async () => {
    const { url } = await start({ answer: (asked) => asked.once('data', () => asked.socket.destroy()) });
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const call = httpRequest(`${url}/token`, { method: 'POST' }, (response) => resolve(response.statusCode));
    call.on('error', reject);
    call.write('a');
    expect(await promise).toBe(503);
    call.destroy();
  });

  it('apply backpressure while a client does not read, and lose nothing', async () => {
    const piece = Buffer.alloc(mebibyte, 'x');
    let left = 64;
    const { url } = await start({
      answer: (asked, response) => {
        if (asked.method === 'POST') {
          response.end();
          return;
        }
        const send = () => {
          left -= 1;
          if (left) response.write(piece, send);
          else response.end(piece);
        };
        send();
      },
    });
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    httpGet(`${url}/jwks`, resolve).on('error', reject);
    const answer = await promise;
    // Time enough for all of it, if nothing stopped it.
    for (let index = 0; index < 30; index += 1) await request(url).post('/token').expect(200);
    expect(left).toBeGreaterThan(16);
    let length = 0;
    for await (const chunk of answer as AsyncIterable<Buffer>) length += chunk.length;
    expect(length).toBe(64 * mebibyte);
  });

  it('have no chunks for a client of HTTP/1.0', async () => {
    const { port } = await start({
      answer: (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/plain' });
        response.write('one ');
        response.end('two');
      },
    });
    const { status, head, body } = await sendRaw(port, 'GET /jwks HTTP/1.0\r\n\r\n');
    expect([status, body]).toEqual([200, 'one two']);
    expect(head).not.toMatch(/transfer-encoding/i);
  });
});

describe('malformed requests', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['no Host', 'GET /jwks HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['a bad header', 'GET /jwks HTTP/1.1\r\nHost: a\r\nbad header: 1\r\n\r\n', 400],
    [
      'two ways to frame a body',
      'POST /token HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'two lengths',
      'POST /token HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde',
      400,
    ],
    ['a length behind a space', 'POST /token HTTP/1.1\r\nHost: a\r\nContent-Length : 4\r\n\r\nabcd', 400],
    [
      'chunks that are not the last coding',
      'POST /token HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'a coding by another name',
      'POST /token HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a folded header', 'GET /jwks HTTP/1.1\r\nHost: a\r\nX: 1\r\n y\r\nConnection: close\r\n\r\n', 400],
    ['lines without CR', 'GET /jwks HTTP/1.1\nHost: a\n\n', 400],
    ['a bad chunk', 'POST /token HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 400],
    ['headers without end', `GET /jwks HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a target that is no path', 'GET jwks HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
  ])('%s is answered as JSON with a request id', async (_name, bytes, status) => {
    const asked: unknown[] = [];
    const { port } = await start({
      answer: ({ url }, response) => {
        asked.push(url);
        response.end();
      },
    });
    // Resolves when the connection has ended; what stands behind is no request any more.
    const answer = await sendRaw(port, `${bytes}GET /packages HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(answer.status).toBe(status);
    expect(asked.filter((url) => url !== '/token')).toEqual([]);
    expect(JSON.parse(answer.body)).toEqual({ fail: expect.any(String) });
    expect(answer.head).toMatch(/x-request-id: \S+/i);
    expect(answer.head).toMatch(/content-type: application\/json/i);
  });

  it('get 408 for slow headers', async () => {
    const { port } = await start({ environment: { HEADERS_TIMEOUT_MS: '100' } });
    const answer = await sendRaw(port, 'GET /jwks HTTP/1.1\r\nHost: a\r\n');
    expect(answer.status).toBe(408);
    expect(JSON.parse(answer.body)).toEqual({ fail: 'Request Timeout' });
  });

  it('get 408 for a slow body, and the service has no open request', async () => {
    let open = 0;
    const { port } = await start({
      environment: { HEADERS_TIMEOUT_MS: '100', REQUEST_TIMEOUT_MS: '200' },
      answer: (asked, response) => {
        open += 1;
        asked.resume();
        response.once('close', () => (open -= 1));
      },
    });
    const answer = await sendRaw(port, 'POST /token HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\na');
    expect(answer.status).toBe(408);
    await until('none left at the service', () => open === 0);
  });

  it('lose the connection if a refused body never ends', async () => {
    const { port } = await start({});
    const { promise, resolve } = Promise.withResolvers<void>();
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.resume();
    socket.write('POST /token HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n');
    const piece = Buffer.alloc(mebibyte);
    const push = () => {
      if (!socket.destroyed) socket.write(piece, () => setImmediate(push));
    };
    push();
    await promise;
    expect(socket.destroyed).toBe(true);
  });
});

const asks = (count: number) =>
  `${'GET /jwks HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count - 1)}GET /jwks HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;

describe('a connection with pipelined requests', () => {
  it('gets all responses of a few requests', async () => {
    const { port, service } = await start({});
    const { status } = await sendRaw(port, asks(8));
    expect(status).toBe(200);
    expect(service.requests).toHaveLength(8);
  });

  it('is closed after too many, none of which reaches a service', async () => {
    const { port, service, url } = await start({});
    const text = await sendRaw(port, asks(1_000)).catch(() => ({ status: 0 }));
    expect(text.status).toBe(0);
    await request(url).get('/jwks').expect(200);
    expect(service.requests).toHaveLength(1);
  });
});
