import { logError } from '@covalence/http/errors';
import type { Logger } from '@covalence/runtime/logger';

/** Creates the work of one process that continues after the response; failures are logged. */
export function createAfterResponse(logger: Logger) {
  const running = new Set<Promise<void>>();
  return {
    run(work: Promise<void>): void {
      const watched = work
        .catch((error: unknown) => logError(logger, error))
        .finally(() => running.delete(watched));
      running.add(watched);
    },
    /** Resolves when all work is done. */
    async drained() {
      while (running.size) await Promise.all(running);
    },
  };
}
