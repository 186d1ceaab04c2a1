import { nextVersion } from '@covalence/events/new-event';
import type { Outbox } from '@covalence/events/outbox';
import { conflict, retryOnConflict } from '@covalence/runtime/retry-on-conflict';
import type { MembershipChange, MembershipStore } from './membership-store.ts';
import type { Subscription, SubscriptionStore } from '../stores/subscription-store.ts';
import { combined, refreshed, ownPart } from './combined.ts';
import { dueAt, membershipChanged, type Membership, type MembershipDraft } from './membership.ts';

/** Dependencies of changing memberships. */
export interface MembershipContext {
  readonly memberships: MembershipStore;
  readonly subscriptions: SubscriptionStore;
  readonly membershipOutbox: Outbox;
}

/** Decides on a member's new own membership (bought or granted here), given the current one; undefined for no change. */
export type Decide = (
  member: number,
  own: Membership | undefined,
  /** The whole membership, with subscriptions of stores. */
  shown: Membership | undefined,
) => MembershipDraft | undefined;

const changeOf = (draft: MembershipDraft, current: Membership | undefined, at: Date): MembershipChange => {
  const next = { ...draft, due_at: dueAt(draft), version: nextVersion(current?.version, at) };
  return { previous: current?.version, next, event: membershipChanged(next, at) };
};

/** The new membership of a member, given the current one and the subscriptions; undefined for no change. */
type Combine = (
  member: number,
  current: Membership | undefined,
  subscriptions: readonly Subscription[],
) => MembershipDraft | undefined;

const combining =
  (decide: Decide, at: Date): Combine =>
  (member, current, subscriptions) => {
    const own = decide(member, current && ownPart(current), current);
    return own && combined(own, subscriptions, at);
  };

/**
 * Changes memberships by compare-and-set. Subscriptions are read after the membership, so of two changes at once the later one has
 * seen both.
 */
async function writeMemberships(
  { memberships, subscriptions, membershipOutbox }: MembershipContext,
  members: readonly number[],
  combine: Combine,
  at: Date,
): Promise<number> {
  let open = members;
  let written = 0;
  return retryOnConflict('memberships', async () => {
    const current = new Map((await memberships.findAll(open)).map((found) => [found.member, found]));
    const subscribed = Map.groupBy(await subscriptions.findOf(open), ({ member }) => member);
    const changes = open.flatMap((member) => {
      const draft = combine(member, current.get(member), subscribed.get(member) ?? []);
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

/**
 * Changes what members bought or were granted here, and publishes membership.changed for each. `decide` runs again for a membership
 * that another writer changed meanwhile. Returns the number of changed memberships.
 */
export function changeMemberships(
  context: MembershipContext,
  members: readonly number[],
  decide: Decide,
  at: Date,
): Promise<number> {
  return writeMemberships(context, members, combining(decide, at), at);
}

/** The membership that a change would leave of `current`, as `changeMemberships` makes it. Writes nothing. */
export async function previewMembership(
  { subscriptions }: Pick<MembershipContext, 'subscriptions'>,
  member: number,
  current: Membership | undefined,
  decide: Decide,
  at: Date,
): Promise<Membership | undefined> {
  const draft = combining(decide, at)(member, current, await subscriptions.findOf([member]));
  return draft ? changeOf(draft, current, at).next : current;
}

/** Brings memberships in line with the time and with the subscriptions of their members. Returns the number of changed ones. */
export function refreshMemberships(
  context: MembershipContext,
  members: readonly number[],
  at: Date,
): Promise<number> {
  const combine: Combine = (_member, current, subscriptions) => refreshed(current, subscriptions, at);
  return writeMemberships(context, members, combine, at);
}
