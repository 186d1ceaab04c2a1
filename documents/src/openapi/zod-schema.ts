import { z } from 'zod';
import { clearedFields, criterionSchemas, fieldSchemas, requiredFields } from './catalogue-schemas.ts';
import { cleaned, clearedKeyword, type Components, type Schema } from './schema.ts';

/** What the field catalogue adds to a schema that is marked with `x-fields` or `x-criteria`. */
function catalogueProperties(fields: unknown, criteria: unknown): Schema {
  return {
    ...((fields === 'register' || fields === 'update') && fieldSchemas(fields)),
    ...(criteria !== undefined && criterionSchemas),
  };
}

const clearedBy = (fields: unknown, criteria: unknown): readonly string[] | undefined => {
  if (fields === 'update') return clearedFields;
  return criteria === 'merged' ? Object.keys(criterionSchemas) : undefined;
};

/** A schema with the fields or criteria of the catalogue, where its `.meta()` names them. */
function expanded(schema: Schema): Schema {
  const { 'x-fields': fields, 'x-criteria': criteria, ...rest } = schema;
  if (fields === undefined && criteria === undefined) return schema;
  const cleared = clearedBy(fields, criteria);
  const required = fields === 'register' ? requiredFields : [];
  const own = (rest['required'] as string[] | undefined) ?? [];
  return {
    ...rest,
    properties: { ...(rest['properties'] as Schema), ...catalogueProperties(fields, criteria) },
    ...(required.length && { required: [...own, ...required] }),
    ...(cleared && { [clearedKeyword]: cleared }),
  };
}

/**
 * A zod schema as JSON schema: what a client sends (`input`) or gets (`output`). A schema with an id (`meta({ id })`) goes
 * into `components`, unless these have one of that name, and is pointed at.
 */
export function schemaOf(type: z.ZodType, io: 'input' | 'output', components: Components): Schema {
  const made = z.toJSONSchema(type, { io, target: 'draft-2020-12', unrepresentable: 'any' });
  for (const [name, definition] of Object.entries(made.$defs ?? {})) {
    if (!components.has(name)) components.set(name, expanded(cleaned(definition) as Schema));
  }
  return expanded(cleaned(made) as Schema);
}
