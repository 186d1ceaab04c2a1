import { chunks } from '@covalence/runtime/chunks';
import type { Background } from '@covalence/runtime/lifecycle';
import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import type { Connection } from 'mongoose';
import { createLease, type Lease } from './lease.ts';

/** A periodic job. */
export type Periodic = ReturnType<typeof startPeriodic>;

/** Whether the job may continue with its next item. */
export type MayGoOn = () => Promise<boolean>;

/** For work outside of a job: always continue. */
export const always: MayGoOn = () => Promise.resolve(true);

/** For a job that every process runs for itself. */
export const noLease: Lease = { hold: () => Promise.resolve(true), release: () => Promise.resolve() };

/** Options of a periodic job. */
export interface PeriodicOptions {
  readonly name: string;
  readonly everyMs: number;
  /** The pause after a failed round; `everyMs` by default. */
  readonly retryMs?: number;
  /** Lets one process at a time run it. */
  readonly lease: Lease;
  /**
   * One round. Work on many items checks between them whether it may continue: not during a shutdown or
   * without the lease. Resolves with the number of failed items.
   */
  readonly work: (mayGoOn: MayGoOn) => Promise<number | void>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Handling of items and failures in `eachPart`. */
interface PartsOptions<Part> {
  readonly mayGoOn: MayGoOn;
  readonly logger: Logger;
  /** Log message for a failed item. */
  readonly left: string;
  /** Log fields that identify the item. */
  readonly about?: (part: Part) => object;
  /** Whether an error would hit every other item too: it is thrown. */
  readonly ends?: (error: unknown) => boolean;
  /** Items handled at once; 1 by default. */
  readonly atOnce?: number;
}

/** Handles items in order, `atOnce` at a time, while the job may continue. Failures are logged and counted. */
export async function eachPart<Part>(
  parts: Iterable<Part>,
  work: (part: Part) => Promise<unknown>,
  { mayGoOn, logger, left, about, ends, atOnce = 1 }: PartsOptions<Part>,
): Promise<number> {
  let failed = 0;
  for (const some of chunks(parts, atOnce)) {
    if (!(await mayGoOn())) break;
    const outcomes = await Promise.allSettled(some.map(async (part) => work(part)));
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled') continue;
      const error: unknown = outcome.reason;
      if (ends?.(error)) throw error;
      failed += 1;
      logger.warn({ err: error, ...about?.(some[index] as Part) }, left);
    }
  }
  return failed;
}

/** Runs one round; resolves with whether all of it succeeded. Failures appear in the log and in a metric. */
export async function doRound(
  name: string,
  work: () => Promise<number | void>,
  { logger, metrics }: Pick<PeriodicOptions, 'logger' | 'metrics'>,
): Promise<boolean> {
  try {
    if (!(await work())) return true;
  } catch (error) {
    logger.warn({ err: error, job: name }, 'periodic job failed: will retry');
  }
  metrics.failedRounds.inc({ work: name });
  return false;
}

/** Starts a periodic job. */
export function startPeriodic(options: PeriodicOptions) {
  const { name, everyMs, retryMs = everyMs, lease, work } = options;
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  const mayGoOn = async () => !ended && (await lease.hold());
  const round = async (): Promise<void> => {
    const isDone = await doRound(name, async () => ((await mayGoOn()) ? work(mayGoOn) : undefined), options);
    if (!ended) timer = setTimeout(begin, isDone ? everyMs : retryMs);
  };
  let current = Promise.resolve();
  const begin = () => {
    current = round();
  };
  begin();
  return {
    /** Stops the job and waits for its current round. */
    async close(): Promise<void> {
      ended = true;
      clearTimeout(timer);
      await current;
      await lease.release();
    },
  };
}

/** A job that one process at a time runs, or every process for itself. */
export interface Job extends Pick<PeriodicOptions, 'everyMs' | 'work'> {
  readonly everyProcess?: true;
  /** Time after which other processes take the job of one that died, ms; three intervals by default. */
  readonly leaseMs?: number;
}

/** Jobs by name, which is the name of the lease, too. */
export type Jobs = Readonly<Record<string, Job>>;

/** Starts the jobs of a service. Each has its own interval and lease, so that none delays the others. */
export function startJobs(
  context: Pick<PeriodicOptions, 'logger' | 'metrics'> & { readonly connection: Connection },
  jobs: Jobs,
): Background {
  const { connection, logger, metrics } = context;
  const started = Object.entries(jobs).map(
    ([name, { everyMs, everyProcess, leaseMs = 3 * everyMs, work }]) => {
      const lease = everyProcess ? noLease : createLease(connection, name, leaseMs);
      return startPeriodic({ name, everyMs, lease, work, logger, metrics });
    },
  );
  return {
    async close() {
      await Promise.all(started.map((job) => job.close()));
    },
  };
}
