import type { Event, EventOf } from '@covalence/contract/events';
import type { MembershipStatus } from '@covalence/contract/record';
import { hourMs, dayMs } from '@covalence/contract/time';
import { newEvent } from '@covalence/events/new-event';
import type { Payment } from '../payments/payment-store.ts';
import type { Charge } from '../payments/provider.ts';

/** The paid membership. */
export interface MembershipFacts {
  readonly package_id: number;
  readonly rate_id: number;
  readonly started_at: Date;
  readonly expires_at: Date;
  readonly autorenew: boolean;
}

/** The purchase that renewals continue. */
export interface RenewalSource {
  readonly provider: string;
  /** The provider's reference of the purchase. */
  readonly reference: string;
  readonly currency: string;
  /** The country whose price renewals charge (ISO 3166-1), where that is not the general one. */
  readonly country?: string | undefined;
}

/** The membership bought or granted here. */
export interface OwnFacts extends MembershipFacts {
  /** Absent without a purchase: an import cannot be renewed. */
  readonly source?: RenewalSource | undefined;
}

/** The membership of a member, at most one; created by a purchase, an import, a correction or a store's subscription. */
export interface Membership extends OwnFacts {
  /** Numeric member id. */
  readonly member: number;
  /** As of the last write; see `statusAt`. */
  readonly status: MembershipStatus;
  /** While a store's subscription is shown: what was bought or granted here, null for nothing. Else absent. */
  readonly own?: OwnFacts | null | undefined;
  /** Keys of the latest payments, refunds and corrections that were applied. */
  readonly payments?: readonly string[] | undefined;
  /** Time of the last failed renewal since the last payment. */
  readonly tried_at?: Date | null | undefined;
  /** When the job must process it; null after its end. Set with every write. */
  readonly due_at?: Date | null | undefined;
  /** max(previous + 1, epoch ms), so that it increases even after a backup was restored. */
  readonly version: number;
}

/** A membership without the fields that the write sets. */
export type MembershipDraft = Omit<Membership, 'version'>;

/** A membership is renewed this long before its end, to avoid a gap. */
const leadMs = hourMs;
/** Grace period: how long a membership stays `inactive` after a failed renewal. */
const graceMs = 14 * dayMs;
/** Interval of renewal attempts. */
const retryMs = dayMs;

const later = (date: Date, ms: number) => new Date(date.getTime() + ms);

/** The status by the facts: `active` until it expires; then `inactive` for the grace period if renewal is on, else `none`. */
export function statusOf(
  { expires_at, autorenew }: Pick<MembershipFacts, 'expires_at' | 'autorenew'>,
  at: Date,
): MembershipStatus {
  if (at < expires_at) return 'active';
  return autorenew && at < later(expires_at, graceMs) ? 'inactive' : 'none';
}

/** When the job must process a membership next: to renew it, retry or end it. */
export function dueAt(membership: MembershipDraft): Date | null {
  const { status, expires_at, autorenew, source, tried_at, own } = membership;
  if (status === 'none') return null;
  // The store renews it, and is asked what comes after the end.
  if (isOfStore({ own })) return status === 'active' ? expires_at : null;
  if (status === 'active') return autorenew && source && !tried_at ? later(expires_at, -leadMs) : expires_at;
  const end = later(expires_at, graceMs);
  if (!source) return end;
  const next = tried_at ? later(tried_at, retryMs) : expires_at;
  return next < end ? next : end;
}

/** Key prefix of all attempts to renew a membership at its current end. */
export function renewalsOf({ member, expires_at }: Pick<Membership, 'member' | 'expires_at'>): string {
  return `${member}:renewal:${expires_at.getTime()}:`;
}

/** Whether a renewal payment is still valid: renewal is on, and end and rate are unchanged. */
export function isToRenew(membership: Membership, { key, rate_id }: Payment, at: Date): boolean {
  const isOn = membership.autorenew && statusAt(membership, at) !== 'none';
  return isOn && rate_id === membership.rate_id && key.startsWith(renewalsOf(membership));
}

/** The number of the renewal attempt that is due, one per day from 0; undefined if none is due. */
export function renewalTry(membership: Membership, at: Date): number | undefined {
  const { status, expires_at, autorenew, source, tried_at, own } = membership;
  if (isOfStore({ own })) return undefined;
  const begins = later(expires_at, -leadMs);
  const ended = status === 'none' || at >= later(expires_at, graceMs);
  if (ended || !autorenew || !source || at < begins) return undefined;
  if (tried_at && at < later(tried_at, retryMs)) return undefined;
  return Math.floor((at.getTime() - begins.getTime()) / retryMs);
}

/** Keeps the latest 50 keys: payments are repeated within hours only. */
const withPayment = (current: Membership | undefined, key: string) => [
  ...(current?.payments ?? []).slice(-49),
  key,
];

/** The key of a refund among those that were applied. */
const refundOf = ({ key }: Pick<Payment, 'key'>): string => `${key}:refund`;

/** Start of the days of a payment: the end of the current membership, else now. */
const beginOf = (current: Membership | undefined, at: Date): Date =>
  current && current.status !== 'none' && at < current.expires_at ? current.expires_at : at;

