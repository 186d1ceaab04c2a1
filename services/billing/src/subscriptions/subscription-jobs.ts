import { hourMs, dayMs } from '@covalence/contract/time';
import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { Customer } from '../stores/customer-store.ts';
import type { Store } from '../stores/store.ts';
import { closeCheckout } from './close-checkout.ts';
import { syncSubscription, type SyncContext } from './sync-subscription.ts';

const batch = 100;
const atOnce = 10;
/** Apple keeps more, Google keeps this much. */
const longestHistoryMs = 30 * dayMs;
/** Overlap of rounds: stores list a notification some time after its date. */
const overlapMs = hourMs;

/** Synchronizes subscriptions, several at once, while the job may go on. Resolves with the number of failures, which are logged. */
const syncAll = (
  store: Store,
  references: Iterable<string>,
  context: SyncContext,
  mayGoOn: MayGoOn,
): Promise<number> =>
  eachPart(references, (reference) => syncSubscription(store, reference, context), {
    mayGoOn,
    atOnce,
    logger: context.logger,
    left: 'asking a store about a subscription failed: will retry',
    about: () => ({ store: store.name }),
  });

/** Queries a store about every subscription that is due, while the job may go on. Resolves with the number of failures. */
export async function syncDue(
  store: Store,
  context: SyncContext,
  mayGoOn: MayGoOn = always,
): Promise<number> {
  for (;;) {
    const due = await context.subscriptions.findDue(store.name, context.clock(), batch);
    const references = due.map(({ reference }) => reference);
    const failed = await syncAll(store, references, context, mayGoOn);
    if (due.length < batch || failed || !(await mayGoOn())) return failed;
  }
}

/**
 * Synchronizes the subscriptions of notifications that did not arrive since the last round without a failure. Resolves with the number of
 * failures: one app's must not stop the others.
 */
export async function syncMissed(
  store: Store,
  context: SyncContext,
  mayGoOn: MayGoOn = always,
): Promise<number> {
  const { rounds, logger, clock } = context;
  const until = clock();
  const earliest = until.getTime() - longestHistoryMs;
  const last = (await rounds.lastOf(store.name))?.getTime() ?? earliest;
  const since = new Date(Math.max(earliest, last - overlapMs));
  let failed = 0;
  for (const app of store.missed(since, until)) {
    const references = new Set<string>();
    try {
      for await (const reference of app) references.add(reference);
    } catch (error) {
      failed += 1;
      logger.warn({ err: error, store: store.name }, 'reading missed notifications failed: will retry');
    }
    failed += await syncAll(store, references, context, mayGoOn);
  }
  if (!failed && (await mayGoOn())) await rounds.set(store.name, until);
  return failed;
}

/**
 * Does at a store what is left to do for its customers: deletes those of erased members, and closes pages on which nobody is to pay
 * any more. Resolves with the number of failures.
 */
export async function settleCustomers(
  store: Store,
  context: SyncContext,
  mayGoOn: MayGoOn = always,
): Promise<number> {
  const { customers, logger, clock } = context;
  const options = { mayGoOn, logger, about: () => ({ store: store.name }) };
  const forget = async ({ id, checkout }: Pick<Customer, 'id' | 'checkout'>) => {
    await store.web?.forget(id, checkout?.id);
    await customers.remove(id);
  };
  const forgotten = await customers.findForgotten(store.name, batch, clock());
  const left = await eachPart(forgotten, forget, {
    ...options,
    left: 'deleting a customer at its store failed: will retry',
  });
  const closing = await customers.findClosing(store.name, batch, clock());
  const close = (member: number) => closeCheckout(store, member, context);
  return (
    left + (await eachPart(closing, close, { ...options, left: 'closing a payment page failed: will retry' }))
  );
}
