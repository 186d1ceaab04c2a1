import { randomInt } from 'node:crypto';
import { createConsole } from './console.ts';
import { readArguments } from './read-arguments.ts';
import { test } from './test.ts';
import { wholeNumber } from './whole-number.ts';

const usage = `The tests of random input, with more of it than npm test has.

  pnpm fuzz [--seed N] [--factor 10]

  --seed: the same input again; one is chosen and told without it
  --factor: so many times the runs of npm test`;

/** The suites that have such tests, and what is in the names of those. */
const suites = ['libs/http/tests', 'services/updates/tests/frames', 'tests/e2e/system'];
const named = 'whatever';

const largestSeed = 2 ** 31 - 1;

const options = {
  seed: { type: 'string' },
  factor: { type: 'string', default: '10' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** `pnpm fuzz`: resolves with jest's exit code. */
export async function fuzz(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { say } = createConsole();
  const { values } = readArguments({ args: [...args], options }, 'pnpm fuzz --help');
  if (values.help) {
    say(usage);
    return 0;
  }
  const seed =
    values.seed === undefined
      ? randomInt(1, largestSeed)
      : wholeNumber('--seed', values.seed, 1, largestSeed);
  const factor = wholeNumber('--factor', values.factor, 1, 1_000);
  say(`Again with the same input: pnpm fuzz --seed ${seed} --factor ${factor}`);
  const around = { ...environment, FUZZ_SEED: String(seed), FUZZ_FACTOR: String(factor) };
  return test([...suites, '--testNamePattern', named], around);
}
