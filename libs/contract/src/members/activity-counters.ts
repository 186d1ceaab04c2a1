import { z } from 'zod';

const count = z.int().nonnegative();

/** Schemas of the activity counters. */
export const activityCounters = {
  connections_since_reset: count,
  connections_total: count,
  likedme_since_reset: count,
  likedme_total: count,
  views_since_reset: count,
  views_total: count,
};

/** Activity counters. */
export type ActivityCounters = { [Name in keyof typeof activityCounters]: number };
