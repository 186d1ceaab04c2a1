import { fuzzing } from '@covalence/testing/fuzzing';
import { until } from '@covalence/testing/until';
import { afterEach, describe, expect, it } from '@jest/globals';
import { array, assert, boolean, constantFrom, nat, oneof, property, tuple } from 'fast-check';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { WebSocket, WebSocketServer } from 'ws';
import { createFrameBoundary } from '../../src/proxy/frame-boundary.ts';
import { startService, type ServiceOptions, type ServiceUnderTest } from '../harness.ts';
import { sendRaw } from '../support/raw.ts';

let gateway: ServiceUnderTest | undefined;
let server: WebSocketServer | undefined;
afterEach(async () => {
  for (const socket of server?.clients ?? []) socket.terminate();
  await gateway?.close();
  gateway = undefined;
});

/** A gateway before a WebSocket server that sends back what it gets. */
async function start(settings: ServiceOptions = {}) {
  gateway = await startService('sockets', settings);
  const accepted: { socket: WebSocket; request: IncomingMessage }[] = [];
  server = new WebSocketServer({ server: gateway.service.server });
  server.on('connection', (socket, request) => {
    accepted.push({ socket, request });
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
  });
  return { gateway, accepted, url: `${gateway.url.replace('http', 'ws')}/ws/updates` };
}

const open = async (url: string, headers: Record<string, string> = {}) => {
  const socket = new WebSocket(url, { headers });
  await once(socket, 'open');
  return socket;
};

const upgrade = (path: string) =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: a',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    '',
    '',
  ].join('\r\n');

/** The number of requests in the metrics, by route and status. */
async function measured({ context }: ServiceUnderTest): Promise<Record<string, number>> {
  const { values } = await context.metrics.requests.get();
  // Failures of some routes begin at 0.
  const counts = values.filter(({ metricName, value }) => metricName?.endsWith('_count') && value > 0);
  return Object.fromEntries(counts.map(({ labels, value }) => [`${labels.route} ${labels.status}`, value]));
}

