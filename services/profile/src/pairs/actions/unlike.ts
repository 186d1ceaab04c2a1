import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { countersSchema, readCounters } from '../read-counters.ts';
import type { Context } from '../../context.ts';
import { activeCaller } from '../../members/active-caller.ts';
import { otherMember } from '../other-member.ts';

/** POST /unlike: withdraws a like or a connection. */
export const unlike = endpoint({
  access: 'member',
  summary: 'Withdraw a like or a connection',
  input: z.object({ profileid: z.unknown().optional() }),
  output: countersSchema,
  codes: [80001, 80013],
  handler: async ({ input, caller }, context: Context) => {
    const viewer = await activeCaller(context, caller);
    const other = await otherMember(context, viewer, input.profileid);
    await context.pairs.act(viewer._id, other._id, 'unlike');
    return readCounters(context, viewer._id);
  },
});
