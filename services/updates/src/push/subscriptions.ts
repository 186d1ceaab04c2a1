import { Failure, invalidArgument, notFound, unauthorized } from '@covalence/contract/failure';
import { pushTypes, standardPushTypes } from '@covalence/contract/push-types';
import { endpoint } from '@covalence/http/endpoint';
import { ECDH } from 'node:crypto';
import { z } from 'zod';
import type { Context } from '../context.ts';

const longestEndpoint = 2_048;

const bytesOf = (text: string) => Buffer.from(text, 'base64url');

/** An uncompressed point on P-256, which is what a browser's key is (RFC 8291). */
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

/** An https address without credentials; what it resolves to is looked at when something is sent. */
const address = z
  .url({ protocol: /^https$/ })
  .max(longestEndpoint)
  .refine((text) => {
    // This is asked of what is no address, too.
    if (!URL.canParse(text)) return false;
    const { username, password } = new URL(text);
    return !username && !password;
  });

const listed = (value: unknown) => (typeof value === 'string' ? value.split(',').filter(Boolean) : value);

const types = z
  .preprocess(listed, z.array(z.enum(pushTypes)).max(pushTypes.length))
  .transform((all) => pushTypes.filter((type) => all.includes(type)));

const subscription = z.object({
  endpoint: address,
  keys: z.object({
    p256dh: base64url.refine(isPoint),
    auth: base64url.refine((text) => bytesOf(text).length === 16),
  }),
  types: types.optional(),
});

const pushIds = z.array(z.string());

/** Without keys there is no push. */
const enabled = ({ push }: Context) => {
  if (!push) throw notFound();
  return push;
};

/** GET /webpush: the key that a browser subscribes with, and what can be told. */
export const showPush = endpoint({
  access: 'member',
  summary: 'Show what a device needs to take push messages',
  input: z.object({}),
  output: z.object({ public_key: z.string(), types: z.array(z.string()) }),
  handler: (_call, context: Context) => {
    const { vapid } = enabled(context);
    return Promise.resolve({ public_key: vapid.publicKey, types: [...pushTypes] });
  },
});

/**
 * POST /webpush: the device takes push messages of the kinds chosen; again, with other choices. 403 without code
 * for an endpoint, a key or a kind that is none.
 */
export const subscribe = endpoint({
  access: 'member',
  summary: 'Tell the member by push on a device',
  bodyOnly: true,
  input: subscription,
  output: z.object({ push_ids: pushIds, types: z.array(z.string()) }),
  async handler({ input, caller }, context: Context) {
    enabled(context);
    const { endpoint: where, keys, types: chosen = [...standardPushTypes] } = input;
    if (!chosen.length) throw invalidArgument();
    const device = { endpoint: where, ...keys, types: chosen };
    try {
      const { push_ids } = await context.profile.addPushDevice({
        id: caller.id,
        member_id: caller.memberId,
        ...device,
      });
      return { push_ids, types: chosen };
    } catch (error) {
      // The member of a good token that profile does not know, or has suspended.
      if (error instanceof Failure && error.status === 404) throw unauthorized('invalid_token');
      throw error;
    }
  },
});

/** DELETE /webpush: the device of the endpoint, or without one every device of the member, is told nothing more. */
export const unsubscribe = endpoint({
  access: 'member',
  summary: 'Stop push messages',
  input: z.object({ endpoint: z.string().max(longestEndpoint).optional() }),
  output: z.object({ push_ids: pushIds }),
  handler: ({ input, caller }, context: Context) =>
    context.profile.removePushDevices({ id: caller.id, ...input }),
});
