import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { activeCaller } from '../../members/active-caller.ts';
import { countersSchema, readCounters } from '../read-counters.ts';

/** GET /members/self/activity: the activity counters, for a client that was away; nothing is reset. */
export const showActivity = endpoint({
  access: 'member',
  summary: 'The activity counters',
  input: z.object({}),
  output: countersSchema,
  handler: async ({ caller }, context: Context) =>
    readCounters(context, (await activeCaller(context, caller))._id),
});
