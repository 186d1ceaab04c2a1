import { z } from 'zod';
import { activityCounters } from './activity-counters.ts';
import { membershipStatuses, photoStatuses } from './record.ts';

const memberId = z.int().positive();

/** Fields that every event carries; `member` is the numeric id of the member it concerns. */
const envelope = {
  /** UUIDv7, the key by which consumers deduplicate. */
  id: z.uuid(),
  /** Version of the document that the event speaks of; state consumers ignore older ones. */
  version: z.int().nonnegative(),
  at: z.iso.datetime(),
  member: memberId,
  /** Request id of the call that caused it, so that logs join across services. */
  request_id: z.string().optional(),
  /** The trace of that call (W3C Trace Context), which its consumers continue. */
  traceparent: z.string().max(128).optional(),
};

const event = <Type extends string, Data extends z.ZodRawShape>(type: Type, data: Data) =>
  z.strictObject({ ...envelope, type: z.literal(type), data: z.strictObject(data) });

const pairData = { other: memberId };
const messageData = { other: memberId, message: z.uuid() };

/** What staff decided on, and how. */
export const ruling = {
  subject: z.enum(['profile', 'text', 'photo']),
  decision: z.enum(['approved', 'rejected']),
};

const moderationData = {
  ...ruling,
  /** Canonical name of the text's field, where the subject is one. */
  field: z.string().optional(),
  /** Numeric id of the photo, where the subject is one. */
  photo: z.int().positive().optional(),
};

/**
 * Every event that crosses a service border, as one union. Events carry ids, never personal texts.
 *
 * - member.*: the member's document changed (state: fetch the projection, compare versions).
 * - pair.*: `member` did something to `data.other`, who is notified (deduplicate by id).
 * - pair.shared among them: something that the two agreed on about private photos is different.
 * - counters.changed: the activity counters of `member`, who is notified while connected.
 * - presence.changed: whether others are shown `member` online is different (state: ask profile).
 * - photo.*: a photo of `member` was uploaded, reviewed, made primary or deleted; `member` is notified.
 * - member.suspended and member.deleted besides: the member's tokens are no longer valid.
 * - moderation.decided: Customer Service decided on something of the member, who is notified.
 * - message.sent: `member` wrote the message to `data.other`, who is notified (deduplicate by id).
 * - membership.*: the paid membership of `member` changed (state: compare versions).
 */
export const eventSchema = z.discriminatedUnion('type', [
  event('member.updated', {}),
  event('member.deactivated', {}),
  event('member.reactivated', {}),
  event('member.suspended', {}),
  event('member.deleted', {}),
  event('moderation.decided', moderationData),
  event('pair.liked', pairData),
  event('pair.mutual', pairData),
  event('pair.declined', pairData),
  event('pair.viewed', pairData),
  event('pair.shared', pairData),
  event('counters.changed', activityCounters),
  event('presence.changed', {}),
  event('photo.changed', {
    photo: z.int().positive(),
    status: z.enum(photoStatuses),
    primary: z.boolean(),
  }),
  event('message.sent', messageData),
  event('membership.changed', {
    status: z.enum(membershipStatuses),
    autorenew: z.boolean(),
    expires_at: z.iso.datetime().nullable(),
  }),
]);

/** Any event of the system. */
export type Event = z.infer<typeof eventSchema>;

/** The name of an event, also its AMQP routing key. */
export type EventType = Event['type'];

/** One event by its type. */
export type EventOf<Type extends EventType> = Extract<Event, { type: Type }>;
