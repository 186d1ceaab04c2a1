import { notFound } from '@covalence/contract/failure';
import {
  memberLocale,
  memberState,
  reactivateMember,
  settleMember,
} from '@covalence/contract/internal/profile-api';
import { endpoint } from '@covalence/http/endpoint';
import { localeOf } from './document/member-values.ts';
import { flagAdmission } from './flag-admission.ts';
import { siteOf, type MembersContext } from './members.ts';

/** POST /internal/members/state: whether a member may sign in; 404 where there is no member. */
export const stateOfMember = endpoint({
  access: 'service',
  summary: 'What sign-in needs to know of a member',
  ...memberState,
  handler: async ({ input }, { members }: MembersContext) => {
    const member = await members.store.signInState(input.member_id);
    if (!member || member.deleted) throw notFound();
    return { id: member._id, deactivated: member.deactivated, suspended: member.suspended };
  },
});

/** POST /internal/members/locale: the locale of texts for a member; 404 where there is no member. */
export const localeOfMember = endpoint({
  access: 'service',
  summary: 'What a member reads texts in',
  ...memberLocale,
  handler: async ({ input }, context: MembersContext) => {
    const member = await context.members.store.byId(input.id);
    if (!member || member.deleted) throw notFound();
    return { locale: localeOf(member, siteOf(context, member.siteid)) };
  },
});

/** POST /internal/members/settle: whether the member of a pending account exists; if not, a later insert fails. */
export const settlePending = endpoint({
  access: 'service',
  summary: 'Settle a pending registration',
  ...settleMember,
  handler: async ({ input }, { members }: MembersContext) => {
    return { exists: await members.store.settle(input.member_id, () => members.ids.takeOne('member')) };
  },
});

/** POST /internal/members/reactivate: ends a deactivation, and a deletion that is not due yet. Idempotent. */
export const reactivate = endpoint({
  access: 'service',
  summary: 'Reactivate a deactivated member',
  ...reactivateMember,
  handler: async ({ input }, context: MembersContext) => {
    const { store } = context.members;
    const found = await store.byUuid(input.member_id);
    if (!found || found.deleted) throw notFound();
    const now = context.clock();
    const after = await store.change(found._id, ({ deactivated, deleted }) => {
      // Erased since the member was read.
      if (deleted) throw notFound();
      return deactivated
        ? { deactivated: false, deactivation_changed_at: now, reason_id: undefined, erase_at: undefined }
        : undefined;
    });
    await flagAdmission(context, after ?? found);
    return {};
  },
});
