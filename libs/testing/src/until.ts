import { setTimeout as wait } from 'node:timers/promises';

type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>;

const pauseMs = 25;
/** What a pause counts at most, ms: while the machine stands still, nothing that is waited for can come either. */
const mostMs = 500;

/**
 * Waits for a condition by looking again every 25 ms; resolves with its first truthy value. Rejects with the last error,
 * or with `what`, when `limitMs` have passed, pauses counted as half a second at most.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  limitMs = 10_000,
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
