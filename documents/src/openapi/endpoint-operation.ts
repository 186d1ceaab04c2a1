import type { Access, AnyEndpoint } from '@covalence/http/endpoint';
import { clearedFields, criterionSchemas, fieldSchemas, requiredFields } from './catalogue-schemas.ts';
import type { EndpointDocument, ParameterDocument } from './endpoint-document.ts';
import { faultsOf } from './failures.ts';
import { namesOf } from './names.ts';
import { capital, type Operation } from './operation.ts';
import { sampleOf } from './sample.ts';
import { clearedKeyword, ref, type Components, type Schema } from './schema.ts';
import { schemaOf } from './zod-schema.ts';

/** A parameter: its schema, whether it must be there, and what is said of it. */
interface Parameter {
  readonly schema: Schema;
  readonly required: boolean;
}

type Parameters = ReadonlyMap<string, Parameter>;

type PublicAccess = Exclude<Access, 'service'>;

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

/** A parameter of a schema whose `.meta()` may say that the operation itself refuses to do without. */
function parameterOf({ 'x-required': isRequired, ...schema }: Schema, required: boolean): Parameter {
  return { schema, required: required || isRequired === true };
}

/** Properties of an object schema, through what it is put together from. */
function propertiesOf(schema: Schema): [string, Parameter][] {
  const parts = Array.isArray(schema['allOf']) ? schema['allOf'].filter(isSchema) : [];
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  const own = Object.entries(properties).map(([name, one]): [string, Parameter] => [
    name,
    parameterOf(isSchema(one) ? one : {}, required.has(name)),
  ]);
  return [...parts.flatMap(propertiesOf), ...own];
}

/** What a document says of a parameter goes before what its zod schema says. */
function refined(parameter: Parameter, said: ParameterDocument = {}): Parameter {
  const { description, schema = parameter.schema, required = parameter.required } = said;
  return { schema: { ...schema, ...(description && { description }) }, required };
}

const pathNames = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');

const exampleOf = (document: EndpointDocument, name: string) => document.example?.request?.[name];

/** Every parameter of an endpoint; throws where its document names one that it does not have. */
function parametersOf(
  endpoint: AnyEndpoint<never>,
  document: EndpointDocument,
  route: string,
  components: Components,
): Parameters {
  const given = new Map(propertiesOf(schemaOf(endpoint.input, 'input', components)));
  const said = document.parameters ?? {};
  const unknown = Object.keys(said).filter((name) => !given.has(name));
  if (unknown.length) throw new Error(`${route}: ${unknown.join(', ')} are no parameters of the endpoint`);
  const shown = [...given].filter(([name, { schema }]) => !said[name]?.hidden && !schema['x-hidden']);
  return new Map(shown.map(([name, one]) => [name, refined(one, said[name])]));
}

const inPath = (names: readonly string[], parameters: Parameters, document: EndpointDocument): Schema[] =>
  names.map((name) => {
    const { description, ...schema } = parameters.get(name)?.schema ?? { type: 'string' };
    const example = exampleOf(document, name);
    return {
      name,
      in: 'path',
      required: true,
      description: description ?? name,
      schema,
      ...(example !== undefined && { example }),
    };
  });

const criterionPart = (name: string, schema: Schema, description: string): Schema => ({
  name,
  in: 'query',
  description,
  schema,
});

const years = { type: 'integer', minimum: 18, maximum: 120 };

/**
 * Criteria in a query string, as `age[from]=30`: two of them as an example. All as nested objects would be two hundred
 * parameters, which generated clients do not compile with; they have the POST.
 */
const criteriaInQuery: readonly Schema[] = [
  criterionPart('age[from]', years, 'Every other criterion of POST /searches is written the same way.'),
  criterionPart('age[to]', years, 'The highest age, included.'),
  criterionPart(
    'location[within]',
    { type: 'integer', examples: [150] },
    'As `within` of LocationCriterion.',
  ),
  criterionPart('location[of]', { type: 'string', examples: ['68502'] }, 'As `of` of LocationCriterion.'),
];

function inQuery(names: readonly string[], parameters: Parameters, document: EndpointDocument): Schema[] {
  const own = [...parameters].filter(([name]) => !names.includes(name));
  const plain = own.map(([name, { schema, required }]): Schema => {
    const { description, ...rest } = schema;
    const example = exampleOf(document, name);
    return {
      name,
      in: 'query',
      description: description ?? name,
      schema: rest,
      ...(required && { required }),
      ...(example !== undefined && { example }),
    };
  });
  return document.criteria ? [...plain, ...criteriaInQuery] : plain;
}

/** The body's own schema: an object of what is not in the path, beside the criteria where they may be given. */
function bodySchema(names: readonly string[], parameters: Parameters, document: EndpointDocument): Schema {
  if (document.body) return document.body;
  const own = [...parameters].filter(([name]) => !names.includes(name));
  const { criteria, fields } = document;
  const required = [
    ...own.filter(([, one]) => one.required).map(([name]) => name),
    ...(fields === 'register' ? requiredFields : []),
  ];
  const cleared = {
    ...(fields === 'update' && { [clearedKeyword]: clearedFields }),
    ...(criteria === 'merged' && { [clearedKeyword]: Object.keys(criterionSchemas) }),
  };
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(own.map(([name, one]) => [name, one.schema])),
      ...(fields && fieldSchemas(fields)),
      ...(criteria && criterionSchemas),
    },
    ...cleared,
    ...(required.length && { required }),
  };
}

