import {
  Failure,
  invalidArgument,
  notFound,
  recentSignInRequired,
  unauthorized,
} from '@covalence/contract/failure';
import { optional } from '@covalence/contract/parameters';
import { pushTypes, standardPushTypes } from '@covalence/contract/push-types';
import { recentSignInSeconds } from '@covalence/contract/recent-sign-in';
import { isRecentSignIn } from '@covalence/http/bearer';
import { endpoint, type Caller } from '@covalence/http/endpoint';
import { ECDH } from 'node:crypto';
import { z } from 'zod';
import type { PushContext } from './push-context.ts';

const longestEndpoint = 2_048;

const bytesOf = (text: string) => Buffer.from(text, 'base64url');

/** Whether a text is a browser's key: an uncompressed point on P-256 (RFC 8291). */
const isPoint = (text: string): boolean => {
  if (bytesOf(text).length !== 65) return false;
  try {
    ECDH.convertKey(bytesOf(text), 'prime256v1');
    return true;
  } catch {
    return false;
  }
};

const base64url = z.string().regex(/^[\w-]+={0,2}$/);

/** An https address without credentials; the sender checks what it resolves to. */
const address = z
  .url({ protocol: /^https$/ })
  .max(longestEndpoint)
  .refine((text) => {
    // zod calls this for invalid addresses, too.
    if (!URL.canParse(text)) return false;
    const { username, password } = new URL(text);
    return !username && !password;
  });

const listed = (value: unknown) => (typeof value === 'string' ? value.split(',').filter(Boolean) : value);

/** The kinds of messages that a device takes. */
export const chosenTypes = z
  .preprocess(listed, z.array(z.enum(pushTypes)).max(pushTypes.length))
  .transform((all) => pushTypes.filter((type) => all.includes(type)))
  .optional()
  .meta({
    type: 'array',
    items: { type: 'string', enum: [...pushTypes] },
    minItems: 1,
    description: 'The kinds of messages, as a list or separated by commas; the usual kinds by default.',
  });

/** A push id of an older app: a token of its push service. */
const pushId = z.string().regex(/^[!-~]{1,1024}$/);

const subscription = z.object({
  endpoint: address.optional().meta({
    description: 'Where the browser accepts messages: https, no credentials. Required without `push_id`.',
  }),
  keys: z
    .object({
      p256dh: base64url.refine(isPoint),
      auth: base64url.refine((text) => bytesOf(text).length === 16),
    })
    .optional()
    .meta({ description: 'The keys of the browser’s subscription (RFC 8291), with `endpoint`.' }),
  push_id: optional(pushId).meta({
    type: 'string',
    maxLength: 1_024,
    description: 'A push id of an older app: `push_ids` lists it, and nothing is sent to it.',
  }),
  types: chosenTypes,
});

/** The answer's `push_ids`. */
export const pushIds = z.array(z.string()).meta({ examples: [['019a3f1e-7c11-7a90-b6a5-0c3fb1f0a2d4']] });

const samplePublicKey =
  'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';

/** The key that browsers subscribe with; 404 when no VAPID keys are configured. */
const webKeyOf = ({ push }: PushContext): string => {
  if (push?.webKey === undefined) throw notFound();
  return push.webKey;
};

/** GET /webpush: returns the key that browsers subscribe with, and the kinds of push messages. */
export const showPush = endpoint({
  access: 'member',
  tag: 'Live updates',
  operationId: 'getPushSettings',
  summary: 'Get the web push settings',
  description:
    'The key that a browser subscribes with, and the kinds of push messages. 404 where the operator sends no push.',
  answer: 'The public key and the kinds of push messages.',
  statuses: [404],
  input: z.object({}),
  output: z
    .object({
      public_key: z.string().meta({ examples: [samplePublicKey] }),
      types: z.array(z.string()).meta({ examples: [[...pushTypes]] }),
    })
    .meta({ id: 'PushSettings' }),
  handler: (_call, context: PushContext) =>
    Promise.resolve({ public_key: webKeyOf(context), types: [...pushTypes] }),
});

