import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { activeCaller } from '../../members/active-caller.ts';
import { otherMember } from '../other-member.ts';

/** An endpoint that does something to another member and answers nothing. */
export const actingOn = (action: 'block' | 'unblock' | 'pass', summary: string) =>
  endpoint({
    access: 'member',
    summary,
    input: z.object({ profileid: z.unknown().optional() }),
    output: z.object({}),
    codes: [80001, 80013],
    handler: async ({ input, caller }, context: Context) => {
      const viewer = await activeCaller(context, caller);
      const other = await otherMember(context, viewer, input.profileid);
      await context.pairs.act(viewer._id, other._id, action);
      return {};
    },
  });
