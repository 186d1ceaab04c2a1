import { namesOf } from '../names.ts';
import type { Operations } from '../operation.ts';
import { faults, limits, point } from './sign-in-parts.ts';

/** Operations that answer no JSON of ours, and so are in no route table. */

const file = (route: string, summary: string, type: string): Operations => ({
  [route]: {
    operationId: namesOf(route).operation,
    tags: ['Documents'],
    summary,
    description: 'Made with the release that is running. Carries an ETag.',
    security: [],
    responses: {
      '200': {
        description: summary,
        content: { [type]: { schema: { type: type === 'application/json' ? 'object' : 'string' } } },
      },
      '304': { description: 'You have it.' },
      ...limits,
    },
  },
});

/** A file of a photo, by the name that stands in a photo object. */
const photoFile = (route: string, texts: { summary: string; description: string }): Operations[string] => ({
  operationId: namesOf(route).operation,
  tags: ['Photos'],
  ...texts,
  security: [],
  parameters: [
    {
      name: 'file',
      in: 'path',
      required: true,
      description: 'The file’s name.',
      schema: { type: 'string' },
    },
  ],
  responses: {
    '200': {
      description: 'The image.',
      content: { 'image/*': { schema: { type: 'string', format: 'binary' } } },
    },
    '304': { description: 'You have it.' },
    '404': point('NotFound'),
    ...faults,
  },
});

/** Photo files, the payment provider's hook, the WebSocket and the documents themselves, by route. */
export const others: Operations = {
  'GET /photos/{file}': photoFile('GET /photos/{file}', {
    summary: 'A photo file',
    description:
      'urlstem + suffix + extension of a photo object: an approved photo of a member who is visible. 404 from the moment when it is public no longer; the same name never comes back.',
  }),
  'GET /photos/private/{file}': photoFile('GET /photos/private/{file}', {
    summary: 'A photo file that is not public',
    description:
      'The same of any other photo, under a name that is signed for the one who may see it: one that waits or was rejected, a private one, one of a member who hides. The name is the same for an hour and works for one to two hours. 404 from the moment when the viewer may see it no longer, so ask every time, with If-None-Match.',
  }),
  'POST /packages/webhook/{provider}': {
    operationId: namesOf('POST /packages/webhook/{provider}').operation,
    tags: ['Membership'],
    summary: 'News of a payment, from its provider',
    description:
      'For payment providers, not for apps. The signature is HMAC-SHA256 of time and body with the secret that provider and operator share; what became of the payment is then asked of the provider.',
    security: [{ providerSignature: [] }],
    parameters: [
      {
        name: 'provider',
        in: 'path',
        required: true,
        description: 'Name of the provider.',
        schema: { type: 'string' },
      },
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              key: { type: 'string', minLength: 1, maxLength: 512, description: 'The payment.' },
            },
            required: ['key'],
          },
        },
      },
    },
    responses: {
      '200': { description: 'Heard.', content: { 'application/json': { schema: { type: 'object' } } } },
      '400': point('BadRequest'),
      '403': {
        description: 'The signature is not good.',
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Failure' },
            examples: { example: { value: { fail: 'Forbidden' } } },
          },
        },
      },
      '404': point('NotFound'),
      '413': point('TooLarge'),
      ...faults,
    },
  },
  'GET /ws/updates': {
    operationId: namesOf('GET /ws/updates').operation,
    tags: ['Live updates'],
    summary: 'Open the live-updates socket',
    description:
      'A WebSocket upgrade. The access token is the first text message; its frames are described at /asyncapi.json.',
    security: [],
    responses: {
      '101': { description: 'The socket is open.' },
      '426': {
        description: 'The request was no upgrade.',
        headers: { Upgrade: { description: 'Always `websocket`.', schema: { type: 'string' } } },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Failure' },
            examples: { example: { value: { fail: 'Upgrade Required' } } },
          },
        },
      },
      ...limits,
      '503': point('Away'),
    },
  },
  ...file('GET /openapi.json', 'The HTTP interface, OpenAPI 3.1', 'application/json'),
  ...file('GET /asyncapi.json', 'Live updates and events, AsyncAPI 3', 'application/json'),
  ...file('GET /docs', 'The HTTP interface as a page', 'text/html'),
  ...file('GET /docs/rapidoc.js', 'What the page is drawn with', 'text/javascript'),
};
