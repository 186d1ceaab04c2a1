import { logError } from '@covalence/http/errors';
import type { Logger } from '@covalence/runtime/logger';

/** Work that continues after the response. */
export interface Background {
  run(work: Promise<void>): void;
  /** Resolves when all work is done. */
  drained(): Promise<void>;
}

/** Creates the background work of one process; failures are logged. */
export function createBackground(logger: Logger): Background {
  const running = new Set<Promise<void>>();
  return {
    run(work) {
      const watched = work
        .catch((error: unknown) => logError(logger, error))
        .finally(() => running.delete(watched));
      running.add(watched);
    },
    async drained() {
      while (running.size) await Promise.all(running);
    },
  };
}
