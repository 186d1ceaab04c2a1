import { createLogger } from '@covalence/runtime/logger';
import { createMetrics } from '@covalence/runtime/metrics';
import { fuzzing, fuzzingMs } from '@covalence/testing/fuzzing';
import { createTestTokens } from '@covalence/testing/test-tokens';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Express } from 'express';
import * as fc from 'fast-check';
import type { Server } from 'node:http';
import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../src/endpoint.ts';
import { createServiceApp } from '../src/mount.ts';
import { UploadedFile } from '../src/multipart.ts';
import { documentation } from './documentation.ts';

const kilobyte = 1024;

const show = endpoint({
  access: 'public',
  ...documentation,
  summary: 'Shows what came',
  upload: { file: 'image', maxBytes: 64 * kilobyte },
  bodyLimit: 256 * kilobyte,
  input: z.looseObject({ image: z.unknown().optional() }),
  output: z.looseObject({}),
  handler: ({ input: { image, ...fields } }) =>
    Promise.resolve({
      fields,
      image:
        image instanceof UploadedFile
          ? { length: image.bytes.length, tooLarge: image.tooLarge }
          : (image ?? 'none'),
    }),
});

const plain = endpoint({
  access: 'public',
  ...documentation,
  summary: 'Takes no file',
  input: z.looseObject({}),
  output: z.looseObject({}),
  handler: () => Promise.resolve({}),
});

