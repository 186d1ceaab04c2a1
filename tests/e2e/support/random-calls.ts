import { criteria } from '@covalence/contract/catalogue/criteria';
import { fields } from '@covalence/contract/catalogue/fields';
import * as fc from 'fast-check';
import { z } from 'zod';

/** A call with random, mostly invalid parameters. */
export interface RandomCall {
  readonly method: 'get' | 'post';
  /** The path in the OpenAPI document. */
  readonly path: string;
  readonly type: 'json' | 'form';
  readonly parameters: Record<string, unknown>;
}

/** Injection attempts: operators, queries, patterns, paths, prototypes. */
const attempts = fc.constantFrom<unknown>(
  { $gt: '' },
  { $ne: null },
  { $where: 'sleep(1000)' },
  { value: { $regex: '.*' } },
  { values: [{ $in: [1] }] },
  { from: { $gt: 1 }, to: [] },
  '*:*',
  'a OR b AND NOT (c',
  '/.*/',
  '"{}[]^~*?:\\/',
  '../../etc/passwd',
  '\u0000',
  "' OR 1=1 --",
  JSON.parse('{"__proto__":{"from":18,"to":99}}'),
);

const scalars = fc.oneof(
  fc.constantFrom<unknown>(
    0,
    -1,
    1e308,
    -1e308,
    0.1,
    10,
    20,
    '18',
    '99',
    'true',
    true,
    false,
    null,
    '',
    'US',
    'x'.repeat(3_000),
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const lists = fc.array(scalars, { maxLength: 30 });

/** Almost valid criteria. */
const shapes = fc.oneof(
  fc.record(
    {
      value: fc.oneof(scalars, lists),
      values: fc.oneof(lists, scalars),
      from: scalars,
      to: scalars,
      within: scalars,
      of: fc.oneof(scalars, fc.record({ latitude: scalars, longitude: scalars }, { requiredKeys: [] })),
      weight: scalars,
      required: scalars,
    },
    { requiredKeys: [] },
  ),
  attempts,
  scalars,
  lists,
  fc.object({ maxDepth: 5, key: fc.string({ maxLength: 5 }) }) as fc.Arbitrary<unknown>,
);

const settings = [
  'page',
  'pagesize',
  'sortby',
  'explain',
  'omit',
  'name',
  'id',
  'profileid',
  'text',
  'client_message_id',
  'reason',
];
const names = fc.oneof(
  { arbitrary: fc.constantFrom(...criteria.map(({ name }) => name)), weight: 5 },
  { arbitrary: fc.constantFrom(...fields.map(({ name }) => name)), weight: 2 },
  { arbitrary: fc.constantFrom(...settings), weight: 2 },
  { arbitrary: fc.constantFrom('__proto__', 'constructor', '$where', 'a.b', '', '[]'), weight: 1 },
);

const age = fc.constantFrom<unknown>({ from: 18, to: 99 }, { from: 30, to: 40 }, undefined);

const parameters = fc
  .tuple(age, fc.array(fc.tuple(names, shapes), { maxLength: 6 }))
  .map(([years, entries]) => ({
    ...(years !== undefined && { age: years }),
    ...Object.fromEntries(entries),
  }));

/** Excludes calls that end the sign-in of the caller. */
const harmless = ({ deactivated: _deactivated, ...rest }: Record<string, unknown>) => rest;

const paths = [
  ['post', '/searches'],
  ['post', '/searches'],
  ['get', '/searches'],
  ['post', '/search'],
  ['post', '/searches/saved'],
  ['post', '/members/self/criteria'],
  ['post', '/members/self/matchcriteria'],
  ['post', '/members/self'],
  ['post', '/members'],
  ['post', '/like'],
  ['post', '/messages'],
  ['get', '/messages'],
  ['post', '/report'],
  ['post', '/packages/purchase'],
] as const;

/** Calls of operations with many parameters, mostly criteria. */
export const randomCalls: fc.Arbitrary<RandomCall> = fc
  .tuple(fc.constantFrom(...paths), fc.constantFrom('json' as const, 'form' as const), parameters)
  .map(([[method, path], type, given]) => ({ method, path, type, parameters: harmless(given) }));

const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ responses: z.record(z.string(), z.looseObject({})) })),
  ),
});

const refusalSchema = z.object({ 'x-failcodes': z.array(z.int()) });

/** The statuses and 403 codes that the document lists for a call, besides 500 and 503. */
export function documentedAnswers(document: unknown, { method, path }: RandomCall) {
  const responses = documentSchema.parse(document).paths[path]?.[method]?.responses ?? {};
  const codes = refusalSchema.safeParse(responses['403']).data;
  return {
    statuses: Object.keys(responses)
      .map(Number)
      .filter((status) => status !== 500 && status !== 503),
    codes: codes?.['x-failcodes'] ?? [],
  };
}
