import type { Parameters } from 'fast-check';

const { FUZZ_FACTOR = '1', FUZZ_SEED = '1' } = process.env;
const factor = Number(FUZZ_FACTOR);

/** Options of a property test: a fixed seed in `npm test`; many more runs and another seed in `pnpm fuzz`. */
export const fuzzing = <Input>(runs = 100): Parameters<Input> => ({
  numRuns: runs * factor,
  seed: Number(FUZZ_SEED),
});

/** Time limit of a property test, ms. */
export const fuzzingMs = (standard: number): number => standard * factor;
