import { setTimeout as delay } from 'node:timers/promises';

const waitMilliseconds = 15_000;
const pollMilliseconds = 50;

/** Looks again until there is something. @throws Error when there is nothing for 15 s. */
export async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + waitMilliseconds;
  while (Date.now() < deadline) {
    const found = await look();
    if (found !== undefined) return found;
    await delay(pollMilliseconds);
  }
  throw new Error(`nothing for ${waitMilliseconds / 1000} s`);
}
