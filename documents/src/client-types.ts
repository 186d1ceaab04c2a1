import openapiTypescript, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { clearedKeyword, typesKeyword, whole, type Schema } from './openapi/schema.ts';

/** Keywords and media types that add nothing to the types. */
const untyped = new Set(['example', 'examples', 'text/html', 'application/x-www-form-urlencoded']);

/** Makes the properties that null clears nullable. */
const orNull = (properties: Schema, cleared: readonly unknown[]): Schema =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      if (!cleared.includes(name)) return [name, schema];
      const { description, ...rest } = schema as Schema;
      return [name, { description, anyOf: [rest, { type: 'null' }] }];
    }),
  );

/** The document without examples and forms, and with the types that only TypeScript can express. */
function forTypes(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(forTypes);
  if (typeof node !== 'object' || node === null) return node;
  const { [typesKeyword]: types, [clearedKeyword]: cleared, ...schema } = whole(node as Schema);
  const typed = {
    ...schema,
    ...(types !== undefined && { type: types }),
    ...(Array.isArray(cleared) && { properties: orNull(schema['properties'] as Schema, cleared) }),
  };
  return Object.fromEntries(
    Object.entries(typed)
      .filter(([name]) => !untyped.has(name))
      .map(([name, value]) => [name, forTypes(value)]),
  );
}

/** The types of libs/client. */
export async function clientTypes(openApi: Schema): Promise<string> {
  const types = await openapiTypescript(JSON.stringify(forTypes(openApi)), {
    // A parameter with a default may be left out.
    defaultNonNullable: false,
  });
  return `${COMMENT_HEADER}${astToString(types)}`;
}
