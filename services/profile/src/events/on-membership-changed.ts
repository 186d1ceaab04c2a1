import type { Event, EventOf } from '@covalence/contract/events';
import type { Context } from '../context.ts';

type MembershipChanged = EventOf<'membership.changed'>;

/** Takes over a membership as billing tells it, unless a later version is known already. */
async function takeOver({ members }: Pick<Context, 'members'>, event: MembershipChanged): Promise<void> {
  const { status, autorenew, expires_at } = event.data;
  await members.change(event.member, ({ membership }) =>
    event.version > membership.version
      ? {
          membership: {
            status,
            autorenew,
            expires_at: expires_at === null ? null : new Date(expires_at),
            version: event.version,
          },
        }
      : undefined,
  );
}

/** State consumer of `profile.memberships`: the member documents follow billing. */
export async function onMembershipChanged(
  context: Pick<Context, 'members'>,
  events: readonly Event[],
): Promise<void> {
  for (const event of events) {
    if (event.type === 'membership.changed') await takeOver(context, event);
  }
}
