import { parseArgs } from 'node:util';
import { faults, type FaultName } from './faults.ts';
import { unitNames } from './system.ts';

const faultNames = Object.keys(faults) as readonly FaultName[];

/** Longer than every time limit between services; the longest is 20 s, for a read from MongoDB. */
const standardSeconds = 25;

function chosen<Name extends string>(
  what: string,
  given: string | undefined,
  known: readonly Name[],
): readonly Name[] {
  if (given === undefined) return known;
  return given.split(',').map((name) => {
    const found = known.find((one) => one === name);
    if (!found) throw new Error(`There is no ${what} '${name}': ${known.join(', ')}.`);
    return found;
  });
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`--${name} takes a whole number from 1, not '${text}'.`);
  return value;
}

/** Parses the arguments of `pnpm chaos`; throws a one-line error. */
export function readChaosOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      faults: { type: 'string' },
      targets: { type: 'string' },
      seconds: { type: 'string', default: String(standardSeconds) },
      seed: { type: 'string', default: '1' },
      pairs: { type: 'string', default: '8' },
      keep: { type: 'boolean', default: false },
    },
  });
  const targets = chosen('target', values.targets, unitNames);
  const strikes = chosen('fault', values.faults, faultNames).flatMap((fault) =>
    targets
      .filter((target) => faults[fault].targets.some((one) => one === target))
      .map((target) => ({ fault, target })),
  );
  if (!strikes.length) throw new Error('None of these faults applies to these targets.');
  return {
    strikes,
    /** Duration of lasting faults. */
    seconds: wholeNumber('seconds', values.seconds),
    seed: wholeNumber('seed', values.seed),
    pairs: wholeNumber('pairs', values.pairs),
    /** Whether the result is written into docs/faults.md. */
    isKept: values.keep,
  };
}

/** Parses the arguments of `pnpm soak`; throws a one-line error. */
export function readSoakOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '10' },
      pairs: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
      keep: { type: 'boolean', default: false },
    },
  });
  return {
    minutes: wholeNumber('minutes', values.minutes),
    pairs: wholeNumber('pairs', values.pairs),
    seed: wholeNumber('seed', values.seed),
    isKept: values.keep,
  };
}
