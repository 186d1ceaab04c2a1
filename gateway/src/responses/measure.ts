import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';

/** Status in metrics if the client disconnected before the response was complete. */
const clientLeft = 499;

/** Methods with their own series in metrics: clients must not create series at will. */
const measuredMethods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS']);

/** A request to measure. */
interface Measured {
  readonly method: string | undefined;
  /** The pattern of the route, never the path, which the client chooses. */
  readonly route: string | undefined;
  readonly requestId: string;
  /** Called at the end with the response status. */
  readonly over?: (status?: number) => void;
}

/** Starts to measure a request. Call the result with the status of the complete response, or without one if the client disconnected. */
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
