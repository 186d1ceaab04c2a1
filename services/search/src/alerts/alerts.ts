import type { Publisher } from '@covalence/events/publisher';
import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import type { SavedContext } from '../saved/saved.ts';
import type { AlertPercolator } from './alert-percolator.ts';
import type { MatchStore } from './match-store.ts';

/** The dependencies of alerts. */
export interface AlertsContext extends SavedContext {
  readonly alerts: {
    readonly percolator: AlertPercolator;
    readonly matches: MatchStore;
    readonly publisher: () => Publisher;
  };
  readonly logger: Logger;
  readonly metrics: Metrics;
}
