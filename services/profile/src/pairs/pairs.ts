import type { PresenceStore } from '../members/store/presence-store.ts';
import type { StoreOptions } from '../members/store/member-store.ts';
import type { RecordContext } from '../record/records.ts';
import { createActivityStore } from './activity-store.ts';
import { createCounterUpdates, readCounters } from './counters.ts';
import { createDailyQuotaStore } from './daily-quota-store.ts';
import { createPairStore, type PairStore } from './pair-store.ts';

/** What operations on two members work with. */
export type Pairs = ReturnType<typeof createPairs>;

/** What operations on two members receive. */
export interface PairsContext extends RecordContext {
  readonly pairs: Pairs;
}

/** Creates the stores of pairs, activity and daily quotas. */
export function createPairs(options: StoreOptions, presence: PresenceStore) {
  const { connection } = options;
  const activity = createActivityStore(connection);
  const store: PairStore = createPairStore(options, (ids) => counterUpdates.schedule(ids));
  const read = (member: number) => readCounters({ activity, store }, member);
  const counterUpdates = createCounterUpdates({ ...options, read, presence });
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
