import { pointAt } from './failures.ts';
import type { Operation, Operations } from './operation.ts';
import { failure, faults, inPath, limits, object, text } from './parts.ts';

/** Operations that answer files, or are for others than apps: no service's table of endpoints declares them. */

const unchanged = { description: 'The file has not changed since the ETag that was sent.' };

const file = (operationId: string, summary: string, type: string): Operation => ({
  operationId,
  tags: ['Documents'],
  summary,
  description: 'The file of the release that is running, with an ETag.',
  security: [],
  responses: {
    '200': {
      description: 'The file.',
      content: { [type]: { schema: { type: type === 'application/json' ? 'object' : 'string' } } },
    },
    '304': unchanged,
    ...limits,
  },
});

/** A file of a photo, by the name that stands in a photo object. */
const photoFile = (operationId: string, summary: string, description: string): Operation => ({
  operationId,
  tags: ['Photos'],
  summary,
  description,
  security: [],
  parameters: [inPath('file', 'The name of the file.')],
  responses: {
    '200': {
      description: 'The image.',
      content: { 'image/*': { schema: { type: 'string', format: 'binary' } } },
    },
    '304': unchanged,
    '404': pointAt('NotFound'),
    ...faults,
  },
});

/** Photo files, the payment provider's hook, the WebSocket and the documents themselves, by route. */
export const otherOperations: Operations = {
  'GET /photos/{file}': photoFile(
    'getPhotoFile',
    'Get a public photo file',
    'urlstem + suffix + extension of a photo object: an approved photo of a visible member. 404 as soon as the photo is not public any more; the same name never comes back.',
  ),
  'GET /photos/private/{file}': photoFile(
    'getPrivatePhotoFile',
    'Get a photo file that is not public',
    'urlstem + suffix + extension of any other photo, under a name that is signed for its viewer: a pending, rejected or private photo, or one of a hidden member. The name stays the same for an hour and works for one to two hours. 404 as soon as the viewer may not see the photo any more, so ask every time, with If-None-Match.',
  ),
  'POST /packages/webhook/{provider}': {
    operationId: 'receivePaymentNews',
    tags: ['Membership'],
    summary: 'Receive a notification of a payment provider',
    description:
      'For payment providers, not for apps. The signature is an HMAC-SHA256 of time and body with the secret that provider and operator share. The service then asks the provider for the state of the payment.',
    security: [{ providerSignature: [] }],
    parameters: [inPath('provider', 'The name of the provider.')],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: object([
            ['key', { ...text, minLength: 1, maxLength: 512 }, 'The key of the payment.', true],
          ]),
        },
      },
    },
    responses: {
      '200': {
        description: 'The notification is accepted.',
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      '400': pointAt('BadRequest'),
      '403': failure('The signature is not valid.', 'Forbidden'),
      '404': pointAt('NotFound'),
      '413': pointAt('TooLarge'),
      ...faults,
    },
  },
  'GET /ws/updates': {
    operationId: 'openLiveUpdates',
    tags: ['Live updates'],
    summary: 'Open the WebSocket of live updates',
    description:
      'A WebSocket upgrade. The first text message is the access token; the frames are described at /asyncapi.json.',
    security: [],
    responses: {
      '101': { description: 'The socket is open.' },
      '426': {
        ...failure('The request was not an upgrade.', 'Upgrade Required'),
        headers: { Upgrade: { description: 'Always `websocket`.', schema: { type: 'string' } } },
      },
      ...limits,
      '503': pointAt('Away'),
    },
  },
  'GET /openapi.json': file('getOpenApi', 'Get the OpenAPI document', 'application/json'),
  'GET /asyncapi.json': file('getAsyncApi', 'Get the AsyncAPI document of live updates', 'application/json'),
  'GET /docs': file('getDocs', 'Read the OpenAPI document as a page', 'text/html'),
  'GET /docs/rapidoc.js': file('getDocsScript', 'Get the script of the page', 'text/javascript'),
};