describe('WebSockets through the gateway', () => {
  it('accept pages of listed origins, the gateway’s own pages and apps, and no other page', async () => {
    const { url } = await start({ environment: { CORS_ORIGINS: 'https://app.example' } });
    const admitted: Record<string, string>[] = [
      {},
      { Origin: 'https://app.example' },
      { Origin: 'http://api.test' },
    ];
    for (const headers of admitted) {
      const socket = await open(url, headers);
      expect(socket.readyState).toBe(WebSocket.OPEN);
      socket.terminate();
    }
    for (const Origin of ['https://evil.example', 'null', 'https://app.example.evil.example']) {
      await expect(open(url, { Origin })).rejects.toThrow('403');
    }
  });

  it('accept pages of any origin if none is listed', async () => {
    const { url } = await start();
    const socket = await open(url, { Origin: 'https://app.example' });
    expect(socket.readyState).toBe(WebSocket.OPEN);
    socket.terminate();
  });

  it('forward small and large frames both ways, without the client’s forbidden headers', async () => {
    const { url, accepted } = await start();
    const socket = await open(url, { 'X-Forwarded-For': '198.51.100.1', 'X-Request-Id': 'ws-1' });
    const sent = ['', 'hello', 'x'.repeat(70_000)];
    const received: string[] = [];
    socket.on('message', (data: Buffer) => received.push(data.toString('utf8')));
    for (const text of sent) socket.send(text);
    await until('all came back', () => received.length === sent.length);
    expect(received).toEqual(sent);
    expect(accepted[0]?.request.url).toBe('/ws/updates');
    expect(accepted[0]?.request.headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-request-id': 'ws-1',
    });
    socket.terminate();
  });

  it('stay open when idle, longer than any other connection', async () => {
    const { url, gateway: behind } = await start({
      environment: { CLIENT_SILENCE_MS: '200', UPSTREAM_TIMEOUT_MS: '100' },
    });
    const socket = await open(url);
    // It says nothing either, and ends when the time is over.
    await sendRaw(behind.port, '');
    socket.send('there');
    const [data] = (await once(socket, 'message')) as [Buffer];
    expect(data.toString('utf8')).toBe('there');
    socket.terminate();
  });

  it('forward close codes of either side', async () => {
    const { url, accepted } = await start();
    const first = await open(url);
    await until('accepted', () => accepted[0]);
    accepted[0]?.socket.close(4401, 'expired');
    const [code, reason] = (await once(first, 'close')) as [number, Buffer];
    expect([code, reason.toString()]).toEqual([4401, 'expired']);

    const second = await open(url);
    await until('accepted', () => accepted[1]);
    const closed = once(accepted[1]?.socket ?? second, 'close');
    second.close(1000);
    expect((await closed)[0]).toBe(1000);
  });

  it('close on both sides when either connection breaks', async () => {
    const { url, accepted } = await start();
    const first = await open(url);
    await until('accepted', () => accepted[0]);
    const gone = once(accepted[0]?.socket ?? first, 'close');
    first.terminate();
    await gone;

    const second = await open(url);
    await until('accepted', () => accepted[1]);
    accepted[1]?.socket.terminate();
    expect((await once(second, 'close'))[0]).toBe(1006);
  });

  it.each(['/nothing', '/packages', '/internal/ws', '/'])(
    'an upgrade of %s is 404 and closed',
    async (path) => {
      const { gateway } = await start();
      const answer = await sendRaw(gateway.port, upgrade(path));
      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.body)).toEqual({ fail: 'Not Found' });
      expect(answer.head).toMatch(/X-Request-Id: \S+/);
    },
  );

  it('ignore an upgrade to another protocol', async () => {
    const { gateway } = await start();
    const answer = await sendRaw(
      gateway.port,
      'GET /jwks HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\n\r\n',
    );
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body).headers).not.toHaveProperty('upgrade');
  });

  it('count against the limit of the address', async () => {
    const { gateway } = await start({ environment: { RATE_PER_ADDRESS: '1', RATE_WINDOW_SECONDS: '600' } });
    await sendRaw(gateway.port, upgrade('/nothing'));
    const answer = await sendRaw(gateway.port, upgrade('/ws/updates'));
    expect(answer.status).toBe(429);
    expect(answer.head).toMatch(/Retry-After: \d+/);
  });

  it('answer 503 while the service is unavailable', async () => {
    const { gateway } = await start({ environment: { UPDATES_URL: 'http://127.0.0.1:1' } });
    const answer = await sendRaw(gateway.port, upgrade('/ws/updates'));
    expect(answer.status).toBe(503);
    expect(answer.head).toMatch(/Retry-After: \d+/);
    expect(await measured(gateway)).toEqual({ '/ws/updates 503': 1 });
  });

  it('forward a refusal of the service', async () => {
    gateway = await startService('sockets', {
      answer: (_request, response) => response.writeHead(429, { 'Retry-After': '7' }).end('{}'),
    });
    const answer = await sendRaw(gateway.port, upgrade('/ws/updates'));
    expect(answer.status).toBe(429);
    expect(answer.head).toMatch(/retry-after: 7/i);
    expect(await measured(gateway)).toEqual({ '/ws/updates 429': 1 });
  });

  it('are measured when opened or refused, not when closed', async () => {
    const { gateway, url, accepted } = await start();
    const socket = await open(url);
    await sendRaw(gateway.port, upgrade('/nothing'));
    const opened = { '/ws/updates 101': 1, 'none 404': 1 };
    expect(await measured(gateway)).toEqual(opened);
    socket.terminate();
    await until('the service has noticed', () => accepted[0]?.socket.readyState === 3);
    expect(await measured(gateway)).toEqual(opened);
  });

  it('are closed with 1001 when the gateway shuts down, and new ones are refused', async () => {
    const { gateway, url, accepted } = await start();
    const sockets = await Promise.all([open(url), open(url), open(url)]);
    await until('accepted', () => accepted.length === 3);
    const closes = sockets.map((socket) => once(socket, 'close'));
    gateway.context.health.accepting = false;
    await gateway.app.goAway();
    expect((await Promise.all(closes)).map(([code]) => code)).toEqual([1001, 1001, 1001]);
    await until('the service has noticed', () => accepted.every(({ socket }) => socket.readyState === 3));
    expect((await sendRaw(gateway.port, upgrade('/ws/updates'))).status).toBe(503);
  });

  it('are closed with 1001 if the service accepts them during the shutdown', async () => {
    const { gateway, url } = await start();
    const accepting: (() => void)[] = [];
    Object.assign(server?.options ?? {}, {
      verifyClient: (_info: unknown, answer: (isGood: boolean) => void) => accepting.push(() => answer(true)),
    });
    const socket = new WebSocket(url);
    const closed = once(socket, 'close');
    await until('asked for', () => accepting.length === 1);
    gateway.context.health.accepting = false;
    await gateway.app.goAway();
    for (const accept of accepting) accept();
    expect((await closed)[0]).toBe(1001);
  });
});

const frame = (payload: number, masked: boolean): Buffer => {
  const mask = masked ? 0x80 : 0;
  const head =
    payload < 126
      ? [0x81, mask | payload]
      : payload < 65_536
        ? [0x81, mask | 126, payload >> 8, payload & 255]
        : [0x81, mask | 127, 0, 0, 0, 0, 0, payload >> 16, (payload >> 8) & 255, payload & 255];
  return Buffer.concat([Buffer.from(head), Buffer.alloc(masked ? 4 : 0), Buffer.alloc(payload, 0xff)]);
};

describe('the end of a frame', () => {
  it('is found however the bytes are cut', () => {
    const payload = oneof(nat(200), constantFrom(0, 125, 126, 65_535, 65_536), nat(70_000));
    const frames = array(tuple(payload, boolean()), { minLength: 1, maxLength: 5 });
    assert(
      property(frames, array(nat(1_000), { maxLength: 20, size: 'max' }), (sizes, cuts) => {
        const whole = sizes.map(([size, masked]) => frame(size, masked));
        const ends = new Set<number>([0]);
        let length = 0;
        for (const one of whole) ends.add((length += one.length));
        const bytes = Buffer.concat(whole);
        const points = [...cuts.map((cut) => Math.floor((cut / 1_000) * length)), length].sort(
          (a, b) => a - b,
        );
        const boundary = createFrameBoundary();
        let at = 0;
        for (const point of points) {
          boundary.push(bytes.subarray(at, point));
          at = point;
          expect(boundary.atBoundary).toBe(ends.has(point));
        }
      }),
      fuzzing(200),
    );
  });
});
