import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { activeCaller } from '../profiles/active-caller.ts';
import { otherMember } from './other-member.ts';

const blocking = (action: 'block' | 'unblock', summary: string) =>
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

/** POST /block: ends a connection and withdraws both likes; the other cannot see or reach the member (D23). */
export const block = blocking('block', 'Block a member');

/** POST /unblock: takes a block back; likes do not come back (D23). */
export const unblock = blocking('unblock', 'Take a block back');
