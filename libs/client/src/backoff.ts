/** Pauses between tries that grow and are random, so that clients that lost the same server do not come back at once. */
export interface Backoff {
  /** The next pause in milliseconds. */
  next(): number;
  /** Begins anew: the last try went well. */
  reset(): void;
}

/** Any length from half of the step to all of it; steps double from `first` to `most` milliseconds. */
export function createBackoff(first = 500, most = 30_000, random: () => number = Math.random): Backoff {
  let tries = 0;
  return {
    next() {
      const step = Math.min(most, first * 2 ** tries);
      tries += 1;
      return step / 2 + (random() * step) / 2;
    },
    reset() {
      tries = 0;
    },
  };
}