/** Applies a payment, whose days follow those of the membership that is `shown`; undefined if it was applied before. */
export function extended(
  current: Membership | undefined,
  payment: Payment,
  charge: Charge,
  at: Date,
  shown = current,
): MembershipDraft | undefined {
  const { key, member, kind, package_id, rate_id, days, provider, currency, country } = payment;
  if (current?.payments?.includes(key)) return undefined;
  const runs = current && statusAt(current, at) === 'active';
  const renewed = kind === 'renewal' && current;
  const expires_at = later(beginOf(shown, at), days * dayMs);
  const autorenew = renewed ? current.autorenew : (payment.renews ?? true);
  return {
    member,
    // Staff may have changed the rate while the renewal was pending.
    package_id: renewed ? current.package_id : package_id,
    rate_id: renewed ? current.rate_id : rate_id,
    started_at: runs || renewed ? current.started_at : at,
    expires_at,
    autorenew,
    status: statusOf({ expires_at, autorenew }, at),
    source: renewed
      ? current.source
      : { provider, reference: charge.reference, currency, ...(country !== undefined && { country }) },
    payments: withPayment(current, key),
    tried_at: null,
  };
}

/** Days of the member's later payments, which follow those of the payment `key`. */
function daysBehind(
  key: string,
  { payments: keys = [] }: Membership,
  payments: readonly Pick<Payment, 'key' | 'days'>[],
): number {
  const behind = new Set(keys.slice(keys.indexOf(key) + 1));
  return payments
    .filter((payment) => behind.has(payment.key) && !behind.has(refundOf(payment)))
    .reduce((sum, { days }) => sum + days, 0);
}

/** Applies a refund: removes the remaining days of the payment, but not those of the member's other `payments`, and stops renewal. */
export function refunded(
  current: Membership | undefined,
  payment: Pick<Payment, 'key' | 'days'>,
  payments: readonly Pick<Payment, 'key' | 'days'>[],
  at: Date,
): MembershipDraft | undefined {
  const mark = refundOf(payment);
  if (!current || current.payments?.includes(mark)) return undefined;
  const ends = later(current.expires_at, -daysBehind(payment.key, current, payments) * dayMs);
  const toCome = Math.min(payment.days * dayMs, Math.max(0, ends.getTime() - at.getTime()));
  const expires_at = later(current.expires_at, -toCome);
  const status = current.status === 'none' ? 'none' : statusOf({ expires_at, autorenew: false }, at);
  return { ...current, expires_at, autorenew: false, status, payments: withPayment(current, mark) };
}

/** Applies a correction by staff with the ledger entry `key`; undefined if it was applied before. */
export function corrected(
  current: Membership | undefined,
  { member, ...facts }: Pick<Membership, 'member' | 'package_id' | 'rate_id' | 'expires_at' | 'autorenew'>,
  key: string,
  at: Date,
): MembershipDraft | undefined {
  if (current?.payments?.includes(key)) return undefined;
  return {
    ...current,
    member,
    ...facts,
    started_at: current?.started_at ?? at,
    status: statusOf(facts, at),
    payments: withPayment(current, key),
    tried_at: null,
  };
}

/** Switches renewal. Switched off, an inactive membership ends; an ended one does not change. */
export function withAutorenew(
  current: Membership,
  autorenew: boolean,
  at: Date,
): MembershipDraft | undefined {
  if (statusAt(current, at) === 'none' || current.autorenew === autorenew) return undefined;
  return { ...current, autorenew, status: statusOf({ ...current, autorenew }, at) };
}

/** The status now, also before the expiry job has updated it. */
export function statusAt(membership: Membership, at: Date): MembershipStatus {
  return membership.status === 'active' ? statusOf(membership, at) : membership.status;
}

/** False while a membership is active with autorenew, or inactive. */
export function canPurchase(membership: Membership | undefined, at: Date): boolean {
  if (!membership) return true;
  const status = statusAt(membership, at);
  return status === 'none' || (status === 'active' && !membership.autorenew);
}

/** Whether a membership runs now. */
export const isActive = (membership: Membership, at: Date): boolean => statusAt(membership, at) === 'active';

/** Whether a store's subscription is what the membership shows. */
const isOfStore = ({ own }: Pick<Membership, 'own'>): boolean => own !== undefined;

/** Whether a store manages the membership now: only there it can be ended or changed. */
export const isManagedByStore = (membership: Pick<Membership, 'own' | 'status'>): boolean =>
  isOfStore(membership) && membership.status !== 'none';

/** The data of membership.changed: an ended membership has no renewal and no end. */
function eventDataOf({ status, autorenew, expires_at }: Membership): EventOf<'membership.changed'>['data'] {
  const ended = status === 'none';
  return { status, autorenew: !ended && autorenew, expires_at: ended ? null : expires_at.toISOString() };
}

/** The current membership for other services, with the version that orders changes. */
export function currentMembershipOf(
  membership: Membership,
): EventOf<'membership.changed'>['data'] & { version: number } {
  return { ...eventDataOf(membership), version: membership.version };
}

/** Creates membership.changed. */
export function membershipChanged(membership: Membership, at: Date): Event {
  const { member, version } = membership;
  return newEvent({ type: 'membership.changed', member, version, at, data: eventDataOf(membership) });
}

/** Whether facts and status are unchanged, so that nothing needs to be written. */
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
