import { z } from 'zod';
import { activityCounters } from '../members/activity-counters.ts';
import { securityTypes } from './push-types.ts';
import { membershipStatuses, photoStatuses } from '../members/record.ts';

const memberId = z.int().positive();

/** Fields that every event carries; `member` is the numeric id of the member it concerns. */
const envelope = {
  /** UUIDv7; consumers deduplicate by it. */
  id: z.uuid(),
  /** Version of the changed document; state consumers ignore older ones. */
  version: z.int().nonnegative(),
  at: z.iso.datetime(),
  member: memberId,
  /** Request id of the call that caused it. */
  request_id: z.string().optional(),
  /** W3C Trace Context of that call. */
  traceparent: z.string().max(128).optional(),
};

const event = <Type extends string, Data extends z.ZodRawShape>(type: Type, data: Data) =>
  z.strictObject({ ...envelope, type: z.literal(type), data: z.strictObject(data) });

const pairData = { other: memberId };
const messageData = { other: memberId, message: z.uuid() };

/** A decision of Customer Service and its subject; `undone` takes back the one before. */
export const ruling = {
  subject: z.enum(['profile', 'text', 'photo']),
  decision: z.enum(['approved', 'rejected', 'undone']),
};

const moderationData = {
  ...ruling,
  /** Canonical name of the field, if the subject is a text. */
  field: z.string().optional(),
  /** Id of the photo, if the subject is one. */
  photo: z.int().positive().optional(),
};

/**
 * Every event between services. Events carry ids, never personal texts.
 *
 * - member.*: the member's document changed (state: fetch the projection, compare versions).
 * - member.suspended, member.deleted: in addition, the member's tokens are no longer valid.
 * - pair.*: `member` acted on `data.other`, who is notified (deduplicate by id).
 * - pair.shared: the sharing of private photos between the two changed.
 * - counters.changed: the activity counters of `member`, who is notified while connected.
 * - presence.changed: the visible presence of `member` changed (state: call profile).
 * - photo.*: a photo of `member` was uploaded, reviewed, made primary or deleted; `member` is notified.
 * - moderation.decided: Customer Service decided; `member` is notified.
 * - moderation.warned: `member`, who is notified, wrote with `data.other`, who was banned for fraud (deduplicate by id).
 * - message.sent: `member` wrote to `data.other`, who is notified (deduplicate by id).
 * - membership.*: the paid membership of `member` changed (state: compare versions).
 * - search.matched: `data.other` newly fits a saved search of `member`, who is notified (deduplicate by id).
 * - account.alerted: something happened to the security of the account of `member`, whose devices are notified (deduplicate by id).
 */
export const eventSchema = z.discriminatedUnion('type', [
  event('member.updated', {}),
  event('member.deactivated', {}),
  event('member.reactivated', {}),
  event('member.suspended', {}),
  event('member.deleted', {}),
  event('moderation.decided', moderationData),
  event('moderation.warned', pairData),
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
  event('search.matched', { other: memberId, search: z.uuid() }),
  event('account.alerted', { alert: z.enum(securityTypes) }),
]);

/** Any event. */
export type Event = z.infer<typeof eventSchema>;

/** The name of an event, also its AMQP routing key. */
export type EventType = Event['type'];

/** One event by its type. */
export type EventOf<Type extends EventType> = Extract<Event, { type: Type }>;
