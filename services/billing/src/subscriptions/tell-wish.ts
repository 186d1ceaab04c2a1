import { minuteMs, hourMs, dayMs } from '@covalence/contract/time';
import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import type { Store, StoreState } from '../stores/store.ts';
import type { Question, Subscription, SubscriptionStore } from '../stores/subscription-store.ts';

/**
 * The result of telling a store what is wished about renewal, if anything. A refused or failed switch is retried. One that waits is
 * told as soon as it is known whether the debit that is on its way has come: it could arrive for a subscription that has ended.
 */
export type WishOutcome = 'done' | 'waits' | 'refused' | 'failed';

interface Telling {
  readonly subscriptions: SubscriptionStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Whether the member pays for a subscription of another store that renews, too. Testers do not pay, nor whose family shares. */
async function isRenewedElsewhere(
  { store, member, is_test: isTest = false }: Subscription,
  { subscriptions, clock }: Telling,
): Promise<boolean> {
  const others = (await subscriptions.findOf([member])).filter((one) => one.store !== store);
  return others
    .filter((one) => !one.is_shared && (isTest || !one.is_test))
    .some(({ phase, autorenew, expires_at }) => phase === 'running' && autorenew && expires_at > clock());
}

/**
 * Tells the store the renewal that is wished, and ends one beside which an app store's subscription renews, because only it can be
 * ended here. Resolves with the state then. A failure must not keep the store's answers away.
 */
export async function tellWish(
  { name, web }: Store,
  known: Subscription | undefined,
  telling: Telling,
): Promise<{ readonly wish: WishOutcome; readonly state?: StoreState | undefined }> {
  if (!web || !known) return { wish: 'done' };
  if (known.phase === 'pending') return { wish: known.renews === undefined ? 'done' : 'waits' };
  const isToRenew = known.renews ?? (known.phase !== 'ended' && known.autorenew);
  // Looked up at each try: what renewed elsewhere then may have been canceled since.
  const renews = isToRenew && (await isRenewedElsewhere(known, telling)) ? false : known.renews;
  if (renews === undefined) return { wish: 'done' };
  try {
    const state = await web.switchRenewal(known.reference, renews);
    return state === 'refused' ? { wish: 'refused' } : { wish: 'done', state };
  } catch (error) {
    telling.logger.warn({ err: error, store: name }, 'switching a renewal failed: will retry');
    return { wish: 'failed' };
  }
}

/**
 * Sets when the store is asked next: at `look`, or earlier to tell it again what it did not do. The pauses double, up to an hour, or
 * up to a day for what it refuses. After a day somebody is to do it in the store's dashboard.
 */
export async function settleQuestion(
  { store, reference }: Pick<Subscription, 'store' | 'reference'>,
  question: Question,
  wish: WishOutcome,
  look: Date | null,
  { subscriptions, clock, logger, metrics }: Telling,
): Promise<void> {
  const name = { store, reference };
  if (wish === 'done') return subscriptions.settle(name, question, look);
  if (wish === 'waits') return subscriptions.repeat(name, question, look ?? clock());
  const now = clock().getTime();
  const failing_since = question.known?.failing_since ?? clock();
  const alarm = failing_since.getTime() + dayMs;
  const pause = Math.min(
    Math.max(now - failing_since.getTime(), minuteMs),
    wish === 'refused' ? dayMs : hourMs,
  );
  const next = Math.min(now + pause, now < alarm ? alarm : Infinity, look?.getTime() ?? Infinity);
  await subscriptions.repeat(name, question, new Date(next), failing_since);
  if (now < alarm) return undefined;
  metrics.storeAnswers.inc({ store, outcome: 'unswitched' });
  logger.error(name, 'a store has not switched a renewal for a day: switch it in the dashboard of the store');
}
