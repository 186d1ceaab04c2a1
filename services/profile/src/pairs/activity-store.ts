import { collectionSchema, required } from '@covalence/runtime/schema';
import { documentsOf } from '@covalence/runtime/documents';
import type { Connection } from 'mongoose';
import { newestFirst } from '../members/page.ts';
import type { TimeCursor } from '../members/store/time-cursor.ts';
import type { ListedMember } from './pair-list-store.ts';

/** The activity pages, each with its own counters. */
export const activityPages = ['connections', 'likedme', 'views'] as const;

/** One of them. */
export type ActivityPage = (typeof activityPages)[number];

/** The stored part of a member's activity counters. */
export interface Activity {
  /** When the member last looked at their connections and their received likes. */
  readonly connections_reset: Date;
  readonly likedme_reset: Date;
  readonly views_total: number;
  readonly views_since_reset: number;
}

interface ActivityDocument extends Partial<Activity> {
  _id: number;
}

interface View {
  _id: string;
  viewed: number;
  viewer: number;
  at: Date;
}

const activitySchema = collectionSchema<ActivityDocument>('activity', {
  _id: { type: Number, required: true },
  connections_reset: Date,
  likedme_reset: Date,
  views_total: Number,
  views_since_reset: Number,
});

const viewSchema = collectionSchema<View>(
  'views',
  required({ _id: String, viewed: Number, viewer: Number, at: Date }),
);
// The key completes the order of the list, so that a page reads only its entries.
viewSchema.index({ viewed: 1, at: 1, _id: 1 });
viewSchema.index({ viewer: 1 });

const never = new Date(0);

/** Creates the store on the `activity` and `views` collections. Neither has an outbox or a version. */
export function createActivityStore(connection: Connection) {
  const activities = documentsOf<ActivityDocument>(connection.model('Activity', activitySchema));
  const views = documentsOf<View>(connection.model('View', viewSchema));
  return {
    async read(member: number): Promise<Activity> {
      const found = await activities.one({ _id: member });
      return {
        connections_reset: found?.connections_reset ?? never,
        likedme_reset: found?.likedme_reset ?? never,
        views_total: found?.views_total ?? 0,
        views_since_reset: found?.views_since_reset ?? 0,
      };
    },
    async countView(viewed: number, viewer: number, at: Date) {
      await Promise.all([
        activities.upsert({ _id: viewed }, { $inc: { views_total: 1, views_since_reset: 1 } }),
        views.upsert({ _id: `${viewed}:${viewer}`, viewed }, { $set: { viewer, at } }),
      ]);
    },
    /** The viewers of a member, each once with their last view: newest first, after a cursor. */
    async listViews(viewed: number, limit: number, after?: TimeCursor): Promise<ListedMember[]> {
      const behind = { viewed, ...newestFirst('at', after) };
      const found = await views.many(behind, { sort: { at: -1, _id: -1 }, limit });
      return found.map(({ _id, viewer, at }) => ({ other: viewer, at, key: _id }));
    },
    /** The members that a member viewed, each once with the last view; for exports. */
    viewsBy: (viewer: number): Promise<readonly { readonly viewed: number; readonly at: Date }[]> =>
      views.many({ viewer }, { shown: { _id: 0, viewed: 1, at: 1 } }),
    async reset(member: number, page: ActivityPage, at: Date) {
      const change = page === 'views' ? { views_since_reset: 0 } : { [`${page}_reset`]: at };
      await activities.upsert({ _id: member }, { $set: change });
    },
    /** Deletes a member's counters and views, as viewer and as viewed. Counters of other members stay. */
    async erase(member: number) {
      await views.removeAll({ viewed: member });
      await views.removeAll({ viewer: member });
      await activities.remove({ _id: member });
    },
  };
}
