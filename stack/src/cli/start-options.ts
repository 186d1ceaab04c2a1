import { relative, resolve } from 'node:path';
import { z } from 'zod';
import { defaultData, root } from '../checkout.ts';
import { clusterNames, type ClusterName } from '../engines/engine.ts';
import { CommandError } from '@covalence/runtime/command-error';
import { readArguments, wholeNumber } from './arguments.ts';

/** The options of `npm start`. */
export interface StartOptions {
  readonly help: boolean;
  /** Delete all data first. */
  readonly reset: boolean;
  readonly members: number | undefined;
  readonly seed: number | undefined;
  /** The gateway's port. */
  readonly port: number;
  readonly dataPath: string;
  /** The engines to start as several servers. */
  readonly clustered: readonly ClusterName[];
}

/** The default number of members. */
export const defaultMembers = 2_000;
/** The default seed of the population. */
export const defaultSeed = 1;
const defaultPort = 8080;
const mostMembers = 1_000_000;

/** The help of `npm start`. */
export const startHelp = `Starts Covalence on this machine: engines, services, and at the first start a population to try it with.

  npm start [-- options]

  --members N   number of members that the first start creates (default ${defaultMembers}; the first 5000 may
                have photos); later only with --reset
  --seed N      seed of the generated population (default ${defaultSeed}); the same seed makes the same members
  --reset       delete all data of this stack first
  --data DIR    folder of data, logs and settings (default .data)
  --clustered[=NAMES]
                start several servers of these engines, which survive the loss of one: elasticsearch, rabbitmq,
                redis (the default), or sentinel instead of redis; later only with the same names or --reset
  --help        this text

Environment
  PORT          the gateway's port (default ${defaultPort})
  MONGODB_URL, ELASTICSEARCH_URL, RABBITMQ_URL, REDIS_URL
                engines to use instead of starting them; the address may contain a user and a password
  LOG_LEVEL     trace, debug, info (default), warn, error
  STAFF_SECOND_FACTOR
                optional (default), or required as in production

Ctrl-C stops everything; data is kept, and the next start takes seconds. Addresses, the demo client and logins are
printed at the end and saved in .data/demo.json; logs are in .data/logs.
npm test uses its own engines and can run at the same time.`;

const options = {
  help: { type: 'boolean', short: 'h', default: false },
  reset: { type: 'boolean', default: false },
  members: { type: 'string' },
  seed: { type: 'string' },
  data: { type: 'string' },
  clustered: { type: 'string' },
} as const;

/** Without names, Redis is a cluster. */
const usualClusters = clusterNames.filter((name) => name !== 'sentinel').join(',');

/** parseArgs knows no options whose value can be left out. */
const withClusters = (args: readonly string[]): string[] =>
  args.map((arg) => (arg === '--clustered' ? `${arg}=${usualClusters}` : arg));

const clustersSchema = z
  .array(z.enum(clusterNames))
  .refine((names) => !(names.includes('redis') && names.includes('sentinel')));

/** Throws a CommandError for an unknown name, and for two forms of Redis. */
function clustersIn(text: string | undefined): ClusterName[] {
  const names = clustersSchema.safeParse(text?.split(',') ?? []).data;
  if (names) return names;
  throw new CommandError(
    `--clustered takes names of ${usualClusters}, or sentinel instead of redis, not '${text}'.`,
  );
}

/** Rejects folders that contain the checkout, because --reset deletes folders with names that the checkout has too. */
function dataPathOf(folder: string): string {
  const path = resolve(root, folder);
  if (!relative(path, root).startsWith('..')) {
    throw new CommandError(`--data needs its own folder: ${path} contains the checkout.`);
  }
  return path;
}

/** Reads the arguments and the environment of `npm start`. Throws a CommandError for an invalid one. */
export function readStartOptions(args: readonly string[], environment: NodeJS.ProcessEnv): StartOptions {
  const { values } = readArguments({ args: withClusters(args), options }, 'npm start -- --help');
  const { help, reset, members, seed, data, clustered } = values;
  return {
    help,
    reset,
    members: members === undefined ? undefined : wholeNumber('--members', members, 0, mostMembers),
    seed: seed === undefined ? undefined : wholeNumber('--seed', seed, 0, 2 ** 31 - 1),
    port: environment['PORT'] ? wholeNumber('PORT', environment['PORT'], 1, 65_535) : defaultPort,
    dataPath: data === undefined ? defaultData : dataPathOf(data),
    clustered: clustersIn(clustered),
  };
}
