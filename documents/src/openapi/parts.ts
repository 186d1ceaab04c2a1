import type { Tag } from '@covalence/http/endpoint';
import { limits } from './failures.ts';
import { ref, type Schema } from './schema.ts';

/** An operation of OpenAPI 3.1. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly Tag[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Schema[];
  readonly parameters?: readonly Schema[];
  readonly requestBody?: Schema;
  readonly responses: Schema;
}

/** Creates an operation that needs no token. */
export const operation = (tag: Tag, rest: Omit<Operation, 'tags' | 'security'>): Operation => ({
  ...rest,
  tags: [tag],
  security: [],
});

/** Operations by method and OpenAPI path: 'POST /token'. */
export type Operations = Readonly<Record<string, Operation>>;

const inHtml = { 'text/html': { schema: { type: 'string' } } };

/** A page. */
export const html = (description: string): Schema => ({ description, content: inHtml });

/** A refusal: a page for the browser, or JSON where the request did not reach a page. */
export const refusal = (description: string): Schema => ({
  description,
  content: { ...inHtml, 'application/json': { schema: ref('OAuthFailure') } },
});

/** Failures of every page. */
export const pageFaults = {
  ...limits,
  '500': refusal('An internal error.'),
  '503': refusal('A service is temporarily unavailable.'),
};

/** Failures of every form of a page. */
export const formFaults = {
  ...pageFaults,
  '413': refusal('The form is too large.'),
  '415': refusal('The body is not a form.'),
};

/** A redirect. */
export const redirect = (description: string): Schema => ({
  description,
  headers: { Location: { description: 'The next address.', schema: { type: 'string' } } },
});

/** A parameter of a path. */
export const inPath = (name: string, description: string): Schema => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string' },
});

/** A parameter or field with its schema; optional by default. */
export type Row = readonly [name: string, schema: Schema, description: string, required?: true];

/** Any text. */
export const text = { type: 'string' };

/** An address. */
export const uri = { type: 'string', format: 'uri' };

const parametersIn = (place: 'query' | 'header') => (rows: readonly Row[]) =>
  rows.map(([name, schema, description, required]) => ({
    name,
    in: place,
    description,
    schema,
    ...(required && { required }),
  }));

/** Rows as parameters of a query string. */
export const query = parametersIn('query');

/** Rows as headers of a request. */
export const inHeader = parametersIn('header');

/** Rows as the fields of an object. */
export const object = (rows: readonly Row[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    rows.map(([name, schema, description]) => [name, { ...schema, description }]),
  ),
  required: rows.filter(([, , , required]) => required).map(([name]) => name),
});

/** A body in JSON, which generated clients take because it is first, or as a form. */
export const jsonOrForm = (content: Schema): Schema => ({
  'application/json': content,
  'application/x-www-form-urlencoded': content,
});

/** A body or a response in JSON, with one example. */
export const json = (schema: Schema, value: unknown): Schema => ({
  'application/json': { schema, examples: { example: { value } } },
});

/** A form as body. */
export const form = (schema: Schema): Schema => ({
  required: true,
  content: { 'application/x-www-form-urlencoded': { schema } },
});
