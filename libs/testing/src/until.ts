import { setTimeout as wait } from 'node:timers/promises';

type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>;

const pauseMs = 25;
/** Maximum time that a pause counts, ms: while the machine stands still, no condition can become true. */
const mostMs = 500;

/**
 * Polls a condition every 25 ms and resolves with its first truthy value. Rejects after `limitMs` with the
 * last error or `what`.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  limitMs = 30_000,
): Promise<Truthy<T>> {
  let left = limitMs;
  let problem: unknown;
  for (;;) {
    const began = performance.now();
    try {
      const value = await look();
      if (value) return value as Truthy<T>;
      problem = undefined;
    } catch (error) {
      problem = error;
    }
    if (left < 0) throw new Error(`waited ${limitMs} ms for: ${what}`, { cause: problem });
    const looked = performance.now();
    await wait(pauseMs);
    left -= looked - began + Math.min(performance.now() - looked, mostMs);
  }
}
