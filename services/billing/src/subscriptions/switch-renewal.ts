import { minuteMs, hourMs, dayMs } from '@covalence/contract/time';
import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import type { Store, StoreState } from '../stores/store.ts';
import type { StoreQuery, Subscription, SubscriptionStore } from '../stores/subscription-store.ts';

/**
 * The result of switching renewal at a store, if that was requested. A refused or failed switch is retried. One that waits is made as
 * soon as it is known whether the debit that is on its way has come: it could arrive for a subscription that has ended.
 */
export type SwitchOutcome = 'done' | 'waits' | 'refused' | 'failed';

/** Dependencies of switching renewal. */
interface SwitchContext {
  readonly subscriptions: SubscriptionStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Whether the member pays for a subscription of another store that renews, too. Testers do not pay, nor whose family shares. */
async function isRenewedElsewhere(
  { store, member, is_test: isTest = false }: Subscription,
  { subscriptions, clock }: SwitchContext,
): Promise<boolean> {
  const others = (await subscriptions.findOf([member])).filter((one) => one.store !== store);
  return others
    .filter((one) => !one.is_shared && (isTest || !one.is_test))
    .some(({ phase, autorenew, expires_at }) => phase === 'running' && autorenew && expires_at > clock());
}

/**
 * Switches renewal at the store as the member requested, and off beside an app store's subscription that renews, because only this one
 * can be ended here. Resolves with the state then. A failure must not prevent the query that follows.
 */
export async function switchRequestedRenewal(
  { name, web }: Store,
  known: Subscription | undefined,
  context: SwitchContext,
): Promise<{ readonly switched: SwitchOutcome; readonly state?: StoreState | undefined }> {
  if (!web || !known) return { switched: 'done' };
  if (known.phase === 'pending') return { switched: known.renews === undefined ? 'done' : 'waits' };
  const isToRenew = known.renews ?? (known.phase !== 'ended' && known.autorenew);
  // Looked up at each try: what renewed elsewhere then may have been canceled since.
  const renews = isToRenew && (await isRenewedElsewhere(known, context)) ? false : known.renews;
  if (renews === undefined) return { switched: 'done' };
  try {
    const state = await web.switchRenewal(known.reference, renews);
    return state === 'refused' ? { switched: 'refused' } : { switched: 'done', state };
  } catch (error) {
    context.logger.warn({ err: error, store: name }, 'switching a renewal failed: will retry');
    return { switched: 'failed' };
  }
}

/**
 * Sets when the store is queried next: at `regular`, or earlier to retry the switch of renewal. The pauses double, up to an hour, or up
 * to a day if the store refuses. After a day somebody has to switch it in the store's dashboard.
 */
export async function scheduleNextQuery(
  { store, reference }: Pick<Subscription, 'store' | 'reference'>,
  query: StoreQuery,
  switched: SwitchOutcome,
  regular: Date | null,
  { subscriptions, clock, logger, metrics }: SwitchContext,
): Promise<void> {
  const name = { store, reference };
  if (switched === 'done') return subscriptions.settle(name, query, regular);
  if (switched === 'waits') return subscriptions.repeat(name, query, regular ?? clock());
  const now = clock().getTime();
  const failing_since = query.known?.failing_since ?? clock();
  const alarm = failing_since.getTime() + dayMs;
  const pause = Math.min(
    Math.max(now - failing_since.getTime(), minuteMs),
    switched === 'refused' ? dayMs : hourMs,
  );
  const next = Math.min(now + pause, now < alarm ? alarm : Infinity, regular?.getTime() ?? Infinity);
  await subscriptions.repeat(name, query, new Date(next), failing_since);
  if (now < alarm) return undefined;
  metrics.storeAnswers.inc({ store, outcome: 'unswitched' });
  logger.error(name, 'a store has not switched a renewal for a day: switch it in the dashboard of the store');
}
