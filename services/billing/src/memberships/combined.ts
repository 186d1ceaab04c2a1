import type { MembershipStatus } from '@covalence/contract/record';
import { dayMs } from '@covalence/contract/time';
import type { Subscription } from '../stores/subscription-store.ts';
import { dueAt, statusOf, type Membership, type MembershipDraft, type OwnFacts } from './membership.ts';

/** Longest time after an end in which a store may still renew, ms. */
const retriedMs = 60 * dayMs;

/** The status that a subscription gives. After its end it is `inactive` until the store says whether it was renewed. */
export function subscriptionStatus(
  { phase, expires_at, autorenew }: Pick<Subscription, 'phase' | 'expires_at' | 'autorenew'>,
  at: Date,
): MembershipStatus {
  if (phase === 'running' && at < expires_at) return 'active';
  const isRetried = phase === 'waiting' || (phase !== 'pending' && phase !== 'ended' && autorenew);
  return isRetried && at.getTime() < expires_at.getTime() + retriedMs ? 'inactive' : 'none';
}

/** The membership that was bought or granted here; undefined if none was. */
export function ownPart(membership: Membership): Membership | undefined {
  const { own, source: _source, ...rest } = membership;
  if (own === undefined) return membership;
  // Without renewal `statusOf` needs no time: what has ended is ended.
  return own ? { ...rest, ...own } : undefined;
}

const factsOf = ({
  package_id,
  rate_id,
  started_at,
  expires_at,
  autorenew,
  source,
}: MembershipDraft): OwnFacts => ({
  package_id,
  rate_id,
  started_at,
  expires_at,
  autorenew,
  ...(source && { source }),
});

const shown = (
  { store, reference, currency, member, ...rest }: Subscription,
  own: MembershipDraft | undefined,
  at: Date,
): MembershipDraft => ({
  ...own,
  member,
  package_id: rest.package_id,
  rate_id: rest.rate_id,
  started_at: rest.started_at,
  expires_at: rest.expires_at,
  autorenew: rest.autorenew && rest.phase !== 'ended',
  status: subscriptionStatus(rest, at),
  source: { provider: store, reference, currency },
  own: own ? factsOf(own) : null,
});

const ranks: Record<MembershipStatus, number> = { active: 2, inactive: 1, none: 0 };

const better = (a: MembershipDraft, b: MembershipDraft): MembershipDraft =>
  ranks[b.status] > ranks[a.status] ||
  (ranks[b.status] === ranks[a.status] && b.expires_at.getTime() > a.expires_at.getTime())
    ? b
    : a;

const bestOf = (
  subscriptions: readonly Subscription[],
  own: MembershipDraft | undefined,
  at: Date,
): MembershipDraft | undefined => {
  const [first, ...rest] = subscriptions.map((one) => shown(one, own, at));
  return first && continued(rest.reduce(better, first), subscriptions, at);
};

/**
 * A running membership, renewed by the subscription that runs beside it, or that begins after it. The latter gives no time of its own:
 * it is paid for when the other ends, and the other can be taken back.
 */
function continued(
  membership: MembershipDraft,
  subscriptions: readonly Subscription[],
  at: Date,
): MembershipDraft {
  const renewing = subscriptions.filter(
    (one) => one.autorenew && (one.phase === 'postponed' || subscriptionStatus(one, at) === 'active'),
  );
  // Beside an app's subscription, renewal on the web is switched off.
  const next = renewing.find(({ store }) => store !== 'stripe') ?? renewing[0];
  if (!next || membership.status !== 'active' || membership.autorenew) return membership;
  const { store: provider, reference, currency } = next;
  const own = membership.own === undefined ? factsOf(membership) : membership.own;
  return { ...membership, autorenew: true, source: { provider, reference, currency }, own };
}

/**
 * The membership of a member with one of their own: the best of that and the subscriptions, by status, then
 * by end. A subscription that renews is shown with the end of the time granted beyond it. The membership
 * bought here is not renewed at the same time, so that no member pays twice.
 */
export function combined(
  own: MembershipDraft,
  subscriptions: readonly Subscription[],
  at: Date,
): MembershipDraft {
  const isRenewed = subscriptions.some((one) => one.autorenew && subscriptionStatus(one, at) !== 'none');
  const unrenewed = { ...own, autorenew: false };
  const now = isRenewed ? { ...unrenewed, status: statusOf(unrenewed, at) } : own;
  const best = bestOf(subscriptions, now, at);
  if (!best) return now;
  const isGranted = best.status === 'active' && best.autorenew && now.status === 'active';
  return isGranted && now.expires_at >= best.expires_at
    ? { ...best, expires_at: now.expires_at }
    : continued(better(now, best), subscriptions, at);
}

/** A membership whose subscription is its member's no longer. */
const ended = ({ own: _own, source: _source, version: _version, ...rest }: Membership, at: Date) => ({
  ...rest,
  expires_at: rest.expires_at < at ? rest.expires_at : at,
  autorenew: false,
  status: 'none' as const,
});

/** The facts that a membership shows, to compare it. */
const textOf = (one: MembershipDraft): string =>
  JSON.stringify([
    one.package_id,
    one.rate_id,
    one.started_at,
    one.expires_at,
    one.autorenew,
    one.status,
    one.source?.provider,
    one.source?.reference,
    one.own && [one.own.expires_at, one.own.autorenew],
    dueAt(one),
  ]);

/** The membership as time and subscriptions have it now; undefined if it is so already. */
export function refreshed(
  current: Membership | undefined,
  subscriptions: readonly Subscription[],
  at: Date,
): MembershipDraft | undefined {
  const own = current && ownPart(current);
  const next = own
    ? combined({ ...own, status: statusOf(own, at) }, subscriptions, at)
    : (bestOf(subscriptions, undefined, at) ?? (current && ended(current, at)));
  return next && (!current || textOf(current) !== textOf(next)) ? next : undefined;
}
