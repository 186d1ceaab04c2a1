import { invalidArgument } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { countersSchema, readCounters } from '../read-counters.ts';
import type { Context } from '../../context.ts';
import { activeCaller } from '../../members/active-caller.ts';
import { findProfile } from '../../members/find-profile.ts';

/** POST /decline: declines a received like; 403 without code for no, a bad or an unknown profileid. */
export const decline = endpoint({
  access: 'member',
  summary: "Decline a member's interest",
  input: z.object({ profileid: z.unknown().optional() }),
  output: countersSchema,
  handler: async ({ input, caller }, context: Context) => {
    const viewer = await activeCaller(context, caller);
    const other = await findProfile(context, input.profileid);
    if (!other || other._id === viewer._id) throw invalidArgument();
    await context.pairs.act(viewer._id, other._id, 'decline');
    return readCounters(context, viewer._id);
  },
});
