import { failCodes } from '@covalence/contract/failure-codes';
import { profileid } from '@covalence/contract/parameters';
import { z } from 'zod';
import { memberEndpoint } from '../../members/member-endpoint.ts';
import { otherMember } from '../other-member.ts';
import type { PairsContext } from '../pairs.ts';

/** What the OpenAPI document says of one action. */
interface ActionDocument {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly answer: string;
}

/** An endpoint that does something to another member and answers nothing. */
const actionEndpoint = (action: 'block' | 'unblock' | 'pass', document: ActionDocument) =>
  memberEndpoint({
    tag: 'Interest',
    ...document,
    example: { request: { profileid: 1002 } },
    input: z.object({ profileid }),
    output: z.object({}),
    codes: [failCodes.receiverIsSender, failCodes.receiverNotFound],
    handler: async ({ input, member: viewer }, context: PairsContext) => {
      const other = await otherMember(context, viewer, input.profileid);
      await context.pairs.store.act(viewer._id, other._id, action);
      return {};
    },
  });

/** POST /block: ends a connection and withdraws both likes; the other cannot see or reach the member. */
export const block = actionEndpoint('block', {
  operationId: 'blockMember',
  summary: 'Block a member',
  description:
    'Ends a connection, withdraws both likes and hides each member from the other. Repeating the call changes nothing.',
  answer: 'The member is blocked.',
});

/** POST /unblock: ends the member's block; likes do not come back. */
export const unblock = actionEndpoint('unblock', {
  operationId: 'unblockMember',
  summary: 'Unblock a member',
  description: 'Likes from before the block do not come back. Repeating the call changes nothing.',
  answer: 'The member is not blocked.',
});

/** POST /pass: hides a member from the viewer's results for 30 days. The other is not notified. */
export const pass = actionEndpoint('pass', {
  operationId: 'passMember',
  summary: 'Hide a member from the own results',
  description:
    'Hides the member from the caller’s results for 30 days; nobody is notified. Repeating the call changes nothing.',
  answer: 'The member is hidden.',
});