function requestBody(
  names: readonly string[],
  parameters: Parameters,
  document: EndpointDocument,
  { upload }: AnyEndpoint<never>,
  name: string,
  components: Components,
): Schema | undefined {
  const schema = bodySchema(names, parameters, document);
  const isEmpty = schema['properties'] !== undefined && !Object.keys(schema['properties'] as object).length;
  if (isEmpty) return undefined;
  const request = Object.entries(document.example?.request ?? {}).filter(([name]) => !names.includes(name));
  components.set(name, schema);
  const content = {
    schema: ref(name),
    ...(request.length && { examples: { example: { value: Object.fromEntries(request) } } }),
  };
  return {
    ...(Array.isArray(schema['required']) && { required: true }),
    // Of several types many generated clients take JSON, which holds no file.
    content: upload
      ? { 'multipart/form-data': content }
      : { 'application/json': content, 'application/x-www-form-urlencoded': content },
  };
}

const security: Record<PublicAccess, readonly Schema[]> = {
  public: [],
  optional: [{}, { accessToken: [] }, { signIn: ['member'] }],
  member: [{ accessToken: [] }, { signIn: ['member'] }],
  staff: [{ accessToken: [] }, { signIn: ['staff'] }],
};

const idempotencyKey: Schema = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Your own name of the call: repeated with it, it is done once.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const ifNoneMatch: Schema = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of what you have.',
  schema: { type: 'string' },
};

const isNamed = (schema: Schema) =>
  '$ref' in schema || !Object.keys((schema['properties'] as object | undefined) ?? {}).length;

/** A schema in `components` under its name; throws where another shape has the name already. */
function named(name: string, schema: Schema, components: Components): Schema {
  const known = components.get(name);
  if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`${name} has two shapes`);
  components.set(name, schema);
  return ref(name);
}

const withCriteria = (schema: Schema): Schema => ({
  ...schema,
  properties: { ...(schema['properties'] as object), ...criterionSchemas },
});

const asIs = (schema: Schema) => schema;

/** The shape of the 200 answer: it and the entries of its list are classes of their own for generators. */
function answerSchema(
  route: string,
  endpoint: AnyEndpoint<never>,
  { answer: refinedAnswer, criteriaInAnswer }: EndpointDocument,
  components: Components,
): Schema {
  const schema = refinedAnswer ?? schemaOf(endpoint.output, 'output', components);
  if (isNamed(schema)) return schema;
  const { answer, entry } = namesOf(route);
  if (!answer)
    throw new Error(`the answer of ${route} has no name: add one to documents/src/openapi/names.ts`);
  const complete = criteriaInAnswer ? withCriteria : asIs;
  if (!entry) return named(answer, complete(schema), components);
  const properties = Object.entries(schema['properties'] as Record<string, Schema>).map(([name, one]) => {
    const { items } = one;
    const isList = isSchema(items) && !isNamed(items);
    return [name, isList ? { ...one, items: named(entry, complete(items), components) } : one] as const;
  });
  return named(answer, { ...schema, properties: Object.fromEntries(properties) }, components);
}

const answerOf = (
  route: string,
  endpoint: AnyEndpoint<never>,
  document: EndpointDocument,
  components: Components,
): Schema => {
  const schema = answerSchema(route, endpoint, document, components);
  const value = document.example?.answer ?? sampleOf(schema, components);
  return {
    '200': {
      description: document.result ?? 'Done.',
      ...(endpoint.etag && {
        headers: { ETag: { description: 'Of this answer.', schema: { type: 'string' } } },
      }),
      content: {
        'application/json': {
          schema,
          examples: { example: { value } },
        },
      },
    },
    ...(endpoint.etag && { '304': { description: 'You have it.' } }),
  };
};

/** An endpoint and its document as one operation. Throws where they do not fit. */
export function endpointOperation(
  route: string,
  endpoint: AnyEndpoint<never>,
  document: EndpointDocument,
  components: Components,
): Operation {
  const [method = '', path = ''] = route.split(' ');
  const { access, codes = [], summary, etag, recentSignIn } = endpoint;
  if (access === 'service') throw new Error(`${route} is not public`);
  const names = pathNames(path);
  const operationId = endpoint.operationId ?? namesOf(route).operation;
  const parameters = parametersOf(endpoint, document, route, components);
  const body =
    method === 'POST'
      ? requestBody(names, parameters, document, endpoint, `${capital(operationId)}Request`, components)
      : undefined;
  const listed = [
    ...inPath(names, parameters, document),
    ...(method === 'POST' ? [] : inQuery(names, parameters, document)),
    ...(document.idempotent ? [idempotencyKey] : []),
    ...(etag ? [ifNoneMatch] : []),
  ];
  const { also, refusals } = document;
  return {
    operationId,
    tags: [document.tag],
    summary,
    description: document.description,
    security: security[access],
    ...(listed.length && { parameters: listed }),
    ...(body && { requestBody: body }),
    responses: {
      ...answerOf(route, endpoint, document, components),
      ...faultsOf({
        access,
        codes,
        hasBody: method === 'POST',
        hasPathParameters: names.length > 0,
        recentSignIn: recentSignIn !== undefined,
        also,
        refusals,
      }),
    },
  };
}
