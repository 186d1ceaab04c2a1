import { Schema } from 'mongoose';

/** Required fields of a Mongoose schema by their types. */
export const required = <Types extends Record<string, unknown>>(types: Types) =>
  Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type, required: true }])) as {
    [Name in keyof Types]: { type: Types[Name]; required: true };
  };

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
