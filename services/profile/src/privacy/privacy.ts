import type { Peer } from '@covalence/http/peer';
import type { HourlyLimitStore } from '../members/store/hourly-limit-store.ts';
import type { ModerationContext } from '../moderation/moderation.ts';
import type { ErasureStore } from './erasure-store.ts';

/** What exports and erasures work with. */
export interface Privacy {
  /** The other services that store data of members. */
  readonly services: {
    readonly [Service in 'auth' | 'billing' | 'search' | 'updates']: Peer<Service>;
  };
  readonly erasures: ErasureStore;
  /** Exports of one member in an hour. */
  readonly exports: HourlyLimitStore;
}

/** What exports and erasures receive. */
export interface PrivacyContext extends ModerationContext {
  readonly privacy: Privacy;
}

/**
 * Seconds since the sign-in within which a member may export their data or delete the profile, so that a stolen token alone is
 * not enough.
 */
export const recentSignInSeconds = 600;
