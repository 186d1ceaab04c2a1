import { Schema, type SchemaDefinition, type SchemaDefinitionType, type SchemaOptions } from 'mongoose';

/** Required fields of a Mongoose schema by their types. */
export const required = <Types extends Record<string, unknown>>(types: Types) =>
  Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type, required: true }])) as {
    [Name in keyof Types]: { type: Types[Name]; required: true };
  };

/** The schema of a collection. A document has no other fields, and no version of mongoose. */
export const collectionSchema = <Document>(
  collection: string,
  definition: SchemaDefinition<SchemaDefinitionType<Document>, Document>,
  options: Pick<SchemaOptions, 'id' | 'minimize'> = {},
): Schema<Document> =>
  new Schema<Document>(definition, { collection, versionKey: false, strict: 'throw', ...options });

/** A subdocument: the schema of an object inside a document. */
export const subdocument = (definition: object): Schema =>
  new Schema(definition, { _id: false, strict: 'throw' });

/** The update of a document that sets the defined values and removes the others. */
export function setOrRemove(values: object) {
  const entries = Object.entries(values) as [string, unknown][];
  const removed = entries.filter(([, value]) => value === undefined).map(([name]) => [name, 1] as const);
  return {
    $set: Object.fromEntries(entries.filter(([, value]) => value !== undefined)),
    ...(removed.length && { $unset: Object.fromEntries(removed) }),
  };
}
