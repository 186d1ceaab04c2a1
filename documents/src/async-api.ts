import { closeCodes, updateSchema, type UpdateType } from '@covalence/contract/live-updates';
import { clientMessages } from '@covalence/updates/sockets/client-message';
import { z } from 'zod';
import { sampleOf } from './openapi/sample.ts';
import { cleaned, type Schema } from './openapi/schema.ts';

const schemaOf = (type: z.ZodType) =>
  cleaned(z.toJSONSchema(type, { target: 'draft-7', io: 'input' })) as Schema;

const id = '9f86d081884c7d65-42-1e5f0a2b';
/** Id of a frame that is not in the history: the previous id with a suffix. */
const unkeptId = `${id}-7c3d90aa`;
const unkept: readonly string[] = ['ready', 'reset', 'presence'] satisfies UpdateType[];

const frames = updateSchema.options.map((option) => {
  const type = option.shape.type.value;
  const { description: summary, ...payload } = schemaOf(option);
  const example = { ...(sampleOf(payload, new Map()) as object), id: unkept.includes(type) ? unkeptId : id };
  const examples = [{ name: type, payload: example }];
  return { name: type, title: type, summary, contentType: 'application/json', payload, examples };
});

const [renewal, resume] = clientMessages;

const token = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

const clientFrame = (name: string, title: string, summary: string, type: z.ZodType, example: unknown) => ({
  name,
  title,
  summary,
  contentType: typeof example === 'string' ? 'text/plain' : 'application/json',
  payload: schemaOf(type),
  examples: [{ name, payload: example }],
});

// oxfmt-ignore
const clientFrames = [
  clientFrame('accessToken', 'Access token', 'The first text message, within 10 seconds. A later one renews the token of the open socket.', renewal.shape.token, token),
  clientFrame('renewal', 'Access token as a JSON message', 'The same as the token alone. A token that is bound to a key (DPoP) needs a proof: `htm` is `GET`, `htu` this address with http or https.', renewal, { type: 'token', token }),
  clientFrame('resume', 'Resume', 'Directly after the token: the frames after `after` follow in order, or `reset`.', resume, { type: 'resume', after: id }),
];

const closes = Object.entries(closeCodes)
  .map(([name, code]) => `\`${code}\` ${name}`)
  .join(', ');

const operation = (action: string, summary: string, messages: readonly { readonly name: string }[]) => ({
  action,
  channel: { $ref: '#/channels/liveUpdates' },
  summary,
  messages: messages.map(({ name }) => ({ $ref: `#/channels/liveUpdates/messages/${name}` })),
});

/** The AsyncAPI 3 document of the live updates. */
export const buildAsyncApi = (): Schema => ({
  asyncapi: '3.0.0',
  info: { title: 'Covalence live updates', version: '1', description: 'Updates for one member.' },
  defaultContentType: 'application/json',
  servers: {
    gateway: { host: 'api.example', protocol: 'wss', description: 'The gateway: {base_url} with wss.' },
  },
  channels: {
    liveUpdates: {
      address: '/ws/updates',
      title: 'Live updates',
      description: `JSON text frames of {id, type, at, data}. Keep the last id to resume, and ignore a frame whose id you have seen. Fields and types may be added: ignore those that you do not know. A client message has at most 64 KiB and 16 frames; 16 messages may follow each other at once, then one a second. Close codes: ${closes}.`,
      servers: [{ $ref: '#/servers/gateway' }],
      messages: Object.fromEntries([...frames, ...clientFrames].map((frame) => [frame.name, frame])),
      bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
    },
  },
  operations: {
    sendLiveUpdate: operation('send', 'The service notifies the member.', frames),
    receiveFromClient: operation(
      'receive',
      'The client authenticates, renews its token or resumes.',
      clientFrames,
    ),
  },
});
