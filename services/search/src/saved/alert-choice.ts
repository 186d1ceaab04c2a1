import { positionSchema, projectionSchema } from '@covalence/contract/search-projection';
import { z } from 'zod';

/** When a saved search notifies its member of others who newly fit it. */
export const notifyChoices = ['live', 'daily', 'never'] as const;

/** One of them. */
export type NotifyChoice = (typeof notifyChoices)[number];

/** Saved searches of a member that may have alerts. */
export const mostAlerts = 5;

const { siteid, group, gender, gender_preference, country, position, platinum_until } =
  projectionSchema.shape;

/** The matching's data on the member who receives an alert. The position is the displaced one of the index. */
export const alertSearcher = z.object({
  siteid,
  group,
  gender,
  gender_preference,
  country,
  position,
  platinum_until,
});

/** The facts about a searcher that an alert depends on. */
export type AlertSearcher = z.infer<typeof alertSearcher>;

/** The stored basis of a saved search with alerts. */
export const alertBasis = z.object({
  searcher: alertSearcher,
  /** The center of its distance criterion; null for the searcher's own position, and without that criterion. */
  center: positionSchema.nullable(),
});

/** The stored basis of a saved search with alerts. */
export type AlertBasis = z.infer<typeof alertBasis>;
