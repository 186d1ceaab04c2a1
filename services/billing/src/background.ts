import { hourMs } from '@covalence/contract/time';
import { startJobs, type Jobs, type MayGoOn } from '@covalence/events/periodic';
import type { Background } from '@covalence/runtime/lifecycle';
import type { Context } from './context.ts';
import { endDue } from './memberships/expire-memberships.ts';
import type { Store } from './stores/store.ts';
import { syncDue, syncMissed, settleCustomers } from './subscriptions/subscription-jobs.ts';

const leaseMs = 10_000;

/** The jobs of one store. */
const jobsOf = (store: Store, everyMs: number, context: Context): Jobs => ({
  [`subscriptions:${store.name}`]: {
    everyMs,
    leaseMs,
    work: (mayGoOn) => syncDue(store, context, mayGoOn),
  },
  [`notifications:${store.name}`]: {
    everyMs: hourMs,
    leaseMs,
    work: (mayGoOn) => syncMissed(store, context, mayGoOn),
  },
  ...(store.web && {
    [`customers:${store.name}`]: {
      everyMs,
      leaseMs,
      work: (mayGoOn: MayGoOn) => settleCustomers(store, context, mayGoOn),
    },
  }),
});

/** Starts the outbox relay, the expiry job and the jobs of the stores. */
export function startBackground(context: Context): Background {
  const { config, membershipOutbox, stores } = context;
  const everyMs = config.EXPIRY_POLL_MS;
  membershipOutbox.startRelay();
  return startJobs(context, {
    expiry: { everyMs, leaseMs, work: (mayGoOn) => endDue(context, mayGoOn) },
    ...Object.fromEntries(stores.all.flatMap((store) => Object.entries(jobsOf(store, everyMs, context)))),
  });
}
