import type { Event, EventOf } from '@covalence/contract/events';
import type { MembershipStatus } from '@covalence/contract/record';
import { newEvent } from '@covalence/events/new-event';
import type { Payment } from '../payments/payment-store.ts';
import type { Charge } from '../payments/provider.ts';

/** What a member has paid for. */
export interface MembershipFacts {
  readonly package_id: number;
  readonly rate_id: number;
  readonly started_at: Date;
  readonly expires_at: Date;
  readonly autorenew: boolean;
}

/** What a membership is renewed from. */
export interface RenewalSource {
  readonly provider: string;
  /** The provider's reference of the purchase. */
  readonly reference: string;
  readonly currency: string;
}

/** The membership of one member; there is at most one, and none without a purchase or an import. */
export interface Membership extends MembershipFacts {
  /** Numeric member id. */
  readonly member: number;
  /** As of the last write; `statusAt` says what it is now. */
  readonly status: MembershipStatus;
  /** Absent where there was no purchase: an import cannot be renewed. */
  readonly source?: RenewalSource | undefined;
  /** Keys of the payments, refunds and corrections that are in it already, the latest ones. */
  readonly payments?: readonly string[] | undefined;
  /** The last renewal that came to nothing since it was paid for. */
  readonly tried_at?: Date | null | undefined;
  /** When the job has to look at it; null once it has ended. Set with every write. */
  readonly due_at?: Date | null | undefined;
  /** max(previous + 1, epoch ms), so that a restored backup still moves forward. */
  readonly version: number;
}

/** A membership without its version, which the write gives it. */
export type MembershipDraft = Omit<Membership, 'version'>;

const dayMs = 86_400_000;
/** How long before its end a membership is renewed, so that there is no gap. */
const leadMs = 3_600_000;
/** How long a membership whose renewal failed stays `inactive` before it ends. */
const graceMs = 14 * dayMs;
/** Between two tries to renew. */
const retryMs = dayMs;

const later = (date: Date, ms: number) => new Date(date.getTime() + ms);

/**
 * The status that follows from the facts: active until it expires; then `inactive` for the days of grace where it should
 * have been renewed and was not, `none` where it was to end.
 */
export function statusOf(
  { expires_at, autorenew }: Pick<MembershipFacts, 'expires_at' | 'autorenew'>,
  at: Date,
): MembershipStatus {
  if (at < expires_at) return 'active';
  return autorenew && at < later(expires_at, graceMs) ? 'inactive' : 'none';
}

/** When the job has to look at a membership next: to renew it, to try again, or to end it. */
export function dueAt(membership: MembershipDraft): Date | null {
  const { status, expires_at, autorenew, source, tried_at } = membership;
  if (status === 'none') return null;
  if (status === 'active') return autorenew && source && !tried_at ? later(expires_at, -leadMs) : expires_at;
  const end = later(expires_at, graceMs);
  if (!source) return end;
  const next = tried_at ? later(tried_at, retryMs) : expires_at;
  return next < end ? next : end;
}

/** What the keys of all tries to renew a membership at its present end begin with. */
export function renewalsOf({ member, expires_at }: Pick<Membership, 'member' | 'expires_at'>): string {
  return `${member}:renewal:${expires_at.getTime()}:`;
}

/** Whether a renewal is still wanted: renewal is on, and end and rate are those that it was begun for. */
export function isToRenew(membership: Membership, { key, rate_id }: Payment, at: Date): boolean {
  const isOn = membership.autorenew && statusAt(membership, at) !== 'none';
  return isOn && rate_id === membership.rate_id && key.startsWith(renewalsOf(membership));
}

/** Which try it is to renew a membership, from 0, where each day has had its own; undefined where none is due. */
export function renewalTry(membership: Membership, at: Date): number | undefined {
  const { status, expires_at, autorenew, source, tried_at } = membership;
  const begins = later(expires_at, -leadMs);
  const ended = status === 'none' || at >= later(expires_at, graceMs);
  if (ended || !autorenew || !source || at < begins) return undefined;
  if (tried_at && at < later(tried_at, retryMs)) return undefined;
  return Math.floor((at.getTime() - begins.getTime()) / retryMs);
}

