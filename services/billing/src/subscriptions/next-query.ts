import { minuteMs, dayMs } from '@covalence/contract/time';
import type { SubscriptionFacts } from '../stores/subscription-store.ts';

/** Time after its end in which a subscription can be revived, or its refund reversed. */
const watchedMs = 60 * dayMs;

/** A store renews some time before the end. */
const leadMs = 10 * minuteMs;

/** After a notification, because a store may at first answer what was before. */
const againMs = [minuteMs, 10 * minuteMs];

type QueriedFacts = Pick<SubscriptionFacts, 'phase' | 'expires_at' | 'autorenew'>;

/**
 * When a store is queried again about a subscription, whatever notifications say: shortly before its end and at it, at least daily, and
 * for 60 days after the end. Null after that, unless the store goes on renewing what was refunded.
 */
export function nextQueryAt(facts: QueriedFacts, at: Date, notified_at: Date | undefined): Date | null {
  const regular = regularQueryAt(facts, at);
  const again = againMs
    .map((ms) => (notified_at?.getTime() ?? -Infinity) + ms)
    .find((time) => time > at.getTime());
  return again !== undefined && (!regular || again < regular.getTime()) ? new Date(again) : regular;
}

function regularQueryAt({ phase, expires_at, autorenew }: QueriedFacts, at: Date): Date | null {
  const end = expires_at.getTime();
  const now = at.getTime();
  if (phase === 'ended') return autorenew || now < end + watchedMs ? new Date(now + dayMs) : null;
  // Its end has come, and the store has not charged or ended it yet.
  if ((phase === 'running' || phase === 'postponed') && end <= now) return new Date(now + 5 * minuteMs);
  const next = [end - leadMs, end].find((time) => time > now) ?? now + dayMs;
  return new Date(Math.min(next, now + dayMs));
}
