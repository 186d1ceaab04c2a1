import { z } from 'zod';
import { activityCounters } from './activity-counters.ts';
import { ruling } from './events.ts';
import { membershipStatuses, photoStatuses } from './record.ts';

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

/** The other member, whose record the client fetches as it may see it now. */
const other = { profileid: id };

const dataOf = {
  /** The token was good; its id is where a resume may begin. */
  ready: {},
  /** What was missed cannot be given: fetch anew. */
  reset: {},
  like: other,
  mutual: other,
  decline: other,
  view: other,
  message: { ...other, messageid: z.uuid() },
  /** The activity counters as they are now. */
  counters: activityCounters,
  /** A decision of Customer Service; `field` or `photoid` where the subject is one. */
  moderation: {
    ...ruling,
    field: z.string().optional(),
    photoid: id.optional(),
  },
  /** The member's own membership as the record shows it; the date is null without one. */
  membership: {
    membership_status: z.enum(membershipStatuses),
    autorenew: z.boolean(),
    expirationdate: z.iso.datetime().nullable(),
  },
  /** A connection of the member came or went. */
  presence: { ...other, online: z.boolean() },
  /** One of the member's own photos changed; GET /photo has it. */
  photo: {
    photoid: id,
    status: z.enum(photoStatuses),
    primary: z.boolean(),
  },
} as const satisfies Record<string, z.ZodRawShape>;

/** A frame type. */
export type UpdateType = keyof typeof dataOf;

const frame = <Type extends UpdateType>(type: Type) =>
  z.strictObject({
    id: z.string(),
    type: z.literal(type),
    at: z.iso.datetime(),
    data: z.strictObject<(typeof dataOf)[Type]>(dataOf[type]),
  });

/** Of a photo of one's own, or `profileid`: what that member shares or accepts is different. */
const photoFrame = z.strictObject({
  ...frame('photo').shape,
  data: z.union([z.strictObject(dataOf.photo), z.strictObject(other)]),
});

/**
 * A live update as the client receives it, by its type: `id` orders and deduplicates, `at` is ISO-8601 UTC. Ids and
 * names only, never texts of members.
 */
export const updateSchema = z.discriminatedUnion('type', [
  frame('ready'),
  frame('reset'),
  frame('like'),
  frame('mutual'),
  frame('decline'),
  frame('view'),
  frame('message'),
  frame('counters'),
  frame('moderation'),
  frame('membership'),
  frame('presence'),
  photoFrame,
]);

/** One frame of the live-updates socket. */
export type LiveUpdate = z.infer<typeof updateSchema>;

type WithoutId<Update> = Update extends LiveUpdate ? Omit<Update, 'id'> : never;

/** A frame that has no place in a member's history yet. */
export type UpdateBody = WithoutId<LiveUpdate>;
