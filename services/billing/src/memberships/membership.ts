import type { Event } from '@covalence/contract/events';
import { newEvent } from '@covalence/events/new-event';

/** Spec 2.3: `inactive` = a membership exists but has a problem. */
export type MembershipStatus = 'active' | 'none' | 'inactive';

/** What a member has paid for. */
export interface MembershipFacts {
  readonly package_id: number;
  readonly rate_id: number;
  readonly started_at: Date;
  readonly expires_at: Date;
  readonly autorenew: boolean;
}

/** The membership of one member; there is at most one, and none without a purchase or an import. */
export interface Membership extends MembershipFacts {
  /** Numeric member id. */
  readonly member: number;
  /** As of the last write; `statusAt` says what it is now. */
  readonly status: MembershipStatus;
  /** max(previous + 1, epoch ms), so that a restored backup still moves forward. */
  readonly version: number;
}

/**
 * The status that follows from the facts: active until it expires; then `inactive` where it should have been renewed and
 * was not, `none` where it was to end.
 */
export function statusOf({ expires_at, autorenew }: MembershipFacts, at: Date): MembershipStatus {
  if (at.getTime() < expires_at.getTime()) return 'active';
  return autorenew ? 'inactive' : 'none';
}

/** The status now, true also in the moments before the expiry job has seen that time has passed. */
export function statusAt(membership: Membership, at: Date): MembershipStatus {
  return membership.status === 'active' ? statusOf(membership, at) : membership.status;
}

/** False while a membership is active with autorenew, or inactive (spec 4.11, D40). */
export function canPurchase(membership: Membership | undefined, at: Date): boolean {
  if (!membership) return true;
  const status = statusAt(membership, at);
  return status === 'none' || (status === 'active' && !membership.autorenew);
}

/** The version after `previous`. */
export function nextVersion(previous: number | undefined, at: Date): number {
  return Math.max((previous ?? 0) + 1, at.getTime());
}

/** What the other services are told: a membership that has ended has neither renewal nor an end to come. */
export function membershipChanged(membership: Membership, at: Date): Event {
  const { member, version, status, autorenew, expires_at } = membership;
  const ended = status === 'none';
  return newEvent({
    type: 'membership.changed',
    member,
    version,
    at,
    data: { status, autorenew: !ended && autorenew, expires_at: ended ? null : expires_at.toISOString() },
  });
}

/** Whether both say the same, so that nothing needs to be written or told. */
export function sameMembership(a: Membership, facts: MembershipFacts, status: MembershipStatus): boolean {
  return (
    a.status === status &&
    a.package_id === facts.package_id &&
    a.rate_id === facts.rate_id &&
    a.autorenew === facts.autorenew &&
    a.started_at.getTime() === facts.started_at.getTime() &&
    a.expires_at.getTime() === facts.expires_at.getTime()
  );
}
