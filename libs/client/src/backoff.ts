/**
 * Growing, random delays between attempts, so that clients of a lost server do not reconnect all at once: between half of the step
 * and the step; steps double from `first` to `most` milliseconds.
 */
export function createBackoff(first = 500, most = 30_000, random: () => number = Math.random) {
  let tries = 0;
  return {
    /** The next delay in milliseconds. */
    next(): number {
      const step = Math.min(most, first * 2 ** tries);
      tries += 1;
      return step / 2 + (random() * step) / 2;
    },
    /** Starts again with the first delay, after a successful attempt. */
    reset(): void {
      tries = 0;
    },
  };
}
