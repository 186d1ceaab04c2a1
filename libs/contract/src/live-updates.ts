import { z } from 'zod';

/** Close codes of the live-updates socket (D41). */
export const closeCodes = {
  goingAway: 1001,
  tooBig: 1009,
  tryAgain: 1013,
  badToken: 4401,
  deactivated: 4403,
  noToken: 4408,
} as const;

/** Frame types of D41. */
const updateTypes = [
  'ready',
  'reset',
  'like',
  'mutual',
  'decline',
  'view',
  'message',
  'counters',
  'moderation',
  'membership',
  'presence',
  'photo',
] as const;

/** A live update as the client receives it (D41): `id` orders and deduplicates, `at` is ISO-8601 UTC. */
export const updateSchema = z.strictObject({
  id: z.string(),
  type: z.enum(updateTypes),
  at: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
});

/** One frame of the live-updates socket. */
export type LiveUpdate = z.infer<typeof updateSchema>;
