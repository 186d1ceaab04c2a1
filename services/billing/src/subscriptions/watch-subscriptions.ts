import { always, eachPart, startPeriodic, type MayGoOn, type Periodic } from '@covalence/events/periodic';
import type { Lease } from '@covalence/events/lease';
import { followSubscription, type Following } from './follow-subscription.ts';
import type { Store } from '../stores/store.ts';
import type { Stores } from './stores.ts';

const batch = 100;
/** Notifications that did not arrive are asked for this often, and for this long back: an hour's outage of the job loses none. */
const historyEveryMs = 3_600_000;
const historyMs = 2 * historyEveryMs;

/** Asks a store about every subscription that is due, while the job may go on. Resolves with the number of failures. */
export async function followDue(
  store: Store,
  following: Following,
  mayGoOn: MayGoOn = always,
): Promise<number> {
  const { subscriptions, logger, clock } = following;
  let failed = 0;
  for (;;) {
    const due = await subscriptions.findDue(store.name, clock(), batch);
    failed += await eachPart(due, ({ reference }) => followSubscription(store, reference, following), {
      mayGoOn,
      logger,
      left: 'asking a store about a subscription failed: will retry',
      about: () => ({ store: store.name }),
    });
    if (due.length < batch || failed || !(await mayGoOn())) return failed;
  }
}

/** Follows the subscriptions of notifications that did not arrive. Resolves with the number of failures. */
export async function followMissed(
  store: Store,
  following: Following,
  mayGoOn: MayGoOn = always,
): Promise<number> {
  const { logger, clock } = following;
  const until = clock();
  const references = new Set<string>();
  for await (const reference of store.missed(new Date(until.getTime() - historyMs), until))
    references.add(reference);
  return eachPart(references, (reference) => followSubscription(store, reference, following), {
    mayGoOn,
    logger,
    left: 'following a missed notification failed: will retry',
    about: () => ({ store: store.name }),
  });
}

/** Options of the jobs. */
interface WatchOptions extends Following {
  readonly stores: Stores;
  /** The lease of a job: one process at a time runs it. */
  readonly leaseOf: (name: string) => Lease;
  /** Interval of asking about due subscriptions, ms. */
  readonly pollMs: number;
}

/** Starts the jobs of every listed store. */
export function watchSubscriptions({ stores, leaseOf, pollMs, ...following }: WatchOptions): Periodic[] {
  const { logger, metrics } = following;
  const start = (name: string, everyMs: number, work: (mayGoOn: MayGoOn) => Promise<number>) =>
    startPeriodic({ name, everyMs, lease: leaseOf(name), logger, metrics, work });
  return stores.all.flatMap((store) => [
    start(`subscriptions:${store.name}`, pollMs, (mayGoOn) => followDue(store, following, mayGoOn)),
    start(`notifications:${store.name}`, historyEveryMs, (mayGoOn) =>
      followMissed(store, following, mayGoOn),
    ),
  ]);
}
