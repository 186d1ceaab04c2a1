import { failureCode } from '@covalence/contract/failure-codes';
import type { Access } from '@covalence/http/endpoint';
import { ref, type Schema } from './schema.ts';

/** Error answers that every endpoint shares; in `components`. */

const header = (description: string, schema: Schema = { type: 'string' }) => ({ description, schema });

const json = (schema: Schema, examples: Readonly<Record<string, unknown>>) => ({
  'application/json': {
    schema,
    examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
  },
});

const plain = (description: string, fail: string, headers?: Readonly<Record<string, Schema>>) => ({
  description,
  ...(headers && { headers }),
  content: json(ref('Failure'), { [fail]: { fail } }),
});

const retryAfter = { 'Retry-After': header('Seconds to wait.', { type: 'integer', minimum: 1 }) };

/** The one body of every refusal, so that a client has one class for all of them. */
export const failureSchemas: Readonly<Record<string, Schema>> = {
  Failure: {
    type: 'object',
    description: 'Every refusal.',
    properties: {
      fail: { type: 'string', description: 'What kind of refusal it is.' },
      failcode: {
        type: 'array',
        description:
          'One code for each failed parameter; absent where there is none for what failed. Codes may be added.',
        items: { type: 'integer' },
        minItems: 1,
      },
      request_id: { type: 'string', description: 'Of a mistake of ours (500): tell it to the operator.' },
    },
    required: ['fail'],
  },
};

/** Answers by the name that operations point at. */
export const failureResponses: Readonly<Record<string, Schema>> = {
  BadRequest: plain('The body or the address does not parse.', 'Bad Request'),
  Unauthorized: plain(
    'No token, or one that is malformed, expired or ended: refresh and retry once.',
    'Unauthorized',
    {
      'WWW-Authenticate': header(
        'The challenge of RFC 6750; `error="invalid_token"` where a token was sent.',
      ),
    },
  ),
  RecentSignIn: {
    ...plain(
      'As any 401 without a good token; or the sign-in is too old: refreshing does not help.',
      'Unauthorized',
      {
        'WWW-Authenticate': header(
          'The challenge of RFC 6750, or that of RFC 9470: `error="insufficient_user_authentication"` with `max_age`, the seconds to send to /authorize as `max_age`.',
        ),
      },
    ),
    content: json(ref('Failure'), {
      Unauthorized: { fail: 'Unauthorized' },
      'Recent Sign-In Required': { fail: 'Recent Sign-In Required' },
    }),
  },
  NotFound: plain('There is no such thing.', 'Not Found'),
  TimedOut: plain('The request was not whole in time.', 'Request Timeout'),
  Conflict: plain('It has changed since it was looked at.', 'Conflict'),
  TooLarge: plain('The body is too large.', 'Payload Too Large'),
  UnsupportedType: plain('The body is of another type than those named.', 'Unsupported Media Type'),
  TooMany: plain('Too many calls.', 'Too Many Requests', retryAfter),
  TooLong: plain('The address and the headers are too long together.', 'Request Header Fields Too Large'),
  Defect: {
    description: 'A mistake of ours.',
    content: json(ref('Failure'), {
      'Internal Server Error': {
        fail: 'Internal Server Error',
        request_id: '7b0c3f0e-2f4e-4e35-9d1c-1c5d6f0a9b11',
      },
    }),
  },
  Away: plain('A part is away for now; it comes back by itself.', 'Service Unavailable', retryAfter),
};

const pointAt = (name: string): Schema => ({ $ref: `#/components/responses/${name}` });

const meaningOf = (code: number) => failureCode(code)?.meaning ?? '';

const codeTable = (codes: readonly number[]) =>
  codes.length
    ? `\n\n| code | meaning |\n| --- | --- |\n${codes.map((code) => `| ${code} | ${meaningOf(code)} |`).join('\n')}`
    : '';

const textsOf: Record<Exclude<Access, 'service'>, readonly string[]> = {
  public: ['Invalid Argument'],
  optional: ['Invalid Argument', 'Deactivated'],
  member: ['Invalid Argument', 'Deactivated'],
  staff: ['Invalid Argument', 'Forbidden'],
};

/** Beside the table of its description, the codes of a 403 as machines read them. */
const codesKeyword = 'x-failcodes';

/** The 403 of an endpoint: every text and every code, each with an example. */
function refusalOf({ access, codes, refusals = [] }: Faults): Schema {
  const texts = [...textsOf[access], ...refusals];
  const examples = [
    ...texts.map((text) => [text, { value: { fail: text } }] as const),
    ...codes.map(
      (code) =>
        [
          String(code),
          { summary: meaningOf(code), value: { fail: 'Invalid Argument', failcode: [code] } },
        ] as const,
    ),
  ];
  return {
    description: `Refused: ${texts.map((text) => `\`${text}\``).join(' or ')}.${codeTable(codes)}`,
    ...(codes.length && { [codesKeyword]: codes }),
    content: {
      'application/json': { schema: ref('Failure'), examples: Object.fromEntries(examples) },
    },
  };
}

/** What decides which errors an endpoint may answer. */
interface Faults {
  readonly access: Exclude<Access, 'service'>;
  readonly codes: readonly number[];
  readonly hasBody: boolean;
  readonly hasPathParameters: boolean;
  readonly recentSignIn?: boolean;
  readonly also?: readonly (404 | 409)[] | undefined;
  readonly refusals?: readonly string[] | undefined;
}

const statuses = { 404: 'NotFound', 409: 'Conflict' } as const;

/** Every error answer of an endpoint, by status. */
export function faultsOf(faults: Faults): Schema {
  const { access, hasBody, hasPathParameters, recentSignIn, also = [] } = faults;
  return {
    '400': pointAt('BadRequest'),
    ...(access !== 'public' && { '401': pointAt(recentSignIn ? 'RecentSignIn' : 'Unauthorized') }),
    '403': refusalOf(faults),
    ...(hasPathParameters && { '404': pointAt('NotFound') }),
    '408': pointAt('TimedOut'),
    ...(hasBody && { '413': pointAt('TooLarge'), '415': pointAt('UnsupportedType') }),
    ...Object.fromEntries(also.map((status) => [status, pointAt(statuses[status])])),
    '429': pointAt('TooMany'),
    '431': pointAt('TooLong'),
    '500': pointAt('Defect'),
    '503': pointAt('Away'),
  };
}
