import { logError } from '@covalence/http/errors';
import type { Logger } from '@covalence/runtime/logger';

/** Work that goes on after its request was answered. */
export interface Background {
  run(work: Promise<void>): void;
  /** Resolves when nothing is under way any more. */
  drained(): Promise<void>;
}

/** Creates the background of one process; what fails there is logged. */
export function createBackground(logger: Logger): Background {
  const underWay = new Set<Promise<void>>();
  return {
    run(work) {
      const watched = work
        .catch((error: unknown) => logError(logger, error))
        .finally(() => underWay.delete(watched));
      underWay.add(watched);
    },
    async drained() {
      while (underWay.size) await Promise.all(underWay);
    },
  };
}
