import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';

/** Status that the metrics show for a client that left before its answer was complete. */
const clientLeft = 499;

/** Methods that have series of their own in the metrics: there are some thirty, and a client could ask each route with each. */
const measuredMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);

/** What is known of a request when its route is found. */
interface Measured {
  readonly method: string | undefined;
  /** The route's pattern, never the path, which the client chooses; undefined where there is none. */
  readonly route: string | undefined;
  readonly requestId: string;
  /** Called when it is over, with the status that the client got. */
  readonly over?: (status?: number) => void;
}

/**
 * Begins to measure a request, and returns what ends that: called with the status of its whole answer, or with nothing where
 * the client has left without one. The first call counts.
 */
export function measure(
  { metrics, logger }: { readonly metrics: Metrics; readonly logger: Logger },
  { method = '', route, requestId, over }: Measured,
): (status?: number) => void {
  const measured = measuredMethods.has(method) ? method : 'other';
  const end = metrics.requests.startTimer({ method: measured, route: route ?? 'none' });
  let isOver = false;
  return (got) => {
    if (isOver) return;
    isOver = true;
    over?.(got);
    const status = got ?? clientLeft;
    const seconds = end({ status: String(status) });
    logger.debug({ request_id: requestId, method, route, status, seconds }, 'request');
  };
}
