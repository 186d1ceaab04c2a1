import { notFound } from '@covalence/contract/failure';
import { memberLocale, memberState, settleMember } from '@covalence/contract/internal/profile-api';
import { endpoint } from '@covalence/http/endpoint';
import { siteOf, type Context } from '../context.ts';
import { localeOf } from './document/member-values.ts';

/** POST /internal/members/state: what sign-in needs to know; 404 where there is no member. */
export const stateOfMember = endpoint({
  access: 'service',
  summary: 'What sign-in needs to know of a member',
  ...memberState,
  handler: async ({ input }, { members }: Context) => {
    const member = await members.standingOf(input.member_id);
    if (!member || member.deleted) throw notFound();
    return { id: member._id, deactivated: member.deactivated, suspended: member.suspended };
  },
});

/** POST /internal/members/locale: what a member reads texts in; 404 where there is no member. */
export const localeOfMember = endpoint({
  access: 'service',
  summary: 'What a member reads texts in',
  ...memberLocale,
  handler: async ({ input }, context: Context) => {
    const member = await context.members.byId(input.id);
    if (!member || member.deleted) throw notFound();
    return { locale: localeOf(member, siteOf(context, member.siteid)) };
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
