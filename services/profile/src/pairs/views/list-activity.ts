import { pagesize } from '@covalence/contract/parameters';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { timedRecordOutput } from '../../record/record-schemas.ts';
import type { Context } from '../../context.ts';
import { momentCursor, momentParameter, pageOf, type Moment } from '../../members/page.ts';
import type { Listed } from '../pair-list-store.ts';
import { activeCaller } from '../../members/active-caller.ts';
import { readOthers, recordsOfOthers } from './records-of-others.ts';
import { activityPages, type ActivityPage } from '../activity-store.ts';

type Lister = (context: Context, member: number, limit: number, after?: Moment) => Promise<Listed[]>;

const listers: Record<ActivityPage, Lister> = {
  connections: ({ pairs }, ...asked) => pairs.listConnections(...asked),
  likedme: ({ pairs }, ...asked) => pairs.listAwaiting(...asked),
  views: ({ activity }, ...asked) => activity.listViews(...asked),
};

/**
 * GET /members/self/activity/{page}: who is behind a counter, newest first and paged, each with the time. Members
 * whose profile the caller may not open are left out, so that a page may be shorter than asked for.
 */
export const listActivity = endpoint({
  access: 'member',
  summary: 'Connections, received likes or views',
  input: z.object({ page: z.enum(activityPages), pagesize, cursor: momentParameter }),
  output: z.object({
    users: z.array(timedRecordOutput),
    next: z.string().nullable(),
  }),
  handler: async ({ input, caller }, context: Context) => {
    const viewer = await activeCaller(context, caller);
    const read = await listers[input.page](context, viewer._id, input.pagesize + 1, input.cursor);
    const { entries, next } = pageOf(read, input.pagesize, momentCursor);
    const ids = entries.map(({ other }) => other);
    const others = await readOthers(context, viewer._id, ids);
    const records = recordsOfOthers(context, viewer, others, 'profile');
    const times = new Map(entries.map(({ other, at }) => [other, at.toISOString()]));
    return { users: records.map((record) => ({ ...record, at: times.get(record.id) ?? '' })), next };
  },
});
