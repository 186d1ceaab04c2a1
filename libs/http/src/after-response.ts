import type { Logger } from '@covalence/runtime/logger';
import { logError } from './errors.ts';

/** Runs work that continues after the response. */
export type AfterResponse = Pick<ReturnType<typeof createAfterResponse>, 'run'>;

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
