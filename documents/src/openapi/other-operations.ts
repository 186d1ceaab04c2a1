import { faults, limits, plain, pointAt } from './failures.ts';
import { operation, inPath, object, type Operation, type Operations, text } from './parts.ts';

const file = (operationId: string, summary: string, type: string): Operation =>
  operation('Documents', {
    operationId,
    summary,
    description: 'The file of the release that is running, with an ETag.',
    responses: {
      '200': {
        description: 'The file.',
        content: { [type]: { schema: { type: type === 'application/json' ? 'object' : 'string' } } },
      },
      '304': { description: 'The file has not changed since the ETag that was sent.' },
      ...limits,
    },
  });

/** A file of a photo. */
const photoFile = (operationId: string, summary: string, description: string): Operation => {
  const { responses, ...rest } = file(operationId, summary, 'image/*');
  const content = { 'image/*': { schema: { type: 'string', format: 'binary' } } };
  return {
    ...rest,
    tags: ['Photos'],
    description,
    parameters: [inPath('file', 'The name of the file.')],
    responses: {
      ...responses,
      ...faults,
      '200': { description: 'The image.', content },
      '404': pointAt('NotFound'),
    },
  };
};

const paymentKey = object([
  ['key', { ...text, minLength: 1, maxLength: 512 }, 'The key of the payment.', true],
]);
const anObject = { 'application/json': { schema: { type: 'object' } } };

/** Photo files, the webhook of payment providers, the WebSocket and the documents, by route. */
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
    operationId: 'receivePaymentNotification',
    tags: ['Membership'],
    summary: 'Receive a notification of a payment provider or app store',
    description:
      'Receives notifications from payment providers and app stores. Each is verified by the provider’s own signature. The service then asks the provider for the current state.',
    security: [{ providerSignature: [] }],
    parameters: [inPath('provider', 'The name of the provider.')],
    requestBody: { required: true, content: { 'application/json': { schema: paymentKey } } },
    responses: {
      '200': { description: 'The notification is accepted.', content: anObject },
      '400': pointAt('BadRequest'),
      '403': plain('The signature is not valid.', 'Forbidden'),
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
      '426': plain('The request was not an upgrade.', 'Upgrade Required', {
        Upgrade: { description: 'Always `websocket`.', schema: { type: 'string' } },
      }),
      ...limits,
      '503': pointAt('Away'),
    },
  },
  'GET /openapi.json': file('getOpenApi', 'Get the OpenAPI document', 'application/json'),
  'GET /asyncapi.json': file('getAsyncApi', 'Get the AsyncAPI document of live updates', 'application/json'),
  'GET /docs': file('getDocs', 'Read the OpenAPI document as a page', 'text/html'),
  'GET /docs/rapidoc.js': file('getDocsScript', 'Get the script of the page', 'text/javascript'),
};
