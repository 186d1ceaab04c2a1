import type { StoreOptions } from '../members/store/outbox-of.ts';
import type { RecordContext } from '../record/records.ts';
import { createActivityStore } from './activity-store.ts';
import { createCounterUpdates, type CounterUpdatesOptions } from './counter-updates.ts';
import { createDailyQuotaStore } from './daily-quota-store.ts';
import { createPairStore } from './pair-store.ts';

/** Stores of pairs, activity and daily quotas. */
export type Pairs = ReturnType<typeof createPairs>;

/** Dependencies of the operations on two members. */
export interface PairsContext extends RecordContext {
  readonly pairs: Pairs;
}

/** Creates the stores of pairs, activity and daily quotas. */
export function createPairs(options: CounterUpdatesOptions & StoreOptions) {
  const { connection } = options;
  const counterUpdates = createCounterUpdates(options);
  return {
    store: createPairStore(options, (ids) => counterUpdates.schedule(ids)),
    activity: createActivityStore(connection),
    counterUpdates,
    quotas: {
      likes: createDailyQuotaStore(connection, 'like_quotas'),
      views: createDailyQuotaStore(connection, 'view_quotas'),
      results: createDailyQuotaStore(connection, 'result_quotas'),
      conversations: createDailyQuotaStore(connection, 'conversation_quotas'),
    },
  };
}
