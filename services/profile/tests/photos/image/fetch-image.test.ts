import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen } from '@covalence/runtime/lifecycle';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { LookupFunction } from 'node:net';
import { createImageFetcher } from '../../../src/photos/image/fetch-image.ts';
import { jpegOf } from '../../support/images.ts';
import { startService, type ServiceUnderTest } from '../../harness.ts';

const limit = 100_000;

/** Names of the tests and what they resolve to, one answer after the other; the last one stays. */
const names: Record<string, string[]> = {
  'public.test': ['127.0.0.2'],
  'private.test': ['127.0.0.3'],
  'mixed.test': ['127.0.0.2 127.0.0.3'],
  'ten.test': ['10.1.2.3'],
  'metadata.test': ['169.254.169.254'],
  'mapped.test': ['::ffff:127.0.0.3'],
  'rebind.test': ['127.0.0.2', '127.0.0.3'],
};

const lookup: LookupFunction = (hostname, options, callback) => {
  const answers = names[hostname];
  const answer = answers && answers.length > 1 ? answers.shift() : answers?.[0];
  if (!answer) return callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), '', 4);
  const all = answer.split(' ').map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const [first] = all;
  if (options.all) callback(null, all);
  else callback(null, first?.address ?? '', first?.family);
};

let server: Server;
let port = 0;
let secretsRead = 0;
let image: Buffer;

const answers: Record<string, RequestListener> = {
  '/image': (_request, response) => void response.end(image),
  '/secret': (_request, response) => {
    secretsRead += 1;
    response.end(image);
  },
  '/announced': (_request, response) => {
    response.writeHead(200, { 'Content-Length': String(limit + 1) });
    response.end(Buffer.alloc(limit + 1));
  },
  '/endless': (_request, response) => {
    const timer = setInterval(() => response.write(Buffer.alloc(20_000)), 1);
    response.once('close', () => clearInterval(timer));
  },
  '/silent': () => {},
  '/trickle': (_request, response) => {
    const timer = setInterval(() => response.write('x'), 20);
    response.once('close', () => clearInterval(timer));
  },
  '/broken': (_request, response) => {
    response.writeHead(200, { 'Content-Length': '900' });
    response.write('x', () => response.destroy());
  },
  '/moved': (_request, response) => void response.writeHead(302, { Location: '/image' }).end(),
  '/loop': (_request, response) => void response.writeHead(302, { Location: '/loop' }).end(),
  '/nowhere': (_request, response) => void response.writeHead(302).end(),
};

