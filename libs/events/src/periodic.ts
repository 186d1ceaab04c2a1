import type { Logger } from '@covalence/runtime/logger';
import type { Lease } from './lease.ts';

/** Work that is done again and again in the background. */
export interface Periodic {
  /** Ends it and waits for the round under way. */
  close(): Promise<void>;
}

/** Whether work goes on with its next part. */
export type MayGoOn = () => Promise<boolean>;

/** Work that is done outside of a job goes on to its end. */
export const always: MayGoOn = () => Promise.resolve(true);

/** How often, by whom and what. */
export interface PeriodicOptions {
  readonly name: string;
  readonly everyMs: number;
  /** One process at a time does it. */
  readonly lease: Lease;
  /** Work of many parts asks between them whether it may go on: not once the process ends, or another one has the lease. */
  readonly work: (mayGoOn: MayGoOn) => Promise<void>;
  readonly logger: Logger;
}

/** Starts periodic work; a round that fails is logged and the next one comes as usual. */
export function startPeriodic({ name, everyMs, lease, work, logger }: PeriodicOptions): Periodic {
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  const mayGoOn = async () => !ended && (await lease.hold());
  const round = async (): Promise<void> => {
    try {
      if (await mayGoOn()) await work(mayGoOn);
    } catch (error) {
      logger.warn({ err: error, job: name }, 'periodic work will try again');
    }
    if (!ended) timer = setTimeout(begin, everyMs);
  };
  let current = Promise.resolve();
  const begin = () => {
    current = round();
  };
  begin();
  return {
    async close() {
      ended = true;
      clearTimeout(timer);
      await current;
      await lease.release();
    },
  };
}
