import { createLogger } from '@covalence/runtime/logger';
import { createMetrics } from '@covalence/runtime/metrics';
import { fuzzing, fuzzingMs } from '@covalence/testing/fuzzing';
import { createTestTokens } from '@covalence/testing/test-tokens';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Server } from 'node:http';
import request from 'supertest';
import { createServiceApp } from '../src/mount.ts';
import { echo } from './echo.ts';

const names = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'a',
    'A-b',
    '',
    '$where',
    'a.b',
    '\u0000',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const leaves = fc.oneof(
  fc.constantFrom(
    '1e999',
    '-1e400',
    '9'.repeat(5_000),
    '-0',
    '1E-999',
    '""',
    'null',
    'true',
    '"\\ud800"',
    '"\\u0000"',
  ),
  fc.json({ maxDepth: 3, stringUnit: 'binary' }),
);
/** A value of this depth, as a map or a list. */
const deep = fc
  .tuple(fc.integer({ min: 1, max: 60 }), fc.constantFrom(['{"a":', '}'], ['[', ']']), leaves)
  .map(([depth, [open = '', close = ''], leaf]) => open.repeat(depth) + leaf + close.repeat(depth));
/** A map as JSON text with repeated names. */
const maps = fc
  .array(fc.tuple(names, fc.oneof({ arbitrary: leaves, weight: 5 }, { arbitrary: deep, weight: 1 })), {
    maxLength: 6,
  })
  .map((entries) => `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`);
const jsonBodies = fc.oneof(
  { arbitrary: maps, weight: 6 },
  { arbitrary: fc.tuple(maps, fc.nat(40)).map(([text, cut]) => text.slice(0, -cut - 1)), weight: 1 },
  { arbitrary: fc.oneof(leaves, deep, fc.string({ unit: 'binary' })), weight: 1 },
);

const bracketed = fc
  .array(
    fc.constantFrom(
      '[',
      ']',
      '[]',
      '[0]',
      '[5]',
      '[999999999]',
      '[-1]',
      '[__proto__]',
      '[constructor]',
      '[a]',
      'a',
      '.',
      '%5B',
      '%',
      '%00',
      '%E0%A4',
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));
/** Names with all kinds of brackets, sparse lists and invalid percent signs. */
const forms = fc
  .array(fc.tuple(bracketed, fc.oneof(bracketed, fc.webQueryParameters())), { maxLength: 8 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));

/** A map with this number of names. */
const named = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, `${at}`]));

describe('random bodies', () => {
  let server: Server;
  beforeAll(async () => {
    const app = createServiceApp({ 'POST /echo': echo, 'GET /echo': echo }, null, {
      logger: createLogger('test', 'silent'),
      metrics: createMetrics('test'),
      bearer: (await createTestTokens()).bearer,
      checkOutput: true,
    });
    server = app.listen(0);
  });
  afterAll(() => void server.close());

  /** Sends a body; resolves with the problem of an unexpected answer. */
  const wrongWith = async (type: string, body: string): Promise<string | undefined> => {
    const answer = await request(server).post('/echo').set('Content-Type', type).send(body);
    if (![200, 400, 413].includes(answer.status)) return `status ${answer.status}`;
    if (Object.keys(Object.prototype).length) return 'a prototype was reached';
    const names = Object.keys(answer.status === 200 ? answer.body.got : {});
    return names.includes('__proto__') ? 'a name of a prototype came through' : undefined;
  };

  it(
    'JSON: an answer or a refusal, never a defect',
    async () => {
      await fc.assert(
        fc.asyncProperty(jsonBodies, async (body) => {
          expect(await wrongWith('application/json', body)).toBeUndefined();
        }),
        fuzzing(150),
      );
    },
    fuzzingMs(30_000),
  );

  it(
    'forms and queries: an answer or a refusal, never a defect',
    async () => {
      await fc.assert(
        fc.asyncProperty(forms, async (text) => {
          expect(await wrongWith('application/x-www-form-urlencoded', text)).toBeUndefined();
          const { status } = await request(server).get(`/echo?${encodeURI(text).replaceAll('%25', '%')}`);
          expect([200, 400]).toContain(status);
        }),
        fuzzing(100),
      );
    },
    fuzzingMs(30_000),
  );

  it.each([
    ['deeper maps than anything means', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, 400],
    ['lists as deep', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`, 400],
    ['so deep that it would end the process', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 400],
    ['more names than anything has', JSON.stringify(named(1_001)), 400],
    ['as many as a form may have', JSON.stringify(named(1_000)), 200],
    ['more names in a map than anything has', JSON.stringify({ a: [named(1_001)] }), 400],
    ['a longer list than anything has', JSON.stringify({ a: { b: [1, Array(1_001).fill(1)] } }), 400],
    ['a list as long as a form may have', JSON.stringify({ a: Array(1_000).fill(1) }), 200],
    ['as deep as a form may be', '{"a":{"b":{"c":{"d":[{"e":1}]}}}}', 200],
  ])('JSON with %s', async (_name, body, status) => {
    const answer = await request(server).post('/echo').set('Content-Type', 'application/json').send(body);
    expect(answer.status).toBe(status);
  });

  it.each([
    ['a form', '1,001 parameters', 1_001, 400],
    ['a form', '1,000 parameters', 1_000, 200],
    ['a query', '1,001 parameters', 1_001, 400],
    ['a query', '1,000 parameters', 1_000, 200],
  ])('%s with %s: what is taken is taken whole', async (kind, _much, count, status) => {
    const text = new URLSearchParams(named(count)).toString();
    const sent =
      kind === 'a form' ? request(server).post('/echo').send(text) : request(server).get(`/echo?${text}`);
    expect((await sent).status).toBe(status);
  });
});