beforeAll(async () => {
  image = await jpegOf(40, 30);
  server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path.startsWith('/to/')) {
      response.writeHead(302, { Location: decodeURIComponent(path.slice(4)) }).end();
      return;
    }
    const answer = answers[path];
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  port = await listen(server, 0, '0.0.0.0');
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const fetcher = () =>
  createImageFetcher({ maxBytes: limit, timeoutMs: 400, lookup, allowed: ['127.0.0.2'], concurrency: 2 });
const at = (host: string, path: string) => `http://${host}:${port}${path}`;
const codeOf = (address: string) =>
  fetcher()
    .fetch(address)
    .then(
      () => 'fetched',
      (error: { failcode?: readonly number[] }) => error.failcode?.[0],
    );

describe('images from addresses', () => {
  it.each(['/image', '/moved'])('%s is fetched', async (path) => {
    expect((await fetcher().fetch(at('public.test', path))).equals(image)).toBe(true);
  });

  it.each([
    ['no address', () => 'image.jpg'],
    ['another scheme', () => 'ftp://public.test/image'],
    ['a file', () => 'file:///etc/passwd'],
    ['data', () => 'data:image/png;base64,AAAA'],
    ['credentials', () => `http://me:secret@public.test:${port}/image`],
    ['a very long one', () => at('public.test', `/${'x'.repeat(3000)}`)],
    ['loopback', () => at('127.0.0.1', '/secret')],
    ['loopback by its number', () => `http://2130706433:${port}/secret`],
    ['loopback in hexadecimal', () => `http://0x7f.1:${port}/secret`],
    ['loopback by IPv6', () => `http://[::1]:${port}/secret`],
    ['IPv4 inside IPv6', () => `http://[::ffff:127.0.0.1]:${port}/secret`],
    ['NAT64', () => `http://[64:ff9b::7f00:1]:${port}/secret`],
    ['unspecified', () => at('0.0.0.0', '/secret')],
    ['link-local', () => 'http://169.254.169.254/latest/meta-data/'],
    ['link-local IPv6', () => 'http://[fe80::1]/'],
    ['unique local', () => 'http://[fd00:ec2::254]/latest/'],
    ['private', () => 'http://192.168.0.1/'],
    ['carrier-grade NAT', () => 'http://100.64.0.1/'],
    ['multicast', () => 'http://224.0.0.1/'],
    ['a name of a private address', () => at('private.test', '/secret')],
    ['a name of ten', () => at('ten.test', '/secret')],
    ['a name of the metadata address', () => at('metadata.test', '/secret')],
    ['a name of IPv4 inside IPv6', () => at('mapped.test', '/secret')],
    ['a name of both kinds', () => at('mixed.test', '/secret')],
    ['a private address behind TLS', () => `https://private.test:${port}/secret`],
    [
      'a redirect to a private address',
      () => at('public.test', `/to/${encodeURIComponent(at('127.0.0.3', '/secret'))}`),
    ],
    [
      'a redirect to a private name',
      () => at('public.test', `/to/${encodeURIComponent(at('private.test', '/secret'))}`),
    ],
    ['a redirect to a file', () => at('public.test', `/to/${encodeURIComponent('file:///etc/passwd')}`)],
    [
      'a DNS answer that changes',
      () => at('rebind.test', `/to/${encodeURIComponent(at('rebind.test', '/secret'))}`),
    ],
  ])('%s may not be fetched', async (_case, address) => {
    expect(await codeOf(address())).toBe(11201);
    expect(secretsRead).toBe(0);
  });

  it.each([
    ['an unknown name', () => at('unknown.test', '/image'), 11204],
    ['nothing there', () => at('public.test', '/nothing'), 11204],
    ['redirects without end', () => at('public.test', '/loop'), 11204],
    ['a redirect to nowhere', () => at('public.test', '/nowhere'), 11204],
    ['a server that says nothing', () => at('public.test', '/silent'), 11204],
    ['a server that never ends', () => at('public.test', '/trickle'), 11204],
    ['a connection that breaks', () => at('public.test', '/broken'), 11204],
    ['a closed port', () => 'http://public.test:1/', 11204],
    ['an announced size over the limit', () => at('public.test', '/announced'), 11205],
    ['more than the limit', () => at('public.test', '/endless'), 11205],
  ])('%s', async (_case, address, code) => {
    expect(await codeOf(address())).toBe(code);
  });

  it('are limited in parallel; further ones are refused with 503', async () => {
    const one = fetcher();
    const answered = await Promise.allSettled([1, 2, 3].map(() => one.fetch(at('public.test', '/silent'))));
    const statuses = answered.map((each) => (each.status === 'rejected' ? each.reason.status : 200));
    expect(statuses).toEqual([403, 403, 503]);
    expect((await one.fetch(at('public.test', '/image'))).length).toBe(image.length);
  });
});

describe('POST /photo with imageurl', () => {
  let service: ServiceUnderTest;
  beforeAll(async () => {
    service = await startService('photo-url', { overrides: { imageFetcher: fetcher() } });
  });
  afterAll(() => service.close());

  it('creates a photo of the image, and answers the codes', async () => {
    const member = await service.register();
    const { body } = await member.post('/photo', { imageurl: at('public.test', '/image'), caption: 'Found' });
    expect(body).toMatchObject({ width: 40, height: 30, caption: 'Found' });
    await member.post('/photo', { imageurl: at('public.test', '/image'), caption: null }).expect(200);
    const code = async (imageurl: unknown) =>
      (await member.post('/photo', { imageurl }).expect(403)).body.failcode;
    expect(await code(at('private.test', '/secret'))).toEqual([11201]);
    expect(await code(['x'])).toEqual([11201]);
    expect(await code(at('public.test', '/nothing'))).toEqual([11204]);
    expect(await code(at('public.test', '/endless'))).toEqual([11205]);
    expect(secretsRead).toBe(0);
  });
});
