import { pagesize } from '@covalence/contract/parameters';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { memberEndpoint } from '../../members/member-endpoint.ts';
import { encodeCursor, pageOf, timeCursorParameter } from '../../members/page.ts';
import type { TimeCursor } from '../../members/store/time-cursor.ts';
import { timedRecordOutput } from '../../record/render-record.ts';
import { activityPages, type ActivityPage } from '../activity-store.ts';
import { countersOfCaller, countersSchema } from '../counters.ts';
import type { ListedMember } from '../pair-list-store.ts';
import type { Pairs, PairsContext } from '../pairs.ts';
import { recordsForCaller } from './records-of-others.ts';

type Lister = (pairs: Pairs, member: number, limit: number, after?: TimeCursor) => Promise<ListedMember[]>;

const listers: Record<ActivityPage, Lister> = {
  connections: ({ store }, ...page) => store.listConnections(...page),
  likedme: ({ store }, ...page) => store.listReceivedLikes(...page),
  views: ({ activity }, ...page) => activity.listViews(...page),
};

/** GET /members/self/activity/{page} */
export const listActivity = endpoint({
  access: 'member',
  tag: 'Interest',
  operationId: 'listActivity',
  summary: 'List the members behind a counter',
  description:
    'Newest first, with the time in `at`. Members whose profile may not be opened are left out, so that a page may be shorter than asked for.',
  answer: 'A page of members.',
  example: { request: { page: 'likedme' } },
  input: z.object({
    page: z.enum(activityPages).meta({ description: 'One of the counters.' }),
    pagesize,
    cursor: timeCursorParameter,
  }),
  output: z
    .object({ users: z.array(timedRecordOutput), next: z.string().nullable() })
    .meta({ id: 'ActivityPage' }),
  handler: async ({ input, caller }, context: PairsContext) => {
    const read = await listers[input.page](context.pairs, caller.id, input.pagesize + 1, input.cursor);
    const { entries, next } = pageOf(read, input.pagesize, encodeCursor);
    const ids = entries.map(({ other }) => other);
    const known = new Map(entries.flatMap(({ other, sides }) => (sides ? [[other, sides] as const] : [])));
    const records = await recordsForCaller(context, caller, ids, 'profile', known);
    const times = new Map(entries.map(({ other, at }) => [other, at.toISOString()]));
    return { users: records.map((record) => ({ ...record, at: times.get(record.id) ?? '' })), next };
  },
});

/** GET /members/self/activity */
export const showActivity = endpoint({
  access: 'member',
  tag: 'Interest',
  operationId: 'getActivity',
  summary: 'Get the activity counters',
  description: 'Reading the counters does not reset them.',
  answer: 'The activity counters.',
  input: z.object({}),
  output: countersSchema,
  handler: ({ caller }, context: PairsContext) => countersOfCaller(context, caller),
});

/** POST /members/self/activity/reset/{page} */
export const resetActivity = memberEndpoint({
  tag: 'Interest',
  operationId: 'resetActivity',
  summary: 'Reset a counter of new interactions',
  description: 'Call it when the member has looked at the page of that counter.',
  answer: 'The activity counters after the reset.',
  example: { request: { page: 'views' } },
  input: z.object({ page: z.enum(activityPages).meta({ description: 'One of the counters.' }) }),
  output: countersSchema,
  handler: async ({ input, member, caller }, context: PairsContext) => {
    await context.pairs.activity.reset(member._id, input.page, context.clock());
    context.pairs.counterUpdates.schedule([member._id]);
    return countersOfCaller(context, caller);
  },
});
