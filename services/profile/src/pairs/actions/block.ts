import { z } from 'zod';
import { memberEndpoint } from '../../members/member-endpoint.ts';
import { otherMember } from '../other-member.ts';
import type { PairsContext } from '../pairs.ts';

/** An endpoint that does something to another member and answers nothing. */
const actionEndpoint = (action: 'block' | 'unblock' | 'pass', summary: string) =>
  memberEndpoint({
    summary,
    input: z.object({ profileid: z.unknown().optional() }),
    output: z.object({}),
    codes: [80001, 80013],
    handler: async ({ input, member: viewer }, context: PairsContext) => {
      const other = await otherMember(context, viewer, input.profileid);
      await context.pairs.store.act(viewer._id, other._id, action);
      return {};
    },
  });

/** POST /block: ends a connection and withdraws both likes; the other cannot see or reach the member. */
export const block = actionEndpoint('block', 'Block a member');

/** POST /unblock: ends the member's block; likes do not come back. */
export const unblock = actionEndpoint('unblock', 'Take a block back');

/** POST /pass: hides a member from the viewer's results for 30 days. The other is not notified. */
export const pass = actionEndpoint('pass', 'Pass over a member for 30 days');
