import type { Tag } from '../endpoint-document.ts';
import { namesOf } from '../names.ts';
import type { Operation } from '../operation.ts';
import { ref, type Schema } from '../schema.ts';

/** A response that stands among the components. */
export const point = (name: string): Schema => ({ $ref: `#/components/responses/${name}` });

/** What every operation answers to requests that are too slow, too many or too long. */
export const limits = { '408': point('TimedOut'), '429': point('TooMany'), '431': point('TooLong') };
/** What every operation may answer besides. */
export const faults = { ...limits, '500': point('Defect'), '503': point('Away') };

/** A page. */
export const html = (description: string): Schema => ({
  description,
  content: { 'text/html': { schema: { type: 'string' } } },
});

/** A refusal: as a page for the browser, as JSON where the request never came to a page. */
export const refusal = (description: string): Schema => ({
  description,
  content: {
    'text/html': { schema: { type: 'string' } },
    'application/json': { schema: ref('OAuthFailure') },
  },
});

/** What every page may answer besides. */
export const pageFaults = {
  ...limits,
  '500': refusal('A mistake of ours.'),
  '503': refusal('A part is away for now; it comes back by itself.'),
};
/** What every page's form may be answered besides. */
export const formFaults = {
  ...pageFaults,
  '413': refusal('The form is too large.'),
  '415': refusal('It is no form.'),
};

/** A redirect, with where it leads. */
export const redirect = (description: string): Schema => ({
  description,
  headers: { Location: { description: 'Where to go on.', schema: { type: 'string' } } },
});

/** An operation of the Authorization Server; its name is that of the route. */
export const operation = (
  route: string,
  tag: Tag,
  summary: string,
  rest: Pick<Operation, 'description' | 'responses'> & Partial<Operation>,
): Operation => ({ operationId: namesOf(route).operation, tags: [tag], summary, security: [], ...rest });

/** A parameter or field; optional where nothing else is said. */
export type Row = readonly [name: string, schema: Schema, description: string, required?: true];

/** Any text. */
export const text = { type: 'string' };

/** Rows as parameters of a query string. */
export const query = (rows: readonly Row[]) =>
  rows.map(([name, schema, description, required]) => ({
    name,
    in: 'query',
    description,
    schema,
    ...(required && { required }),
  }));

/** Rows as the fields of an object. */
export const object = (rows: readonly Row[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    rows.map(([name, schema, description]) => [name, { ...schema, description }]),
  ),
  required: rows.filter(([, , , required]) => required).map(([name]) => name),
});

/** A body in JSON or as a form. */
export const body = (schema: Schema, examples?: Schema): Schema => ({
  required: true,
  content: {
    // Generated clients take the first.
    'application/json': { schema, ...(examples && { examples }) },
    'application/x-www-form-urlencoded': { schema, ...(examples && { examples }) },
  },
});

/** A body as a form alone, as pages send it. */
export const form = (schema: Schema): Schema => ({
  required: true,
  content: { 'application/x-www-form-urlencoded': { schema } },
});
