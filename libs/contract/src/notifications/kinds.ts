import type { PushedType } from '../events/push-types.ts';

/** Kinds of notifications that a member turns on and off. */
export const notificationKinds = [
  'likes',
  'connections',
  'messages',
  'matches',
  'views',
  'account',
  'security',
] as const;

/** A kind of notifications. */
export type NotificationKind = (typeof notificationKinds)[number];

/** Kinds that a digest by mail counts. */
export const digestKinds = [
  'messages',
  'likes',
  'connections',
  'matches',
] as const satisfies readonly NotificationKind[];

/** A kind that a digest counts. */
export type DigestKind = (typeof digestKinds)[number];

/** Shortest periods between digests. */
export const digestPeriods = ['daily', 'weekly'] as const;

/** A period of digests. */
export type DigestPeriod = (typeof digestPeriods)[number];

/** The kind of each push message. */
export const kindOfPush: Readonly<Record<PushedType, NotificationKind>> = {
  like: 'likes',
  mutual: 'connections',
  message: 'messages',
  match: 'matches',
  view: 'views',
  moderation: 'account',
  membership: 'account',
  session: 'security',
  recovery: 'security',
  two_step: 'security',
  email: 'security',
  credential: 'security',
};
