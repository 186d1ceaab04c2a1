import { z } from 'zod';
import { criterionSchemas } from './catalogue-schemas.ts';
import { cleaned, type Components, type Schema } from './schema.ts';

/** Adds search criteria to a response whose `.meta()` has `x-criteria`. */
function withCriteria({ 'x-criteria': criteria, ...schema }: Schema): Schema {
  if (criteria === undefined) return schema;
  return { ...schema, properties: { ...(schema['properties'] as Schema), ...criterionSchemas } };
}

/** Converts a zod schema to JSON schema. A schema with an id (`meta({ id })`) is added to `components` and referenced. */
export function schemaOf(type: z.ZodType, io: 'input' | 'output', components: Components): Schema {
  const made = z.toJSONSchema(type, { io, unrepresentable: 'any' });
  for (const [name, definition] of Object.entries(made.$defs ?? {})) {
    if (!components.has(name)) components.set(name, withCriteria(cleaned(definition) as Schema));
  }
  // The operation adds the criteria of a request, which differ in query strings.
  const schema = cleaned(made) as Schema;
  return io === 'output' ? withCriteria(schema) : schema;
}
