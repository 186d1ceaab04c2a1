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
  readonly work: (mayGoOn: MayGoOn) => Promise<unknown>;
  readonly logger: Logger;
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
