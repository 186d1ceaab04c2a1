import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { activeCaller } from '../../members/active-caller.ts';
import { activityPages } from '../activity-store.ts';
import { countersSchema, readCounters } from '../read-counters.ts';

/** POST /members/self/activity/reset/{page}: the member has looked at that page. */
export const resetActivity = endpoint({
  access: 'member',
  summary: 'Begin counting new interactions of a page anew',
  input: z.object({ page: z.enum(activityPages) }),
  output: countersSchema,
  handler: async ({ input, caller }, context: Context) => {
    const member = await activeCaller(context, caller);
    await context.activity.reset(member._id, input.page, context.clock());
    context.counterNews.soon([member._id]);
    return readCounters(context, member._id);
  },
});
