import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
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
  /**
   * Work of many parts asks between them whether it may go on: not once the process ends, or another one has the lease. It
   * resolves with how many of them failed.
   */
  readonly work: (mayGoOn: MayGoOn) => Promise<number | void>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** What the parts of a job are worked on with. */
interface PartsOptions<Part> {
  readonly mayGoOn: MayGoOn;
  readonly logger: Logger;
  /** What the log says of a part that failed. */
  readonly left: string;
  /** Which one it is, in the log. */
  readonly about?: (part: Part) => object;
  /** Whether what failed would meet every other part too: it is thrown. */
  readonly ends?: (error: unknown) => boolean;
}

/**
 * Works on the parts of a job one after the other, while it may go on. One that fails is logged and keeps none of the others
 * back. Resolves with how many failed.
 */
export async function eachPart<Part>(
  parts: Iterable<Part>,
  work: (part: Part) => Promise<unknown>,
  { mayGoOn, logger, left, about, ends }: PartsOptions<Part>,
): Promise<number> {
  let failed = 0;
  for (const part of parts) {
    if (!(await mayGoOn())) break;
    try {
      await work(part);
    } catch (error) {
      if (ends?.(error)) throw error;
      failed += 1;
      logger.warn({ err: error, ...about?.(part) }, left);
    }
  }
  return failed;
}

/** One round of periodic work. It never rejects: one that fails, as a whole or in a part, is told by log and metric. */
export async function doRound(
  name: string,
  work: () => Promise<number | void>,
  { logger, metrics }: Pick<PeriodicOptions, 'logger' | 'metrics'>,
): Promise<void> {
  try {
    if (await work()) metrics.failedRounds.inc({ work: name });
  } catch (error) {
    metrics.failedRounds.inc({ work: name });
    logger.warn({ err: error, job: name }, 'periodic work will try again');
  }
}

/** Starts periodic work; after a round that fails the next one comes as usual. */
export function startPeriodic(options: PeriodicOptions): Periodic {
  const { name, everyMs, lease, work } = options;
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  const mayGoOn = async () => !ended && (await lease.hold());
  const round = async (): Promise<void> => {
    await doRound(name, async () => ((await mayGoOn()) ? work(mayGoOn) : undefined), options);
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
