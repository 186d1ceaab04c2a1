import type { Event, EventOf } from '@covalence/contract/events';
import { takeMembership } from '@covalence/contract/internal/profile-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Member } from './document/member.ts';
import type { MembersContext } from './members.ts';

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
export const takeMembershipEndpoint = endpoint({
  access: 'service',
  summary: 'Take over a membership',
  ...takeMembership,
  async handler({ input: { member: id, membership } }, { members }: MembersContext) {
    await members.store.change(id, (member) => membershipPatch(member, membership, membership.version));
    return {};
  },
});
