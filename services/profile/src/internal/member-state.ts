import { notFound } from '@covalence/contract/failure';
import { memberState, settleMember } from '@covalence/contract/internal/profile-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';

/** POST /internal/members/state: what sign-in needs to know; 404 where there is no member. */
export const stateOfMember = endpoint({
  access: 'service',
  summary: 'What sign-in needs to know of a member',
  ...memberState,
  handler: async ({ input }, { members }: Context) => {
    const member = await members.byUuid(input.member_id);
    if (!member || member.deleted) throw notFound();
    return { id: member._id, deactivated: member.deactivated, suspended: member.suspended };
  },
});

/** POST /internal/members/settle: whether the member of a pending account exists; if not, they never will. */
export const settlePending = endpoint({
  access: 'service',
  summary: 'Settle a pending registration',
  ...settleMember,
  handler: async ({ input }, { members, ids }: Context) => {
    const takeId = async () => {
      const [id] = await ids.take('member', 1);
      if (id === undefined) throw new Error('no id was allocated');
      return id;
    };
    return { exists: await members.settle(input.member_id, takeId) };
  },
});
