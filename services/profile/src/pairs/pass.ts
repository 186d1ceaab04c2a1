import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { activeCaller } from '../profiles/active-caller.ts';
import { otherMember } from './other-member.ts';

/** POST /pass: hides a member from the viewer's results for 30 days; nobody is told, and it is no covalence (D55). */
export const pass = endpoint({
  access: 'member',
  summary: 'Pass over a member for 30 days',
  input: z.object({ profileid: z.unknown().optional() }),
  output: z.object({}),
  codes: [80001, 80013],
  handler: async ({ input, caller }, context: Context) => {
    const viewer = await activeCaller(context, caller);
    const other = await otherMember(context, viewer, input.profileid);
    await context.pairs.act(viewer._id, other._id, 'pass');
    return {};
  },
});
