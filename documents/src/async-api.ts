import { closeCodes, updateSchema, type UpdateType } from '@covalence/contract/live-updates';
import { clientMessages } from '@covalence/updates/sockets/client-message';
import { z } from 'zod';
import { cleaned, type Schema } from './openapi/schema.ts';

/** The WebSocket of live updates as AsyncAPI describes it: one channel, with the frames in each direction. */

const schemaOf = (type: z.ZodType) => cleaned(z.toJSONSchema(type, { target: 'draft-7', io: 'input' }));

const id = '9f86d081884c7d65-42-1e5f0a2b';
/** Id of a frame that the history does not keep: that of the frame before, with a suffix. */
const unkeptId = `${id}-7c3d90aa`;
const unkept: readonly string[] = ['ready', 'reset', 'presence'] satisfies UpdateType[];
const at = '2026-03-01T12:00:00.000Z';
const uuid = '019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77';

/** What each frame means, and an example of its data. */
const frames: Readonly<Record<UpdateType, { readonly summary: string; readonly data: Schema }>> = {
  ready: {
    summary:
      'The token is valid: the first frame, and the answer to every later token. Resume after its id, except on a socket that resumes itself.',
    data: {},
  },
  reset: { summary: 'The missed frames are not available any more: fetch the data again.', data: {} },
  like: { summary: 'A member likes the receiver.', data: { profileid: 1002 } },
  mutual: { summary: 'A connection was made: both members like each other.', data: { profileid: 1002 } },
  decline: { summary: 'A member declined the receiver’s like.', data: { profileid: 1002 } },
  view: { summary: 'A member viewed the receiver’s profile.', data: { profileid: 1002 } },
  message: { summary: 'A message arrived; fetch the thread.', data: { profileid: 1002, messageid: uuid } },
  moderation: {
    summary: 'Customer Service has decided on the profile, a text or a photo.',
    data: { subject: 'text', decision: 'approved', field: 'headline' },
  },
  counters: {
    summary: 'The current activity counters.',
    data: {
      connections_since_reset: 1,
      connections_total: 4,
      likedme_since_reset: 0,
      likedme_total: 2,
      views_since_reset: 12,
      views_total: 96,
    },
  },
  membership: {
    summary: 'The receiver’s own membership changed.',
    data: { membership_status: 'active', autorenew: true, expirationdate: at },
  },
  presence: {
    summary:
      'A connection went online or offline. The history does not keep these frames: after a reconnect, fetch the connections.',
    data: { profileid: 1002, online: true },
  },
  photo: {
    summary:
      'A photo of the receiver was uploaded, reviewed, made primary or deleted; fetch GET /photo. With only `profileid`: the photo sharing with that member changed.',
    data: { photoid: 4711, status: 'approved', primary: true },
  },
};

/** The schema of each frame. */
const payloads = new Map(updateSchema.options.map((option) => [option.shape.type.value, schemaOf(option)]));

const frameMessages = Object.entries(frames).map(([type, { summary, data }]) => [
  type,
  {
    name: type,
    title: type,
    summary,
    contentType: 'application/json',
    payload: payloads.get(type as UpdateType),
    examples: [{ name: type, payload: { id: unkept.includes(type) ? unkeptId : id, type, at, data } }],
  },
]);

const [renewal, resume] = clientMessages;

const clientFrames = {
  accessToken: {
    name: 'accessToken',
    title: 'Access token',
    summary: 'The first text message, within 10 seconds. A later one renews the token of the open socket.',
    contentType: 'text/plain',
    payload: schemaOf(renewal.shape.token),
    examples: [{ name: 'token', payload: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl' }],
  },
  renewal: {
    name: 'renewal',
    title: 'Access token as a JSON message',
    summary: 'The same as the token alone.',
    contentType: 'application/json',
    payload: schemaOf(renewal),
    examples: [
      {
        name: 'renewal',
        payload: { type: 'token', token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl' },
      },
    ],
  },
  resume: {
    name: 'resume',
    title: 'Resume',
    summary: 'Directly after the token: the frames after `after` follow in order, or `reset`.',
    contentType: 'application/json',
    payload: schemaOf(resume),
    examples: [{ name: 'resume', payload: { type: 'resume', after: id } }],
  },
};

const closes = Object.entries(closeCodes)
  .map(([name, code]) => `\`${code}\` ${name}`)
  .join(', ');

const refs = (names: readonly string[]) =>
  names.map((name) => ({ $ref: `#/channels/liveUpdates/messages/${name}` }));

const liveUpdatesChannel = {
  address: '/ws/updates',
  title: 'Live updates',
  description: `JSON text frames of {id, type, at, data}. Keep the last id to resume, and ignore a frame whose id you have seen. Fields and types may be added: ignore those that you do not know. A client message has at most 64 KiB and 16 frames; 16 messages may follow each other at once, then one a second. Close codes: ${closes}.`,
  servers: [{ $ref: '#/servers/gateway' }],
  messages: { ...Object.fromEntries(frameMessages), ...clientFrames },
  bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
};

const liveUpdatesOperations = {
  sendLiveUpdate: {
    action: 'send',
    channel: { $ref: '#/channels/liveUpdates' },
    summary: 'The service notifies the member.',
    messages: refs(Object.keys(frames)),
  },
  receiveFromClient: {
    action: 'receive',
    channel: { $ref: '#/channels/liveUpdates' },
    summary: 'The client authenticates, renews its token or resumes.',
    messages: refs(Object.keys(clientFrames)),
  },
};

/** The AsyncAPI 3 document of what clients receive and send. */
export function buildAsyncApi(): Schema {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Covalence live updates',
      version: '1',
      description: 'The WebSocket on which an app receives what happens to its member.',
    },
    defaultContentType: 'application/json',
    servers: {
      gateway: { host: 'api.example', protocol: 'wss', description: 'The gateway: {base_url} with wss.' },
    },
    channels: { liveUpdates: liveUpdatesChannel },
    operations: liveUpdatesOperations,
  };
}
