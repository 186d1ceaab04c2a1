import { setTimeout as wait } from 'node:timers/promises';
import { unavailable } from '@covalence/contract/failure';

/** Result of an attempt when another writer changed the document after it was read. */
export const conflict = Symbol('conflict');

const mostAttempts = 100;
const longestPauseMs = 20;

/**
 * Runs a compare-and-set: reads, decides and writes again, after a random pause, until no other writer came first. Throws 503
 * when every attempt conflicts; `what` names the contended thing in the log.
 */
export async function retryOnConflict<Result>(
  what: string,
  attempt: () => Promise<Result | typeof conflict>,
): Promise<Result> {
  for (let count = 0; count < mostAttempts; count += 1) {
    const result = await attempt();
    if (result !== conflict) return result;
    await wait(Math.random() * Math.min(count, longestPauseMs));
  }
  throw unavailable(new Error(`gave up on ${what} after ${mostAttempts} conflicting writes`));
}