const names = fc.oneof(
  fc.constantFrom('image', 'a', '', '__proto__', 'constructor', 'a[b][c]', 'image[]', '"', 'x'.repeat(200)),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const parameters = fc.oneof(
  fc.constantFrom(
    '',
    '; filename=""',
    '; filename="a.jpg"',
    "; filename*=UTF-8''%E0%A4",
    '; filename="..\\..\\x"',
    ';;;',
  ),
  fc.string({ maxLength: 12 }),
);
const types = fc.constantFrom(
  '',
  'Content-Type: image/jpeg\r\n',
  'Content-Type: multipart/mixed; boundary=y\r\n',
  'Content-Type: text/plain; charset=nothing\r\n',
  'Content-Transfer-Encoding: base64\r\n',
  'Content-Disposition: attachment\r\n',
  'no header\r\n',
  ': empty\r\n',
);
const many = fc.constantFrom(0, 0, 0, 30, 3_000).map((count) => 'X-Filler: y\r\n'.repeat(count));
const contents = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('', '--x', '\r\n--x--\r\n', '--y\r\n\r\nnested\r\n--y--\r\n', '\0', 'z'.repeat(70_000)),
);
const parts = fc
  .tuple(names, parameters, types, many, contents)
  .map(
    ([name, more, type, filler, content]) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n${type}${filler}\r\n${content}\r\n`,
  );
/** Almost valid forms: with all kinds of parts, truncated, with other line endings. */
const nearlyForms = fc
  .tuple(
    fc.constantFrom('', '', 'before\r\n', '\r\n'),
    fc.array(parts, { maxLength: 4 }),
    fc.constantFrom('--x--\r\n', '--x--\r\n', '--x--', '--x', '', '--x--\r\nafter'),
    fc.constantFrom(0, 0, 0, 5),
    fc.constantFrom('\r\n', '\r\n', '\r\n', '\n'),
  )
  .map(([before, all, end, cut, line]) => [before, ...all, end].join('').slice(cut).replaceAll('\r\n', line));
const boundaries = fc.constantFrom(
  '; boundary=x',
  '; boundary=x',
  '; boundary="x"',
  '; boundary=y',
  '; boundary=',
  ';boundary',
  '',
  `; boundary=${'x'.repeat(300)}`,
);

const raw = (body: string, boundary = 'x') => ({ body, type: `multipart/form-data; boundary=${boundary}` });

describe('multipart forms', () => {
  let app: Express;
  beforeAll(async () => {
    app = createServiceApp({ 'POST /show': show, 'POST /plain': plain }, undefined, {
      logger: createLogger('test', 'silent'),
      metrics: createMetrics('test'),
      bearer: (await createTestTokens()).bearer,
    });
  });
  const post = () => request(app).post('/show');

  it('returns the file and the fields under folded names', async () => {
    const { body } = await post()
      .field('Photo-Caption', 'Hello')
      .field('tag', 'a')
      .field('tag', 'b')
      .attach('Image', Buffer.alloc(10), 'a.jpg')
      .expect(200);
    expect(body).toEqual({
      fields: { photo_caption: 'Hello', tag: ['a', 'b'] },
      image: { length: 10, tooLarge: false },
    });
  });

  it('accepts the file without a file name', async () => {
    const { body, type } = raw('--x\r\nContent-Disposition: form-data; name="image"\r\n\r\nabc\r\n--x--\r\n');
    const answer = await post().set('Content-Type', type).send(body).expect(200);
    expect(answer.body.image).toEqual({ length: 3, tooLarge: false });
  });

  it('treats an empty file as missing', async () => {
    const { body } = await post().attach('image', Buffer.alloc(0), 'a.jpg').expect(200);
    expect(body.image).toBe('none');
  });

  it.each([
    [64 * kilobyte, { length: 64 * kilobyte, tooLarge: false }],
    [64 * kilobyte + 1, { length: 0, tooLarge: true }],
  ])('a file of %i bytes', async (length, image) => {
    const { body } = await post().attach('image', Buffer.alloc(length), 'a.jpg').expect(200);
    expect(body.image).toEqual(image);
  });

  it('reads other bodies, and accepts no JSON as a file', async () => {
    const { body } = await post()
      .send({ image: { bytes: 'x', tooLarge: false } })
      .expect(200);
    expect(body.image).toEqual({ bytes: 'x', tooLarge: false });
    await post().type('form').send({ a: 'b' }).expect(200);
  });

  it('drops other files and a second file', async () => {
    const { body } = await post()
      .attach('image', Buffer.alloc(3), 'a.jpg')
      .attach('other', Buffer.alloc(9), 'b.jpg')
      .expect(200);
    expect(body).toEqual({ fields: {}, image: { length: 3, tooLarge: false } });
  });

  it.each([
    ['without a boundary', { body: 'x', type: 'multipart/form-data' }, 400],
    ['that ends early', raw('--x\r\nContent-Disposition: form-data; name="image"\r\n\r\nabc'), 400],
    ['that is none', raw('nothing of the kind'), 400],
  ])('a form %s is refused', async (_case, { body, type }, status) => {
    const answer = await post().set('Content-Type', type).send(body);
    expect(answer.status).toBe(status);
  });

  it('answers 413 when a body, a field or the number of parts exceeds its limit', async () => {
    await post()
      .attach('image', Buffer.alloc(300 * kilobyte), 'a.jpg')
      .expect(413);
    await post()
      .field('a', 'x'.repeat(70 * kilobyte))
      .expect(413);
    const many = post();
    for (let index = 0; index < 60; index += 1) void many.field(`f${index}`, 'x');
    expect((await many).status).toBe(413);
  });

  it(
    'whatever comes as a form is taken or refused, and never a defect',
    async () => {
      const server: Server = app.listen(0);
      await fc.assert(
        fc.asyncProperty(nearlyForms, boundaries, async (body, boundary) => {
          const { status } = await request(server)
            .post('/show')
            .set('Content-Type', `multipart/form-data${boundary}`)
            .send(Buffer.from(body, 'utf8'));
          expect([200, 400, 413, 415]).toContain(status);
        }),
        fuzzing(120),
      );
      server.close();
    },
    fuzzingMs(30_000),
  );

  it('answers 415 at an endpoint without an upload', async () => {
    const { status } = await request(app).post('/plain').field('a', 'b');
    expect(status).toBe(415);
  });
});
