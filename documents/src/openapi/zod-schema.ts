import { z } from 'zod';
import { criterionSchemas } from './catalogue-schemas.ts';
import { cleaned, type Components, type Schema } from './schema.ts';

/** An answer that holds search criteria beside its own fields, as its `.meta()` says by `x-criteria`. */
function withCriteria({ 'x-criteria': criteria, ...schema }: Schema): Schema {
  if (criteria === undefined) return schema;
  return { ...schema, properties: { ...(schema['properties'] as Schema), ...criterionSchemas } };
}

/**
 * A zod schema as JSON schema: what a client sends (`input`) or gets (`output`). A schema with an id (`meta({ id })`) goes
 * into `components`, unless these have one of that name, and is pointed at.
 */
export function schemaOf(type: z.ZodType, io: 'input' | 'output', components: Components): Schema {
  const made = z.toJSONSchema(type, { io, target: 'draft-2020-12', unrepresentable: 'any' });
  for (const [name, definition] of Object.entries(made.$defs ?? {})) {
    if (!components.has(name)) components.set(name, withCriteria(cleaned(definition) as Schema));
  }
  // What a client sends is put together by the operation: in a query string criteria are written out otherwise.
  const schema = cleaned(made) as Schema;
  return io === 'output' ? withCriteria(schema) : schema;
}
