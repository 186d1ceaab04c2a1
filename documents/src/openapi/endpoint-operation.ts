import type { Access, AnyEndpoint, StaffRule } from '@covalence/http/endpoint';
import {
  ageEnd,
  clearedFields,
  criterionSchemas,
  fieldSchemas,
  requiredCriteria,
  requiredFields,
} from './catalogue-schemas.ts';
import { withinSchema } from '@covalence/search/criteria/parse-forms';
import { failuresOf } from './failures.ts';
import { inHeader, json, jsonOrForm, query, text, type Operation, type Row } from './parts.ts';
import { sampleOf } from './sample.ts';
import { clearedKeyword, ref, type Components, type Schema } from './schema.ts';
import { schemaOf } from './zod-schema.ts';

/** A parameter: its schema, and whether it is required. */
interface Parameter {
  readonly schema: Schema;
  readonly required: boolean;
}

type Parameters = readonly (readonly [name: string, Parameter])[];

/** Properties of an object schema, without hidden ones. */
function propertiesOf({ properties = {}, required = [] }: Schema): Parameters {
  return Object.entries(properties as Readonly<Record<string, Schema>>)
    .filter(([, one]) => !one['x-hidden'])
    .map(([name, { 'x-required': isRequired, ...schema }]) => {
      return [name, { schema, required: isRequired === true || (required as string[]).includes(name) }];
    });
}

/** A parameter of a path or a query string. */
function parameter(
  { example }: AnyEndpoint<never>,
  place: 'path' | 'query',
  [name, one]: Parameters[number],
): Schema {
  const { description = name, ...schema } = one.schema;
  const value = example?.request?.[name];
  return {
    name,
    in: place,
    ...((place === 'path' || one.required) && { required: true }),
    description,
    schema,
    // A service reads the numbers of a path as texts.
    ...(value !== undefined && { example: schema['type'] === 'integer' ? Number(value) : value }),
  };
}

/** Two criteria as query parameters, as an example. All would be 200 parameters, with which generated clients do not compile. */
const criteriaInQuery = query([
  [
    'age[from]',
    ageEnd,
    'One end of the age is required. Every other criterion of POST /searches is written the same way.',
  ],
  ['age[to]', ageEnd, 'The highest age, included.'],
  ['location[within]', withinSchema, 'As `within` of LocationCriterion.'],
  ['location[of]', { type: 'string', examples: ['68502'] }, 'As `of` of LocationCriterion.'],
]);

/** The body's schema: the parameters with the fields and criteria of the catalogue. */
function bodySchema(parameters: Parameters, { 'x-criteria': criteria, 'x-fields': fields }: Schema): Schema {
  const required = [
    ...parameters.filter(([, one]) => one.required).map(([name]) => name),
    ...(fields === 'register' ? requiredFields : []),
    ...(criteria === 'given' ? requiredCriteria : []),
  ];
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(parameters.map(([name, one]) => [name, one.schema])),
      ...((fields === 'register' || fields === 'update') && fieldSchemas(fields)),
      ...(criteria !== undefined && criterionSchemas),
    },
    ...(fields === 'update' && { [clearedKeyword]: clearedFields }),
    ...(criteria === 'merged' && { [clearedKeyword]: Object.keys(criterionSchemas) }),
    ...(required.length && { required }),
  };
}

