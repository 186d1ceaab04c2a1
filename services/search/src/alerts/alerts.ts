import type { Publisher } from '@covalence/events/publisher';
import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import type { SavedContext } from '../saved/saved.ts';
import type { AlertBook } from './alert-book.ts';
import type { MatchStore } from './match-store.ts';

/** The dependencies of alerts. */
export interface AlertsContext extends SavedContext {
  readonly alerts: {
    readonly book: AlertBook;
    readonly matches: MatchStore;
    readonly publisher: () => Publisher;
  };
  readonly logger: Logger;
  readonly metrics: Metrics;
}
