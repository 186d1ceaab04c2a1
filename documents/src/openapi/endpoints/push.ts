import { pushTypes } from '@covalence/contract/push-types';
import type { EndpointDocuments } from '../endpoint-document.ts';

const endpoint = 'https://push.example/send/dGhlLWRldmljZQ';
const member = '019a3f1e-7c11-7a90-b6a5-0c3fb1f0a2d4';

/** Web push to devices that hold no socket. */
export const push: EndpointDocuments = {
  'GET /webpush': {
    tag: 'Live updates',
    description:
      'The key that a browser subscribes with, and what can be told. 404 where the operator sends no push.',
    also: [404],
    example: {
      answer: {
        public_key: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        types: [...pushTypes],
      },
    },
  },
  'POST /webpush': {
    tag: 'Live updates',
    description:
      'The device takes push messages of the kinds chosen; again, with other choices. An endpoint, a key or a kind that is none is 403 without code. 404 where the operator sends no push.',
    parameters: {
      endpoint: { description: 'Where the browser takes messages: https, no credentials.' },
      keys: { description: 'Of the browser’s subscription (RFC 8291).' },
      types: {
        schema: { type: 'array', items: { type: 'string', enum: [...pushTypes] }, minItems: 1 },
        description: 'What is told; the usual kinds where absent. Names with commas between them will do.',
      },
    },
    also: [404],
    example: {
      request: {
        endpoint,
        keys: {
          p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
          auth: 'BTBZMqHH6r4Tts7J_aSIgg',
        },
        types: ['message'],
      },
      answer: { push_ids: [member], types: ['message'] },
    },
  },
  'DELETE /webpush': {
    tag: 'Live updates',
    description:
      'The device of the endpoint, or without one every device of the member, is told nothing more.',
    parameters: { endpoint: { description: 'The device; all where absent.' } },
    example: { request: { endpoint }, answer: { push_ids: [] } },
  },
};