/** A request body with its own class; undefined without parameters beside those of the path. */
function requestBody(
  { upload, example, operationId = '' }: AnyEndpoint<never>,
  schema: Schema,
  components: Components,
): Schema | undefined {
  const properties = schema['properties'] as Schema;
  if (!Object.keys(properties).length) return undefined;
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`;
  components.set(name, schema);
  const request = Object.entries(example?.request ?? {}).filter(([one]) => one in properties);
  const content = {
    schema: ref(name),
    ...(request.length && { examples: { example: { value: Object.fromEntries(request) } } }),
  };
  return {
    ...('required' in schema && { required: true }),
    // Of several types many generated clients use JSON, which cannot contain files.
    content: upload ? { 'multipart/form-data': content } : jsonOrForm(content),
  };
}

const security: Record<Exclude<Access, 'service'>, readonly Schema[]> = {
  public: [],
  optional: [{}, { accessToken: [] }, { signIn: ['member'] }],
  member: [{ accessToken: [] }, { signIn: ['member'] }],
  staff: [{ accessToken: [] }, { signIn: ['staff'] }],
};

const idempotencyKey: Row = [
  'Idempotency-Key',
  { ...text, minLength: 1, maxLength: 255 },
  'A name that you give the call: repeated with it, it takes effect once.',
];

const ifNoneMatch: Row = ['If-None-Match', text, 'The ETag of the answer that you have.'];

/** The 200 response with its example, 202 if the call may take effect later, and 304 if it has an ETag. */
function answers(
  { output, accepted, answer, example, etag }: AnyEndpoint<never>,
  components: Components,
): Schema {
  const schema = schemaOf(output, 'output', components);
  const value = example?.answer ?? sampleOf(schema, components);
  const headers = { ETag: { description: 'The version of this answer.', schema: { type: 'string' } } };
  return {
    '200': {
      description: answer,
      ...(etag && { headers }),
      content: json(schema, value),
    },
    ...(accepted && {
      '202': {
        description: 'Accepted: it takes effect once a second person approves it.',
        content: { 'application/json': { schema: schemaOf(accepted, 'output', components) } },
      },
    }),
    ...(etag && { '304': { description: 'The answer has not changed since the ETag that was sent.' } }),
  };
}

/** The sites on which a role has to count, by the rule of a call. */
const placeOf = (site: StaffRule<never, unknown>['site']): string => {
  if (site === 'several') return 'at least one site';
  return site === 'every' ? 'every site' : 'the site of the subject';
};

const neededRole = ({ roles, site }: StaffRule<never, unknown>): string => {
  const names = roles.map((role) => `\`${role}\``).join(' or ');
  return `Needs the role ${names} on ${placeOf(site)}, or \`admin\`.`;
};

/** An endpoint as an operation, by its OpenAPI route. */
export function endpointOperation(
  route: string,
  endpoint: AnyEndpoint<never>,
  components: Components,
): Operation {
  const [method = '', path = ''] = route.split(' ');
  const { access, summary, operationId, description, etag, idempotent, staff } = endpoint;
  const tag = endpoint.tag ?? (access === 'staff' ? 'Staff' : undefined);
  if (access === 'service' || !tag || !operationId || !summary || !description)
    throw new Error(`${route} is not a public endpoint`);
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const all = propertiesOf(schemaOf(endpoint.input, 'input', components));
  const own = all.filter(([name]) => !names.includes(name));
  const catalogue = (endpoint.input.meta() ?? {}) as Schema;
  const hasBody = method === 'POST' || method === 'PATCH';
  const body = hasBody ? requestBody(endpoint, bodySchema(own, catalogue), components) : undefined;
  const parameters = [
    ...all.filter(([name]) => names.includes(name)).map((one) => parameter(endpoint, 'path', one)),
    ...(hasBody ? [] : own.map((one) => parameter(endpoint, 'query', one))),
    ...(!hasBody && catalogue['x-criteria'] ? criteriaInQuery : []),
    ...inHeader([...(idempotent ? [idempotencyKey] : []), ...(etag ? [ifNoneMatch] : [])]),
  ];
  return {
    operationId,
    tags: [tag],
    summary,
    description: staff ? `${description}\n\n${neededRole(staff)}` : description,
    ...(staff && { 'x-roles': staff.roles }),
    security: security[access],
    ...(parameters.length && { parameters }),
    ...(body && { requestBody: body }),
    responses: { ...answers(endpoint, components), ...failuresOf(endpoint, hasBody, names.length > 0) },
  };
}
