import { isMap } from '@covalence/contract/is-map';

/** A JSON schema of OpenAPI 3.1, as it is written out. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** Schemas of `components`, by name: what others point at. */
export type Components = Map<string, Schema>;

/** zod's bounds of a safe integer say nothing about the value. */
const isEmptyBound = (keyword: string, value: unknown) =>
  (keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
  (keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER);

/** A format says what its pattern would repeat; answers may grow by fields, so that no object of them is closed. */
const isNoise = (keyword: string, value: unknown, node: Record<string, unknown>) =>
  keyword === '$schema' ||
  keyword === 'id' ||
  (keyword === 'pattern' && 'format' in node) ||
  (keyword === 'additionalProperties' && value === false) ||
  isEmptyBound(keyword, value);

const isNull = (one: unknown) => isMap(one) && one['type'] === 'null' && Object.keys(one).length === 1;

const isPlain = (one: unknown): one is Schema =>
  isMap(one) && typeof one['type'] === 'string' && !('enum' in one);

/** What may be null as one schema of two types instead of two schemas: most generators know the one form only. */
function nullable(node: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, ...rest } = node;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !anyOf.some(isNull)) return node;
  const value: unknown = anyOf.find((one) => !isNull(one));
  return isPlain(value) ? { ...rest, ...value, type: [value['type'], 'null'] } : node;
}

/**
 * What takes a number as well as a text has no type that generated clients can hold, but any value or the more usual of
 * the two. Here stands what TypeScript can say of it nevertheless (client-types.ts).
 */
export const typesKeyword = 'x-types';

/** Names of an object's fields that null clears. Their types say it to TypeScript alone; elsewhere null is what is not sent. */
export const clearedKeyword = 'x-cleared-by-null';

/** Several types that are no null become any value. */
function oneType(node: Record<string, unknown>): Record<string, unknown> {
  const { type, ...rest } = node;
  const several = Array.isArray(type) && type.length > 1 && !type.includes('null');
  return several ? { ...rest, [typesKeyword]: type } : node;
}

/** Metadata that names a type says what clients send; the kinds that the zod schema takes besides are left out. */
function withoutUnion(node: Record<string, unknown>): Record<string, unknown> {
  const { anyOf: _anyOf, ...rest } = node;
  return 'type' in node ? rest : node;
}

/** Without a format, a number is a big decimal to many generators. */
const isNumber = ({ type }: Record<string, unknown>) =>
  type === 'number' || (Array.isArray(type) && type.includes('number'));

const withFormat = (node: Record<string, unknown>) => (isNumber(node) ? { ...node, format: 'double' } : node);

/** Names below `properties` are no keywords, and examples are values. */
function cleanedValue(keyword: string, value: unknown): unknown {
  if (keyword === 'examples') return value;
  if (keyword !== 'properties' || !isMap(value)) return cleaned(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cleaned(one)]));
}

/** A JSON schema without noise, and with the keywords that generators know. */
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

/** Points at a schema of `components`. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}
