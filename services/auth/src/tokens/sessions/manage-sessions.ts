import { recentSignInSeconds } from '@covalence/contract/recent-sign-in';
import { addressKey } from '@covalence/http/address-key';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { endSession, sessionsOf, type SessionsContext } from './member-sessions.ts';

const time = z.iso.datetime();

/** Sessions in a list. */
export const maxListed = 100;

/** Id of a session in examples. */
export const sampleId = 'q1rSbBqB1FyvVZ3cJ0u2mHc1ZyF9k0L3o5nT7wX8aEd';

/** A sign-in of a member. */
export const sessionSchema = z.object({
  id: z.string().meta({ description: 'Identifies the sign-in; not a secret.', examples: [sampleId] }),
  client_id: z.string().meta({ examples: ['3f0e8a52-6f5d-4b6c-9f5e-0f4b7f3f6f10'] }),
  client: z
    .string()
    .nullable()
    .meta({ description: 'Name of the app.', examples: ['Phone app'] }),
  platform: z
    .string()
    .nullable()
    .meta({ description: '`platform` of /authorize.', examples: ['app_ios'] }),
  device_name: z
    .string()
    .nullable()
    .meta({ description: '`device_name` of /authorize.', examples: ['Ada’s iPhone'] }),
  browser: z
    .string()
    .nullable()
    .meta({ description: 'The browser that it was made with, by its own name.', examples: ['Safari, iOS'] }),
  since: time.meta({
    description: 'When the credentials were entered.',
    examples: ['2026-03-01T12:00:00.000Z'],
  }),
  last_used: time.meta({
    description: 'The last refresh: at most half an hour before the last call.',
    examples: ['2026-03-14T08:30:00.000Z'],
  }),
  until: time.meta({
    description: 'When it ends if it is not used before.',
    examples: ['2026-04-13T08:30:00.000Z'],
  }),
});

const ownSession = sessionSchema
  .extend({
    current: z.boolean().meta({ description: 'Whether this call was made with it.', examples: [true] }),
  })
  .meta({ id: 'Session' });

/** GET /sessions: where the member is signed in. */
export const listSessions = endpoint({
  access: 'member',
  tag: 'Sign-in',
  operationId: 'listSessions',
  summary: 'List your sign-ins',
  description:
    'Sign-ins of apps, last used first; at most 100. Places are not known: no address of a sign-in is kept.',
  answer: 'The sign-ins.',
  input: z.object({}),
  output: z.object({ sessions: z.array(ownSession) }).meta({ id: 'Sessions' }),
  handler: async ({ caller }, context: SessionsContext) => {
    const sessions = await sessionsOf(caller.memberId, maxListed, context);
    return {
      sessions: sessions.map(({ browser_session: _session, ...one }) => ({
        ...one,
        current: one.id === caller.family,
      })),
    };
  },
});

/** DELETE /sessions/:id: ends one sign-in. */
export const deleteSession = endpoint({
  access: 'member',
  tag: 'Sign-in',
  operationId: 'endSession',
  summary: 'End one of your sign-ins',
  description:
    'Ends tokens, sockets and push messages of the sign-in at once, and the session of the browser that it came from. To end another one than that of the call, the sign-in of the call must be at most 10 minutes old. A repeated call is 200 while the ended sign-in is remembered (half an hour), then 404.',
  answer: 'The sign-in has ended.',
  example: { request: { id: sampleId } },
  statuses: [404],
  recentSignIn: recentSignInSeconds,
  recentSignInExcept: ({ id }, { family }) => id === family,
  input: z.object({ id: z.string().max(64).meta({ description: '`id` of GET /sessions.' }) }),
  output: z.object({}),
  handler: async ({ input: { id }, caller, address }, context: SessionsContext) => {
    await endSession(id, caller.memberId, context);
    context.security.record('session_ended', {
      member: caller.memberId,
      client: caller.clientId,
      address: addressKey(address),
    });
    return {};
  },
});