/**
 * Calls profile about the devices of a caller. Its 404 means that it does not know the member of the valid token, or has suspended them;
 * its 409, that devices of other sign-ins would go, which needs a recent sign-in.
 */
export async function callFor<Given extends object>(
  caller: Caller,
  call: (
    input: Given & { id: number; member_id: string; family: string | undefined; recent_sign_in: boolean },
  ) => Promise<{ push_ids: string[] }>,
  given: Given,
): Promise<string[]> {
  const { id, memberId, family } = caller;
  const recent_sign_in = isRecentSignIn(caller, recentSignInSeconds);
  try {
    return (await call({ id, member_id: memberId, family, recent_sign_in, ...given })).push_ids;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.status === 404) throw unauthorized('invalid_token');
    if (error.status === 409) throw recentSignInRequired(recentSignInSeconds);
    throw error;
  }
}

/** POST /webpush: subscribes a device, or changes the kinds of messages it receives; or records a push id. */
export const subscribe = endpoint({
  access: 'member',
  tag: 'Live updates',
  operationId: 'subscribePush',
  summary: 'Subscribe a device to push messages',
  description:
    'Repeat the call to choose other kinds. A sign-in has up to three devices, a member up to 20, and the oldest go; where one of another sign-in would go, the sign-in must be at most 10 minutes old. A bad endpoint, key or kind is 403 without code. 404 where the operator sends no push. Older apps send `push_id` instead, which is only recorded.',
  answer: 'The devices that receive push messages, and the kinds chosen.',
  example: {
    request: {
      endpoint: 'https://push.example/send/dGhlLWRldmljZQ',
      keys: { p256dh: samplePublicKey, auth: 'BTBZMqHH6r4Tts7J_aSIgg' },
      types: ['message'],
    },
  },
  statuses: [404],
  bodyOnly: true,
  input: subscription,
  output: z
    .object({ push_ids: pushIds, types: z.array(z.string()).meta({ examples: [['message']] }) })
    .meta({ id: 'PushSubscription' }),
  async handler({ input, caller }, context: PushContext) {
    const { endpoint, keys, push_id, types = [...standardPushTypes] } = input;
    const { profile } = context;
    if (push_id !== undefined && !endpoint && !keys) {
      return { push_ids: await callFor(caller, profile.addPushId, { push_id }), types: [] };
    }
    webKeyOf(context);
    if (!endpoint || !keys || push_id !== undefined || !types.length) throw invalidArgument();
    const device = { endpoint, ...keys, types };
    return { push_ids: await callFor(caller, profile.addPushDevice, device), types };
  },
});

/** DELETE /webpush: unsubscribes one device or push id, or every one of the member. */
export const unsubscribe = endpoint({
  access: 'member',
  tag: 'Live updates',
  operationId: 'unsubscribePush',
  summary: 'Stop push messages',
  description:
    'Ends the push messages to the device of `endpoint`, or to every device of the member. Devices of other sign-ins than that of the token need a sign-in at most 10 minutes old.',
  answer: 'The devices that still receive push messages.',
  example: { request: { endpoint: 'https://push.example/send/dGhlLWRldmljZQ' } },
  input: z.object({
    endpoint: z
      .string()
      .min(1)
      .max(longestEndpoint)
      .optional()
      .meta({ format: 'uri', description: 'The device; every device and push id without either.' }),
    push_id: pushId.optional().meta({
      type: 'string',
      maxLength: 1_024,
      description: 'A push id of an older app.',
    }),
  }),
  output: z.object({ push_ids: pushIds }).meta({ id: 'PushSubscriptions' }),
  async handler({ input, caller }, { profile }: PushContext) {
    if (input.endpoint !== undefined && input.push_id !== undefined) throw invalidArgument();
    return { push_ids: await callFor(caller, profile.removePushDevices, input) };
  },
});
