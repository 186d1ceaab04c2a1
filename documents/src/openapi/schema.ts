import { z } from 'zod';

/** A JSON schema of OpenAPI 3.1, as it is written out. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** Schemas of `components`, by name: what others point at. */
export type Components = Map<string, Schema>;

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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

/** The keywords of one schema; below `properties`, names are names. */
function cleaned(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(cleaned);
  if (!isMap(node))
    return typeof node === 'string' ? node.replace('#/$defs/', '#/components/schemas/') : node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([keyword, value]) => keyword !== '$defs' && !isNoise(keyword, value, node))
      .map(([keyword, value]) => [
        keyword,
        keyword === 'properties' && isMap(value)
          ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cleaned(one)]))
          : cleaned(value),
      ]),
  );
}

/**
 * A zod schema as JSON schema: what a client sends (`input`) or gets (`output`). Schemas with an id (`meta({ id })`) go
 * into `components` and are pointed at.
 */
export function schemaOf(type: z.ZodType, io: 'input' | 'output', components: Components): Schema {
  const made = z.toJSONSchema(type, { io, target: 'draft-2020-12', unrepresentable: 'any' });
  for (const [name, definition] of Object.entries(made.$defs ?? {})) {
    components.set(name, cleaned(definition) as Schema);
  }
  return cleaned(made) as Schema;
}

/** Points at a schema of `components`. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}
