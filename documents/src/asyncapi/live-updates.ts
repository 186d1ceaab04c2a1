import { closeCodes, updateSchema, type UpdateType } from '@covalence/contract/live-updates';
import { clientMessages } from '@covalence/updates/sockets/client-message';
import { z } from 'zod';
import { counters } from '../openapi/samples.ts';
import { cleaned, type Schema } from '../openapi/schema.ts';

/** The WebSocket as AsyncAPI describes it: one channel, what goes each way. */

const schemaOf = (type: z.ZodType) => cleaned(z.toJSONSchema(type, { target: 'draft-7', io: 'input' }));

const id = '9f86d081884c7d65-42-1e5f0a2b';
/** Of a frame that is in no history: behind the one before. */
const passingId = `${id}-7c3d90aa`;
const inNoHistory: readonly string[] = ['ready', 'reset', 'presence'] satisfies UpdateType[];
const at = '2026-03-01T12:00:00.000Z';
const uuid = '019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77';

/** What each frame means, and an example of its data. */
const frames: Readonly<Record<UpdateType, { readonly summary: string; readonly data: Schema }>> = {
  ready: {
    summary:
      'The token is good; the first frame, and the answer to every later token. Its id is a place to resume at, except on a socket that resumes itself.',
    data: {},
  },
  reset: { summary: 'What was missed cannot be told: fetch anew.', data: {} },
  like: { summary: 'Somebody likes the member.', data: { profileid: 1002 } },
  mutual: { summary: 'A connection was made.', data: { profileid: 1002 } },
  decline: { summary: 'Somebody declined the member’s like.', data: { profileid: 1002 } },
  view: { summary: 'Somebody looked at the profile.', data: { profileid: 1002 } },
  message: { summary: 'A message came; fetch the thread.', data: { profileid: 1002, messageid: uuid } },
  moderation: {
    summary: 'Customer Service has decided.',
    data: { subject: 'text', decision: 'approved', field: 'headline' },
  },
  counters: {
    summary: 'The activity counters as they are now.',
    data: counters,
  },
  membership: {
    summary: 'The member’s own membership changed.',
    data: { membership_status: 'active', autorenew: true, expirationdate: at },
  },
  presence: {
    summary:
      'A connection of the member came or went. In no history: after a new socket ask for the connections.',
    data: { profileid: 1002, online: true },
  },
  photo: {
    summary:
      'A photo of the member came, was reviewed, chosen or deleted; fetch GET /photo. With `profileid` alone: what that member shares or accepts is different.',
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
    examples: [{ name: type, payload: { id: inNoHistory.includes(type) ? passingId : id, type, at, data } }],
  },
]);

const [renewal, resume] = clientMessages;

const clientFrames = {
  accessToken: {
    name: 'accessToken',
    title: 'Access token',
    summary: 'The first text message, within 10 seconds; a later one renews the token on the open socket.',
    contentType: 'text/plain',
    payload: schemaOf(renewal.shape.token),
    examples: [{ name: 'token', payload: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl' }],
  },
  renewal: {
    name: 'renewal',
    title: 'Access token as a command',
    summary: 'The same as a bare token.',
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
    summary: 'Right behind the token: what came after that frame follows in order, or `reset`.',
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

/** The channel of the socket. */
export const liveUpdatesChannel = {
  address: '/ws/updates',
  title: 'Live updates',
  description: `JSON text frames of {id, type, at, data}; keep the last id for a resume, drop one that was seen. Frames may grow by fields, and types may be added: ignore those that you do not know. Client messages go up to 64 KiB and 16 frames; 16 may come at once, then one a second. Close codes: ${closes}.`,
  servers: [{ $ref: '#/servers/gateway' }],
  messages: { ...Object.fromEntries(frameMessages), ...clientFrames },
  bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
};

/** What the service sends and receives on it. */
export const liveUpdatesOperations = {
  sendLiveUpdate: {
    action: 'send',
    channel: { $ref: '#/channels/liveUpdates' },
    summary: 'The service tells the member what happened.',
    messages: refs(Object.keys(frames)),
  },
  receiveFromClient: {
    action: 'receive',
    channel: { $ref: '#/channels/liveUpdates' },
    summary: 'The client proves who it is, renews its token or asks for what it missed.',
    messages: refs(Object.keys(clientFrames)),
  },
};
