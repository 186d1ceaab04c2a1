import { z } from 'zod';
import { activityCounters } from '../members/activity-counters.ts';
import { ruling } from './events.ts';
import { membershipStatuses, photoStatuses } from '../members/record.ts';

/** Close codes of the live-updates socket. */
export const closeCodes = {
  goingAway: 1001,
  inPieces: 1008,
  tooBig: 1009,
  tryAgain: 1013,
  badToken: 4401,
  deactivated: 4403,
  noToken: 4408,
} as const;

const id = z.int().positive();

/** The other member, whose record the client fetches. */
const other = { profileid: id.meta({ examples: [1002] }) };

const dataOf = {
  ready: {},
  reset: {},
  like: other,
  mutual: other,
  decline: other,
  view: other,
  message: { ...other, messageid: z.uuid() },
  match: { ...other, searchid: z.uuid() },
  counters: activityCounters,
  moderation: {
    ...ruling,
    field: z.string().optional(),
    photoid: id.optional(),
  },
  fraud_warning: other,
  membership: {
    membership_status: z.enum(membershipStatuses),
    autorenew: z.boolean(),
    expirationdate: z.iso.datetime().nullable(),
  },
  presence: { ...other, online: z.boolean() },
  photo: {
    photoid: id.meta({ examples: [4711] }),
    status: z.enum(photoStatuses),
    primary: z.boolean(),
  },
  session: {
    client: z
      .string()
      .max(100)
      .meta({ description: 'Name of the app.', examples: ['Phone app'] }),
  },
  recovery: { from: z.iso.datetime() },
  two_step: { on: z.boolean() },
  email: {},
  credential: {
    kind: z.enum(['password', 'passkey', 'provider']),
    change: z.enum(['added', 'changed', 'removed']),
  },
} as const satisfies Record<string, z.ZodRawShape>;

/** A frame type. */
export type UpdateType = keyof typeof dataOf;

/** Description of each frame in the AsyncAPI document. */
const meanings: Readonly<Record<UpdateType, string>> = {
  ready:
    'The token is valid: the first frame, and the answer to every later token. Resume after its id, except on a socket that resumes itself.',
  reset: 'The missed frames are not available any more: fetch the data again.',
  like: 'A member likes the receiver.',
  mutual: 'A connection was made: both members like each other.',
  decline: 'A member declined the receiver’s like.',
  view: 'A member viewed the receiver’s profile.',
  message: 'A message arrived; fetch the thread.',
  match: 'A member newly fits a saved search of the receiver that has `notify`.',
  counters: 'The current activity counters.',
  moderation:
    'Customer Service has decided; `field` or `photoid` names the subject where it is not the profile. `undone`: the decision before was a mistake; fetch the own record.',
  fraud_warning:
    'A member whom the receiver wrote with was banned because of a risk of fraud; the receiver also gets a mail.',
  membership: 'The receiver’s own membership changed; the date is null without one.',
  presence:
    'A connection went online or offline. The history does not keep these frames: after a reconnect, fetch the connections.',
  photo:
    'A photo of the receiver was uploaded, reviewed, made primary or deleted; fetch GET /photo. With only `profileid`: the photo sharing with that member changed.',
  session:
    'Somebody signed in to the receiver’s account on a new device. The history does not keep these frames; GET /sessions lists the sign-ins.',
  recovery:
    'Somebody asked by mail to recover the receiver’s account; from this time on the mailed link opens it. The history does not keep these frames; the page of the account cancels it.',
  two_step:
    'Two-step sign-in of the receiver was turned on, changed or turned off. The history does not keep these frames; the member also gets a mail.',
  email:
    'Somebody who is signed in wants to change the email address of the receiver’s account, or it was changed, or changed back. The history does not keep these frames; the member also gets a mail.',
  credential:
    'A way to sign in to the receiver’s account was added, changed or removed: the password, a passkey or the link with a provider. The history does not keep these frames; the member also gets a mail.',
};

const frame = <Type extends UpdateType>(type: Type) =>
  z
    .strictObject({
      id: z.string(),
      type: z.literal(type),
      at: z.iso.datetime(),
      data: z.strictObject<(typeof dataOf)[Type]>(dataOf[type]),
    })
    .meta({ description: meanings[type] });

const photoFrame = z
  .strictObject({
    ...frame('photo').shape,
    data: z.union([z.strictObject(dataOf.photo), z.strictObject(other)]),
  })
  .meta({ description: meanings.photo });

/** A live update, by its type. `id` orders and deduplicates, `at` is ISO-8601 UTC. Frames never carry texts of members. */
export const updateSchema = z.discriminatedUnion('type', [
  frame('ready'),
  frame('reset'),
  frame('like'),
  frame('mutual'),
  frame('decline'),
  frame('view'),
  frame('message'),
  frame('match'),
  frame('counters'),
  frame('moderation'),
  frame('fraud_warning'),
  frame('membership'),
  frame('presence'),
  photoFrame,
  frame('session'),
  frame('recovery'),
  frame('two_step'),
  frame('email'),
  frame('credential'),
]);

/** One frame of the live-updates socket. */
export type LiveUpdate = z.infer<typeof updateSchema>;

type WithoutId<Update> = Update extends LiveUpdate ? Omit<Update, 'id'> : never;

/** A frame that is not in a member's history yet. */
export type UpdateBody = WithoutId<LiveUpdate>;

/** Message to a member's open sockets (redisKeys.live) with a frame that no history keeps; the tag identifies it. */
export const ephemeralMessage = (tag: string, payload: string): string => `p ${tag} ${payload}`;
