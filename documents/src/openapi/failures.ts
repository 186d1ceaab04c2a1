import { failureCode } from '@covalence/contract/failure-codes';
import type { Access, AnyEndpoint } from '@covalence/http/endpoint';
import { ref, type Schema } from './schema.ts';

/** A failure in JSON with examples by their names. */
const contentOf = (examples: readonly (readonly [name: string, example: Schema])[]): Schema => ({
  'application/json': { schema: ref('Failure'), examples: Object.fromEntries(examples) },
});

const header = (description: string, schema: Schema = { type: 'string' }) => ({ description, schema });

/** A failure with an example of a `fail` text, or of several. */
export const plain = (description: string, fails: string | readonly string[], headers?: Schema): Schema => ({
  description,
  ...(headers && { headers }),
  content: contentOf([fails].flat().map((fail) => [fail, { value: { fail } }])),
});

const challenge = (description: string) => ({ 'WWW-Authenticate': header(description) });

const retryAfter = { 'Retry-After': header('Seconds to wait.', { type: 'integer', minimum: 1 }) };

/** The body of every failure: one class in generated clients. */
export const failureSchemas: Readonly<Record<string, Schema>> = {
  Failure: {
    type: 'object',
    description: 'Every failed call.',
    properties: {
      fail: { type: 'string', description: 'The kind of failure.' },
      failcode: {
        type: 'array',
        description:
          'One code for each failed parameter; absent where a failure has no code. Codes may be added.',
        items: { type: 'integer' },
        minItems: 1,
      },
      problems: {
        type: 'array',
        description: 'What is wrong with a structured parameter of a staff call, in English.',
        items: ref('FailureProblem'),
      },
      request_id: { type: 'string', description: 'With an internal error (500): report it to the operator.' },
    },
    required: ['fail'],
  },
  FailureProblem: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'The part: names and numbers, joined by dots.' },
      problem: { type: 'string' },
    },
    required: ['path', 'problem'],
  },
};

/** Failures in `components`, by name. */
export const failureResponses: Readonly<Record<string, Schema>> = {
  BadRequest: plain('The body or the query string does not parse.', 'Bad Request'),
  Unauthorized: plain(
    'The token is missing, malformed, expired or revoked: refresh it and retry once.',
    'Unauthorized',
    challenge('The challenge of RFC 6750; `error="invalid_token"` where a token was sent.'),
  ),
  RecentSignIn: plain(
    'The token is missing or not valid; or the sign-in is too old, and refreshing does not help.',
    ['Unauthorized', 'Recent Sign-In Required'],
    challenge(
      'The challenge of RFC 6750, or that of RFC 9470: `error="insufficient_user_authentication"` with `max_age`, the seconds to send to /authorize as `max_age`.',
    ),
  ),
  NotFound: plain('The resource does not exist.', 'Not Found'),
  TimedOut: plain('The request took too long to arrive.', 'Request Timeout'),
  Conflict: plain('It has changed since it was read.', 'Conflict'),
  TooLarge: plain('The body is too large.', 'Payload Too Large'),
  UnsupportedType: plain('The media type of the body is not one of those listed.', 'Unsupported Media Type'),
  TooMany: plain('Too many calls.', 'Too Many Requests', retryAfter),
  TooLong: plain(
    'The request line and the headers are too long together.',
    'Request Header Fields Too Large',
  ),
  Defect: plain('An internal error; report `request_id`.', 'Internal Server Error'),
  Away: plain('A service is temporarily unavailable.', 'Service Unavailable', retryAfter),
};

/** A reference to a response of `components`. */
export const pointAt = (name: string): Schema => ({ $ref: `#/components/responses/${name}` });

/** Responses of every operation to requests that are too slow, too many or too long. */
export const limits = { '408': pointAt('TimedOut'), '429': pointAt('TooMany'), '431': pointAt('TooLong') };

/** Failures of every operation with a JSON response. */
export const faults = { ...limits, '500': pointAt('Defect'), '503': pointAt('Away') };

/** Failures of every operation with a body in JSON. */
export const bodyFaults = { '413': pointAt('TooLarge'), '415': pointAt('UnsupportedType') };

const meaningOf = (code: number) => failureCode(code)?.meaning ?? '';

const codeTable = (codes: readonly number[]) =>
  codes.length
    ? `\n\n| code | meaning |\n| --- | --- |\n${codes.map((code) => `| ${code} | ${meaningOf(code)} |`).join('\n')}`
    : '';

const textsOf: Record<Access, readonly string[]> = {
  service: [],
  public: ['Invalid Argument'],
  optional: ['Invalid Argument', 'Deactivated'],
  member: ['Invalid Argument', 'Deactivated'],
  staff: ['Invalid Argument', 'Forbidden'],
};

/** The 403 of an endpoint, with an example of each text and code. */
function refusalOf({ access, codes = [], refusals = [] }: AnyEndpoint<never>): Schema {
  const texts = [...textsOf[access], ...refusals];
  const ofCodes = codes.map((code) => {
    const value = { fail: 'Invalid Argument', failcode: [code] };
    return [String(code), { summary: meaningOf(code), value }] as const;
  });
  return {
    description: `Refused: ${texts.map((text) => `\`${text}\``).join(' or ')}.${codeTable(codes)}`,
    ...(codes.length && { 'x-failcodes': codes }),
    content: contentOf([...texts.map((fail) => [fail, { value: { fail } }] as const), ...ofCodes]),
  };
}

const statuses = { 404: 'NotFound', 409: 'Conflict' } as const;

/** The failures of an endpoint, by status. */
export function failuresOf(
  endpoint: AnyEndpoint<never>,
  hasBody: boolean,
  hasPathParameters: boolean,
): Schema {
  const { access, recentSignIn, statuses: others = [] } = endpoint;
  return {
    '400': pointAt('BadRequest'),
    ...(access !== 'public' && {
      '401': pointAt(recentSignIn === undefined ? 'Unauthorized' : 'RecentSignIn'),
    }),
    '403': refusalOf(endpoint),
    ...(hasPathParameters && { '404': pointAt('NotFound') }),
    ...(hasBody && bodyFaults),
    ...Object.fromEntries(others.map((status) => [status, pointAt(statuses[status])])),
    ...faults,
  };
}
