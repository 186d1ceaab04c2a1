import type { Publisher } from '@covalence/events/publisher';
import type { PresenceStore } from '../members/store/presence-store.ts';
import type { StoreOptions } from '../members/store/member-store.ts';
import type { RecordContext } from '../record/records.ts';
import { createActivityStore, type ActivityStore } from './activity-store.ts';
import { createCounterUpdates, type CounterUpdates } from './counter-updates.ts';
import { createDailyQuotaStore, type DailyQuotaStore } from './daily-quota-store.ts';
import { createPairStore, type PairStore } from './pair-store.ts';
import { readCounters } from './counters.ts';

/** What a member may do only so often on one day. */
export const dailyQuotas = ['likes', 'views', 'results', 'conversations'] as const;

/** What operations on two members work with. */
export interface Pairs {
  readonly store: PairStore;
  readonly activity: ActivityStore;
  readonly counterUpdates: CounterUpdates;
  readonly quotas: Readonly<Record<(typeof dailyQuotas)[number], DailyQuotaStore>>;
}

/** What operations on two members receive. */
export interface PairsContext extends RecordContext {
  readonly pairs: Pairs;
}

/** What createPairs needs. */
export interface PairsOptions extends StoreOptions {
  readonly presence: PresenceStore;
  readonly publisher: Publisher;
}

/** Creates the stores of pairs, activity and daily quotas. */
export function createPairs({ presence, ...options }: PairsOptions): Pairs {
  const { connection, publisher, logger, clock } = options;
  const activity = createActivityStore(connection);
  const store = createPairStore({ ...options, onRecount: (ids) => counterUpdates.schedule(ids) });
  const counterUpdates = createCounterUpdates({
    read: (member) => readCounters({ activity, store }, member),
    presence,
    publisher,
    logger,
    clock,
  });
  return {
    store,
    activity,
    counterUpdates,
    quotas: {
      likes: createDailyQuotaStore(connection, 'like_quotas'),
      views: createDailyQuotaStore(connection, 'view_quotas'),
      results: createDailyQuotaStore(connection, 'result_quotas'),
      conversations: createDailyQuotaStore(connection, 'conversation_quotas'),
    },
  };
}
