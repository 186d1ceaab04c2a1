import type { Parameters } from 'fast-check';

const { FUZZ_FACTOR = '1', FUZZ_SEED = '1' } = process.env;
const factor = Number(FUZZ_FACTOR);

/**
 * How a property of random input is run: so many times in `npm test`, each time with the same input, and many times more
 * with the seed of `pnpm fuzz`.
 */
export const fuzzing = <Input>(runs = 100): Parameters<Input> => ({
  numRuns: runs * factor,
  seed: Number(FUZZ_SEED),
});

/** Milliseconds that such a test may take. */
export const fuzzingMs = (standard: number): number => standard * factor;