/** Payments are repeated within hours, so the latest are enough. */
const withPayment = (current: Membership | undefined, key: string) => [
  ...(current?.payments ?? []).slice(-49),
  key,
];

/** By what a payment that is given back stands among those that are in a membership. */
const refundOf = ({ key }: Pick<Payment, 'key'>): string => `${key}:refund`;

/** Where the days of a payment begin: at the end of what is paid for, else now. Nobody pays for days without a membership. */
const beginOf = (current: Membership | undefined, at: Date): Date =>
  current && current.status !== 'none' && at < current.expires_at ? current.expires_at : at;

/** What a membership becomes through a payment; nothing where the payment is in it already. */
export function extended(
  current: Membership | undefined,
  payment: Payment,
  charge: Charge,
  at: Date,
): MembershipDraft | undefined {
  const { key, member, kind, package_id, rate_id, days, provider, currency } = payment;
  if (current?.payments?.includes(key)) return undefined;
  const runs = current && statusAt(current, at) === 'active';
  const renewed = kind === 'renewal' && current;
  const expires_at = later(beginOf(current, at), days * dayMs);
  const autorenew = renewed ? current.autorenew : (payment.renews ?? true);
  return {
    member,
    // Staff may have set another rate while the renewal was undecided.
    package_id: renewed ? current.package_id : package_id,
    rate_id: renewed ? current.rate_id : rate_id,
    started_at: runs || renewed ? current.started_at : at,
    expires_at,
    autorenew,
    status: statusOf({ expires_at, autorenew }, at),
    source: renewed ? current.source : { provider, reference: charge.reference, currency },
    payments: withPayment(current, key),
    tried_at: null,
  };
}

/** Days of the payments that were made after one, and whose days so stand behind its own; `payments` are the member's. */
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

/**
 * What a membership becomes when a payment is given back: those of its days that are still to come are gone, nobody else's
 *, and it is not renewed. `payments` are the member's.
 */
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

/** What a membership becomes through a correction of staff, in the ledger under `key`; nothing where it is in it already. */
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

/** What a membership becomes when renewal is switched on or off; without it an unpaid one ends, and an ended one stays so. */
export function withAutorenew(
  current: Membership,
  autorenew: boolean,
  at: Date,
): MembershipDraft | undefined {
  if (statusAt(current, at) === 'none' || current.autorenew === autorenew) return undefined;
  return { ...current, autorenew, status: statusOf({ ...current, autorenew }, at) };
}

/** The status now, true also in the moments before the expiry job has seen that time has passed. */
export function statusAt(membership: Membership, at: Date): MembershipStatus {
  return membership.status === 'active' ? statusOf(membership, at) : membership.status;
}

/** False while a membership is active with autorenew, or inactive. */
export function canPurchase(membership: Membership | undefined, at: Date): boolean {
  if (!membership) return true;
  const status = statusAt(membership, at);
  return status === 'none' || (status === 'active' && !membership.autorenew);
}

/** What the other services are told: a membership that has ended has neither renewal nor an end to come. */
function toldOf({ status, autorenew, expires_at }: Membership): EventOf<'membership.changed'>['data'] {
  const ended = status === 'none';
  return { status, autorenew: !ended && autorenew, expires_at: ended ? null : expires_at.toISOString() };
}

/** The same with the version that orders what is told, as other services take it. */
export function toldVersionOf(
  membership: Membership,
): EventOf<'membership.changed'>['data'] & { version: number } {
  return { ...toldOf(membership), version: membership.version };
}

/** The event that a membership changed. */
export function membershipChanged(membership: Membership, at: Date): Event {
  const { member, version } = membership;
  return newEvent({ type: 'membership.changed', member, version, at, data: toldOf(membership) });
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
