import { nextVersion } from '@covalence/events/new-event';
import type { Outbox } from '@covalence/events/outbox';
import { conflict, retryOnConflict } from '@covalence/runtime/retry-on-conflict';
import type { MembershipChange, MembershipStore } from './membership-store.ts';
import { dueAt, membershipChanged, type Membership, type MembershipDraft } from './membership.ts';

/** Dependencies of changing memberships. */
export interface MembershipWriting {
  readonly memberships: MembershipStore;
  readonly membershipOutbox: Outbox;
}

/** The new membership of a member, given the current one; undefined for no change. */
export type Decide = (member: number, current: Membership | undefined) => MembershipDraft | undefined;

const changeOf = (draft: MembershipDraft, current: Membership | undefined, at: Date): MembershipChange => {
  const next = { ...draft, due_at: dueAt(draft), version: nextVersion(current?.version, at) };
  return { previous: current?.version, next, event: membershipChanged(next, at) };
};

/**
 * Changes memberships by compare-and-set and publishes membership.changed for each. `decide` runs again for a membership that another
 * writer changed meanwhile. Returns the number of changed memberships.
 */
export async function changeMemberships(
  { memberships, membershipOutbox }: MembershipWriting,
  members: readonly number[],
  decide: Decide,
  at: Date,
): Promise<number> {
  let open = members;
  let written = 0;
  return retryOnConflict('memberships', async () => {
    const current = new Map((await memberships.findAll(open)).map((found) => [found.member, found]));
    const changes = open.flatMap((member) => {
      const draft = decide(member, current.get(member));
      return draft ? [changeOf(draft, current.get(member), at)] : [];
    });
    const standing = await memberships.write(changes);
    // Publish earlier waiting events first: the latest event must come last.
    membershipOutbox.publishManySoon(
      standing.map(({ next, waiting }) => ({ documentId: next.member, events: waiting })),
    );
    written += standing.length;
    const done = new Set(standing.map(({ next }) => next.member));
    open = changes.map(({ next }) => next.member).filter((member) => !done.has(member));
    return open.length ? conflict : written;
  });
}
