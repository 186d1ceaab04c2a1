import { listenForInterruption } from '@covalence/runtime/interruption';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { root } from '../checkout.ts';
import { readArguments, wholeNumber } from './arguments.ts';
import { createConsole } from './console.ts';
import { runNode } from './run-node.ts';
import { test } from './test.ts';

const usage = `Tests with random input.

  pnpm fuzz [--seed N] [--factor 10]
                runs the tests of random input with --factor times the inputs of npm test; prints the seed,
                and --seed repeats the same inputs
  pnpm fuzz api [options]
                makes random calls from the OpenAPI document; --help lists the options`;

/** The suites with tests of random input, and the word in the titles of these tests. */
const suites = ['libs/http/tests', 'services/updates/tests/frames', 'tests/e2e/system'];
const titleWord = 'whatever';

const largestSeed = 2 ** 31 - 1;

const options = {
  seed: { type: 'string' },
  factor: { type: 'string', default: '10' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** `pnpm fuzz`: resolves with the exit code. */
export async function fuzz(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { say } = createConsole();
  const [first, ...others] = args;
  if (first === 'api') {
    const program = join(root, 'tests/e2e/random-calls.ts');
    const stopped = listenForInterruption(() => process.exit(1));
    return runNode([program, ...others], environment, stopped);
  }
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
  say(`To repeat with the same inputs: pnpm fuzz --seed ${seed} --factor ${factor}`);
  const variables = { ...environment, FUZZ_SEED: String(seed), FUZZ_FACTOR: String(factor) };
  return test([...suites, '--testNamePattern', titleWord], variables);
}
