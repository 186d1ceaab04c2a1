import openapiTypescript, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { typesKeyword, type Schema } from './openapi/schema.ts';

/** Keywords and media types that only repeat in the types what is said elsewhere. */
const untyped = new Set(['example', 'examples', 'text/html', 'application/x-www-form-urlencoded']);

/**
 * The document without what types do not need: examples, and forms beside the JSON that says the same; and with the types
 * that only TypeScript has.
 */
function forTypes(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(forTypes);
  if (typeof node !== 'object' || node === null) return node;
  const { [typesKeyword]: types, ...schema } = node as Schema;
  return Object.fromEntries(
    Object.entries(types ? { ...schema, type: types } : schema)
      .filter(([name]) => !untyped.has(name))
      .map(([name, value]) => [name, forTypes(value)]),
  );
}

/** The document as the types of libs/client. */
export async function clientTypes(openApi: Schema): Promise<string> {
  const types = await openapiTypescript(JSON.stringify(forTypes(openApi)), {
    // A parameter with a default may be left out.
    defaultNonNullable: false,
  });
  return `${COMMENT_HEADER}${astToString(types)}`;
}
