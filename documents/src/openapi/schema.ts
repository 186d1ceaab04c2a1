import { isMap } from '@covalence/contract/is-map';

/** A JSON schema of OpenAPI 3.1. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** Schemas of `components` by name. */
export type Components = Map<string, Schema>;

/** Whether a schema allows any value. */
const isAny = (value: unknown) => isMap(value) && Object.keys(value).length === 0;

const hasFields = ({ properties }: Record<string, unknown>) =>
  isMap(properties) && Object.keys(properties).length > 0;

/** A format makes its pattern redundant, and zod bounds integers. Objects are open, because responses may get more fields. */
const isNoise = (keyword: string, value: unknown, node: Record<string, unknown>) =>
  keyword === '$schema' ||
  keyword === '$defs' ||
  (keyword === 'pattern' && 'format' in node) ||
  (keyword === 'additionalProperties' && (value === false || (isAny(value) && hasFields(node)))) ||
  value === Number.MAX_SAFE_INTEGER ||
  value === Number.MIN_SAFE_INTEGER;

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

/**
 * Properties of several types, or of any, with which generated clients do not compile. Only the TypeScript client has
 * them; the description of their object names them.
 */
const untypedKeyword = 'x-untyped';

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
const withFormat = (node: Record<string, unknown>) =>
  [node['type']].flat().includes('number') ? { ...node, format: 'double' } : node;

/** Names in `properties` are no keywords, and examples are values. */
function cleanedValue(keyword: string, value: unknown): unknown {
  if (keyword === 'examples' || keyword === untypedKeyword) return value;
  if (keyword !== 'properties' || !isMap(value)) return cleaned(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cleaned(one)]));
}

const isTyped = (schema: unknown) =>
  isMap(schema) &&
  ['type', '$ref', 'anyOf'].some((keyword) => keyword in schema) &&
  !isAny(schema['additionalProperties']);

/** Moves the properties that have no single type to a keyword of their own. */
function withoutUntyped({ properties, required, description, ...rest }: Record<string, unknown>) {
  const all = Object.entries(isMap(properties) ? properties : {});
  const untyped = all.filter(([, one]) => !isTyped(one));
  const names = untyped.map(([name]) => name);
  const mentioned = untyped.map(([name, one]) => `\`${name}\`: ${String((one as Schema)['description'])}`);
  const described = [description, ...mentioned].filter(Boolean).join(' ');
  return {
    ...rest,
    ...(isMap(properties) && { properties: Object.fromEntries(all.filter(([, one]) => isTyped(one))) }),
    ...(Array.isArray(required) && { required: required.filter((name) => !names.includes(String(name))) }),
    ...(described && { description: described }),
    ...(names.length && {
      [untypedKeyword]: {
        properties: Object.fromEntries(untyped),
        required: names.filter((name) => [required].flat().includes(name)),
      },
    }),
  };
}

/** A schema with all its properties, those without a single type included. */
export function whole({ [untypedKeyword]: untyped, ...schema }: Schema): Schema {
  if (!isMap(untyped)) return schema;
  const both = (name: string) => [schema[name], untyped[name]];
  return {
    ...schema,
    properties: Object.assign({}, ...both('properties')) as Schema,
    required: both('required').flat().filter(Boolean),
  };
}

const isIdentifier = (value: unknown) => /^[A-Za-z]\w*$/.test(String(value));

/**
 * Names the values of an enum that are no identifiers in programming languages. Without the default, which some
 * generators would look for under its own name.
 */
export function withNames(node: Schema): Schema {
  const { default: _default, ...rest } = node;
  const { enum: values } = node;
  if (!Array.isArray(values) || values.every(isIdentifier)) return node;
  const names = values.map((value) => String(value).replaceAll(/\W/g, '_').toUpperCase());
  return { 'x-enum-varnames': names, ...rest };
}

/** Removes noise from a JSON schema and rewrites what generators do not know. */
export function cleaned(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(cleaned);
  if (!isMap(given))
    return typeof given === 'string' ? given.replace('#/$defs/', '#/components/schemas/') : given;
  const node = withNames(withFormat(oneType(nullable(withoutUnion(given)))));
  return withoutUntyped(
    Object.fromEntries(
      Object.entries(node)
        .filter(([keyword, value]) => !isNoise(keyword, value, node))
        .map(([keyword, value]) => [keyword, cleanedValue(keyword, value)]),
    ),
  );
}

/** A reference to a schema of `components`. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}
