import { Failure } from '@covalence/contract/failure';
import { isPeerDefect, isUnavailableError } from '@covalence/runtime/unavailable-error';
import { listenLocally } from '@covalence/testing/listen-locally';
import { withRequestContext } from '@covalence/runtime/request-context';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { z } from 'zod';
import { connectionAgeMs } from '../src/peer.ts';
import { createCall } from '../src/peer.ts';
import type { ServiceCredential } from '../src/service-credential.ts';

/** The credential of the caller, which names the called service. */
const credential: ServiceCredential = {
  name: 'search',
  authorizationFor: (service) => Promise.resolve(`Bearer for-${service}`),
};
const to = 'profile';
/** An endpoint of the other service; its path need not begin with /internal here. */
const exchange = (path: string) => ({
  path: path as '/internal/',
  callers: [],
  input: z.object({}),
  output: z.object({ ok: z.boolean() }),
});

/** Status and body of the other service by path; none for a path that is never answered. */
const answers: Record<string, { status: number; body: string }> = {
  '/ok': { status: 200, body: '{"ok":true}' },
  '/refused': { status: 403, body: '{"fail":"Invalid Argument","failcode":[10302]}' },
  '/missing': { status: 404, body: '{"fail":"Not Found"}' },
  '/limited': { status: 429, body: '{"fail":"Too Many Requests"}' },
  '/secret': { status: 401, body: '{"fail":"Unauthorized"}' },
  '/broken': { status: 500, body: '{"fail":"Internal Server Error"}' },
  '/away': { status: 503, body: '{"fail":"Service Unavailable"}' },
  '/page': { status: 403, body: '<html>' },
  '/moved': { status: 302, body: '' },
};

describe('a call to another service', () => {
  let server: Server;
  let call: ReturnType<typeof createCall>;
  /** A short time limit, for the path that is never answered. */
  let hasty: ReturnType<typeof createCall>;
  let last: { request: IncomingMessage; body: string } | undefined;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        last = { request, body: Buffer.concat(chunks).toString() };
        const answer = answers[request.url ?? ''];
        if (request.url === '/torn') {
          response.writeHead(200, { 'Content-Length': 11 }).write('{"ok"', () => response.destroy());
        }
        if (answer)
          response.writeHead(answer.status, { Location: '/ok', 'Retry-After': '7' }).end(answer.body);
      });
    });
    const url = `http://127.0.0.1:${await listenLocally(server)}`;
    call = createCall({ url, to, credential });
    hasty = createCall({ url, to, credential, timeoutMs: 200 });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const failure = (path: string): Promise<unknown> =>
    (path === '/never' ? hasty : call)(exchange(path), {}).then(
      () => undefined,
      (error: unknown) => error,
    );

  /** The connection of a call. */
  const calledBy = async () => {
    await call(exchange('/ok'), {});
    return last?.request.socket.remotePort;
  };

  it('carries the token of the caller, the request id and JSON, and checks the answer', async () => {
    const answer = withRequestContext({ requestId: 'r-9' }, () => call(exchange('/ok'), { ids: [1] }));
    expect(await answer).toEqual({ ok: true });
    expect(last?.request.headers).toMatchObject({
      authorization: 'Bearer for-profile',
      'x-request-id': 'r-9',
      'content-type': 'application/json',
    });
    expect([last?.request.method, last?.body]).toEqual(['POST', '{"ids":[1]}']);
  });

  it.each([
    ['/refused', { status: 403, message: 'Invalid Argument', failcode: [10302] }],
    ['/missing', { status: 404, message: 'Not Found', failcode: undefined }],
  ])('passes the refusal of %s on', async (path, expected) => {
    const error = await failure(path);
    expect(error).toBeInstanceOf(Failure);
    expect(error).toMatchObject(expected);
  });

  it.each(['/secret', '/broken', '/away', '/page', '/moved', '/never'])(
    'says of %s that the other service is away',
    async (path) => {
      expect(isUnavailableError(await failure(path))).toBe(true);
    },
  );

  it('passes on Retry-After of a refusal, and no other header', async () => {
    const failure: unknown = await call(exchange('/limited'), {}).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({ status: 429, headers: { 'Retry-After': '7' } });
    expect(Object.keys((failure as Failure).headers)).toEqual(['Retry-After']);
  });

  it('distinguishes 500, which the call may cause, from an outage', async () => {
    const paths = ['/broken', '/away', '/secret', '/never', '/torn'];
    const problems = await Promise.all(paths.map((path) => failure(path)));
    expect(problems.map(isPeerDefect)).toEqual([true, false, false, false, false]);
    expect(problems[0]).toMatchObject({ message: 'no answer from /broken: status 500' });
  });

  it('opens a new connection after a while, so that new processes get calls', async () => {
    const before = [await calledBy(), await calledBy(), await calledBy()];
    const later = Date.now() + connectionAgeMs + 1;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => later);
    const after = await calledBy().finally(() => clock.mockRestore());
    expect(before).not.toContain(after);
  });

  it('answers 503 when nobody listens', async () => {
    const nobody = createCall({ url: 'http://127.0.0.1:1', to, credential });
    await expect(nobody(exchange('/ok'), {})).rejects.toMatchObject({ name: 'PeerUnavailable' });
  });

  it('answers 503 when the answer is truncated', async () => {
    const error = await failure('/torn');
    expect(error).toMatchObject({ name: 'PeerUnavailable' });
    expect(isUnavailableError(error)).toBe(true);
  });

  it('rejects an answer of another shape', async () => {
    await expect(
      call({ ...exchange('/ok'), output: z.object({ other: z.string() }) }, {}),
    ).rejects.toBeInstanceOf(z.ZodError);
  });
});
