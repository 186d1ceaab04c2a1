import { isMap } from '@covalence/contract/is-map';

/** A JSON schema of OpenAPI 3.1. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** Schemas of `components` by name. */
export type Components = Map<string, Schema>;

/** zod's bounds of safe integers are noise. */
const isEmptyBound = (keyword: string, value: unknown) =>
  (keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
  (keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER);

/** A format makes its pattern redundant. Objects are open, because responses may get more fields. */
const isNoise = (keyword: string, value: unknown, node: Record<string, unknown>) =>
  keyword === '$schema' ||
  keyword === 'id' ||
  (keyword === 'pattern' && 'format' in node) ||
  (keyword === 'additionalProperties' && value === false) ||
  isEmptyBound(keyword, value);

const isNull = (one: unknown) => isMap(one) && one['type'] === 'null' && Object.keys(one).length === 1;

const isPlain = (one: unknown): one is Schema =>
  isMap(one) && typeof one['type'] === 'string' && !('enum' in one);

/** Writes nullable as one schema with two types, the only form that most generators know. */
function nullable(node: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, ...rest } = node;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !anyOf.some(isNull)) return node;
  const value: unknown = anyOf.find((one) => !isNull(one));
  return isPlain(value) ? { ...rest, ...value, type: [value['type'], 'null'] } : node;
}

/** The types of a parameter that accepts numbers and texts, which only the TypeScript client can express. */
export const typesKeyword = 'x-types';

/** Names of fields that null clears; only the TypeScript client has null in their types. */
export const clearedKeyword = 'x-cleared-by-null';

/** Several types without null become any value. */
function oneType(node: Record<string, unknown>): Record<string, unknown> {
  const { type, ...rest } = node;
  const several = Array.isArray(type) && type.length > 1 && !type.includes('null');
  return several ? { ...rest, [typesKeyword]: type } : node;
}

/** Removes the alternatives of a schema whose metadata names the type that clients send. */
function withoutUnion(node: Record<string, unknown>): Record<string, unknown> {
  const { anyOf: _anyOf, ...rest } = node;
  return 'type' in node ? rest : node;
}

/** Many generators make a big decimal of a number without format. */
const isNumber = ({ type }: Record<string, unknown>) =>
  type === 'number' || (Array.isArray(type) && type.includes('number'));

const withFormat = (node: Record<string, unknown>) => (isNumber(node) ? { ...node, format: 'double' } : node);

/** Names in `properties` are no keywords, and examples are values. */
function cleanedValue(keyword: string, value: unknown): unknown {
  if (keyword === 'examples') return value;
  if (keyword !== 'properties' || !isMap(value)) return cleaned(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cleaned(one)]));
}

/** Removes noise from a JSON schema and rewrites what generators do not know. */
export function cleaned(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(cleaned);
  if (!isMap(given))
    return typeof given === 'string' ? given.replace('#/$defs/', '#/components/schemas/') : given;
  const node = withFormat(oneType(nullable(withoutUnion(given))));
  return Object.fromEntries(
    Object.entries(node)
      .filter(([keyword, value]) => keyword !== '$defs' && !isNoise(keyword, value, node))
      .map(([keyword, value]) => [keyword, cleanedValue(keyword, value)]),
  );
}

/** A reference to a schema of `components`. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}
