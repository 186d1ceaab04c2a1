import type { Peer } from '@covalence/http/peer';
import type { HourlyLimitStore } from '../members/store/hourly-limit-store.ts';
import type { ModerationContext } from '../moderation/moderation.ts';
import type { ErasureStore } from './erasure-store.ts';

interface Privacy {
  readonly services: {
    readonly [Service in 'auth' | 'billing' | 'search' | 'updates']: Peer<Service>;
  };
  readonly erasures: ErasureStore;
  readonly exports: HourlyLimitStore;
}

/** Dependencies of exports and erasures. */
export interface PrivacyContext extends ModerationContext {
  readonly privacy: Privacy;
}
