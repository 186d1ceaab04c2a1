import { setTimeout as delay } from 'node:timers/promises';

/** Waits until the condition holds, at most so many milliseconds; resolves with whether it does. */
export async function waitUntil(condition: () => boolean, milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (!condition()) {
    if (Date.now() >= deadline) return false;
    await delay(25);
  }
  return true;
}
