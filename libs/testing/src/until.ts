import { setTimeout as wait } from 'node:timers/promises';

type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>;

/**
 * Waits for a condition by looking again every 25 ms; resolves with its first truthy value. Rejects with the last error,
 * or with `what`, when `limitMs` have passed.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  limitMs = 10_000,
): Promise<Truthy<T>> {
  const end = Date.now() + limitMs;
  let problem: unknown;
  for (;;) {
    try {
      const value = await look();
      if (value) return value as Truthy<T>;
      problem = undefined;
    } catch (error) {
      problem = error;
    }
    if (Date.now() > end) throw new Error(`waited ${limitMs} ms for: ${what}`, { cause: problem });
    await wait(25);
  }
}
