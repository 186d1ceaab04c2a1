import type { Event, EventOf } from '@covalence/contract/events';
import type { Context } from '../context.ts';
import type { Member } from './document/member.ts';

type MembershipChanged = EventOf<'membership.changed'>;

/** What a member's part is with a membership as billing tells it; nothing where a later version is known already. */
export function takenOver(
  { membership }: Pick<Member, 'membership'>,
  { status, autorenew, expires_at }: MembershipChanged['data'],
  version: number,
): Pick<Member, 'membership'> | undefined {
  if (version <= membership.version) return undefined;
  const expires = expires_at === null ? null : new Date(expires_at);
  return { membership: { status, autorenew, expires_at: expires, version } };
}

/** State consumer of `profile.memberships`: the member documents follow billing. */
export async function onMembershipChanged(
  context: Pick<Context, 'members'>,
  events: readonly Event[],
): Promise<void> {
  for (const event of events) {
    if (event.type !== 'membership.changed') continue;
    const { member: id, data, version } = event;
    await context.members.change(id, (member) => takenOver(member, data, version));
  }
}
