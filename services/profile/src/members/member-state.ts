import type { Event, EventOf } from '@covalence/contract/events';
import {
  takeMembership,
  memberLocale,
  memberState,
  reactivateMember,
  settleMember,
} from '@covalence/contract/peers/profile-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import { notFound } from '@covalence/contract/failure';
import type { Member } from './document/member.ts';
import { localeFor, type MembersContext } from './members.ts';
import { priceCountry } from './places/price-country.ts';
import { flagAdmission } from './flag-admission.ts';

/** The patch that copies a membership from billing; undefined where the document has a later version. */
export function membershipPatch(
  { membership }: Pick<Member, 'membership'>,
  { status, autorenew, expires_at }: EventOf<'membership.changed'>['data'],
  version: number,
): Pick<Member, 'membership'> | undefined {
  if (version <= membership.version) return undefined;
  const expires = expires_at === null ? null : new Date(expires_at);
  return { membership: { status, autorenew, expires_at: expires, version } };
}

/** Consumes `profile.memberships`: copies memberships to the member documents. */
export async function onMembershipChanged({ members }: MembersContext, events: readonly Event[]) {
  for (const event of events) {
    if (event.type !== 'membership.changed') continue;
    const { member: id, data, version } = event;
    await members.store.change(id, (member) => membershipPatch(member, data, version));
  }
}

/** POST /internal/memberships/take: copies a membership before billing answers its client. Idempotent by version. */
export const takeMembershipEndpoint = serviceEndpoint(
  takeMembership,
  async ({ member: id, membership }, { members }: MembersContext) => {
    await members.store.change(id, (member) => membershipPatch(member, membership, membership.version));
    return {};
  },
);

/** POST /internal/members/state: whether a member may sign in; 404 where there is no member. */
export const stateOfMember = serviceEndpoint(memberState, async (input, { members }: MembersContext) => {
  const member = await members.store.signInState(input.member_id, input.id);
  if (!member || member.deleted) throw notFound();
  return { id: member._id, deactivated: member.deactivated, suspended: member.suspended };
});

/** POST /internal/members/locale: the site and country of a member, and the locale of texts; 404 where there is no member. */
export const localeOfMember = serviceEndpoint(memberLocale, async (input, context: MembersContext) => {
  const member = await context.members.store.byId(input.id);
  if (!member || member.deleted) throw notFound();
  const country = priceCountry(member, context.clock());
  return { locale: localeFor(context, member), siteid: member.siteid, country };
});

/** POST /internal/members/settle: whether the member of a pending account exists; if not, a later insert fails. */
export const settlePending = serviceEndpoint(
  settleMember,
  async ({ member_id, id }, { members }: MembersContext) => ({
    exists: await members.store.settle(member_id, id),
  }),
);

/** POST /internal/members/reactivate: ends a deactivation, and a deletion that is not due yet. Idempotent. */
export const reactivate = serviceEndpoint(reactivateMember, async (input, context: MembersContext) => {
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
});
