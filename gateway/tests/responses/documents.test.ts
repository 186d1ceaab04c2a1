import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { documentPaths } from '../../src/responses/documents.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';

/** Bytes on the wire that the whole page may take. */
const pageBudget = 400 * 1024;

describe('the documents', () => {
  let gateway: ServiceUnderTest;

  beforeAll(async () => {
    gateway = await startService('documents');
  });
  afterAll(() => gateway.close());

  it.each([
    ['/openapi.json', 'openapi', /^3\.1\./],
    ['/asyncapi.json', 'asyncapi', /^3\./],
  ])('answer %s to anyone, and 304 to a client that has it', async (path, field, version) => {
    const first = await request(gateway.url).get(path).set('Origin', 'https://app.example').expect(200);
    expect(first.headers).toMatchObject({
      'content-type': expect.stringContaining('application/json'),
      'content-encoding': 'gzip',
      'access-control-allow-origin': expect.any(String),
    });
    expect(first.body[field]).toMatch(version);
    const tag = first.headers['etag'];
    for (const held of [`"other", W/${tag}`, '*'])
      await request(gateway.url).get(path).set('If-None-Match', held).expect(304, '');
    const plain = await request(gateway.url).get(path).set('Accept-Encoding', 'identity').expect(200);
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(plain.body).toEqual(first.body);
  });

  it('describe the failure of a call whose address or headers are too long', async () => {
    const { status } = await request(gateway.url).get(`/jwks?x=${'x'.repeat(20_000)}`);
    const { body } = await request(gateway.url).get('/openapi.json').expect(200);
    const responses = Object.values(body.paths as Record<string, Record<string, { responses?: object }>>)
      .flatMap((path) => Object.values(path))
      .flatMap(({ responses: own }) => own ?? []);
    expect(responses.length).toBeGreaterThan(50);
    const silent = responses.filter(
      (own) => Object.hasOwn(own, '429') && !Object.hasOwn(own, String(status)),
    );
    expect(silent).toHaveLength(0);
  });

  it.each(documentPaths)('accept only GET and HEAD at %s', async (path) => {
    const head = await request(gateway.url).head(path).expect(200);
    expect(Number(head.headers['content-length'])).toBeGreaterThan(0);
    const refused = await request(gateway.url).post(path).expect(405, { fail: 'Method Not Allowed' });
    expect(refused.headers['allow']).toBe('GET, HEAD, OPTIONS');
  });

  it.each(documentPaths)(
    'lets a page of another origin ask for %s again with the tag that it has',
    async (path) => {
      const preflight = await request(gateway.url)
        .options(path)
        .set('Origin', 'https://app.example')
        .set('Access-Control-Request-Method', 'GET')
        .set('Access-Control-Request-Headers', 'if-none-match')
        .expect(204);
      expect(preflight.headers['access-control-allow-headers']).toContain('If-None-Match');
    },
  );

  it('stay small', async () => {
    const sizes = await Promise.all(
      ['/docs', '/docs/rapidoc.js', '/openapi.json'].map(async (path) => {
        const { headers } = await request(gateway.url).head(path).set('Accept-Encoding', 'gzip');
        return Number(headers['content-length']);
      }),
    );
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(pageBudget);
  });
});
