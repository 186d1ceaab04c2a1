import { relative, resolve } from 'node:path';
import { defaultData, root } from '../checkout.ts';
import { CommandError } from '@covalence/runtime/command-error';
import { readArguments, wholeNumber } from './arguments.ts';

/** What `npm start` was asked for. */
export interface StartOptions {
  readonly help: boolean;
  /** Throw everything away first. */
  readonly reset: boolean;
  /** Size of the seeded population; absent when nothing was said. */
  readonly members: number | undefined;
  /** Seed number of the population; absent when nothing was said. */
  readonly seed: number | undefined;
  /** The gateway's port. */
  readonly port: number;
  readonly dataPath: string;
}

/** Members of a first start that says nothing else. */
export const defaultMembers = 2_000;
/** Seed number of a first start that says nothing else. */
export const defaultSeed = 1;
const defaultPort = 8080;
const mostMembers = 1_000_000;

/** What `npm start -- --help` prints. */
export const startHelp = `Starts Covalence on this machine: engines, services, and at the first start a population to try it with.

  npm start [-- options]

  --members N   how many members the first start creates (default ${defaultMembers}; the first 5000 may have
                photos); later with --reset
  --seed N      the number that the population is drawn from (default ${defaultSeed}): the same number, the same people
  --reset       begin anew: deletes all data of this stack first
  --data DIR    where data, logs and settings are kept (default .data)
  --help        this text

Environment
  PORT          the gateway's port (default ${defaultPort})
  MONGODB_URL, ELASTICSEARCH_URL, RABBITMQ_URL, REDIS_URL
                engines to use instead of starting them; a user and a password go into the address
  LOG_LEVEL     trace, debug, info (default), warn, error

Ctrl-C stops everything; the data stays, and the next start takes seconds. Addresses, the demo client and logins are
printed at the end and kept in .data/demo.json; logs are in .data/logs.
npm test runs every test on engines of its own, also while this runs.`;

const options = {
  help: { type: 'boolean', short: 'h', default: false },
  reset: { type: 'boolean', default: false },
  members: { type: 'string' },
  seed: { type: 'string' },
  data: { type: 'string' },
} as const;

/** What a stack keeps has names that a checkout has, too, and --reset deletes it. */
function dataPathOf(given: string): string {
  const path = resolve(root, given);
  if (!relative(path, root).startsWith('..')) {
    throw new CommandError(`--data takes a folder of its own, and the checkout is in ${path}.`);
  }
  return path;
}

/** Reads the arguments and the environment of `npm start`; a CommandError names what is wrong with them. */
export function readStartOptions(args: readonly string[], environment: NodeJS.ProcessEnv): StartOptions {
  const { values } = readArguments({ args: [...args], options }, 'npm start -- --help');
  const { help, reset, members, seed, data } = values;
  return {
    help,
    reset,
    members: members === undefined ? undefined : wholeNumber('--members', members, 0, mostMembers),
    seed: seed === undefined ? undefined : wholeNumber('--seed', seed, 0, 2 ** 31 - 1),
    port: environment['PORT'] ? wholeNumber('PORT', environment['PORT'], 1, 65_535) : defaultPort,
    dataPath: data === undefined ? defaultData : dataPathOf(data),
  };
}
