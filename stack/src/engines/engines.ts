import { errorText } from '@covalence/runtime/error-text';
import { resolve } from 'node:path';
import { addressVariable } from '../address-variable.ts';
import { CommandError } from '@covalence/runtime/command-error';
import { startTogether } from '../start-together.ts';
import { requireDiskSpace } from './disk-space.ts';
import { elasticsearchClusterKind, elasticsearchEngine } from './elasticsearch-engine.ts';
import {
  engineNames,
  type ClusterName,
  type Engine,
  type EngineKind,
  type EngineName,
  type EngineOptions,
} from './engine.ts';
import { useGivenServer } from './environment-engine.ts';
import { startLocalEngine } from './local-engine.ts';
import { mongodbEngine } from './mongodb-engine.ts';
import { rabbitmqClusterKind, rabbitmqEngine } from './rabbitmq-engine.ts';
import { redisEngine } from './redis-engine.ts';
import { redisClusterKind, redisSentinelKind } from './redis-groups.ts';

const kinds: Readonly<Record<EngineName, EngineKind>> = {
  mongodb: mongodbEngine,
  elasticsearch: elasticsearchEngine,
  rabbitmq: rabbitmqEngine,
  redis: redisEngine,
};

const clusters: Readonly<Record<ClusterName, EngineKind>> = {
  elasticsearch: elasticsearchClusterKind,
  rabbitmq: rabbitmqClusterKind,
  redis: redisClusterKind,
  sentinel: redisSentinelKind,
};

/** An engine as one server, or as the cluster that is chosen for it. */
export const kindOf = (name: EngineName, clustered: readonly ClusterName[]): EngineKind =>
  clustered.map((one) => clusters[one]).find((kind) => kind.name === name) ?? kinds[name];

/**
 * Starts engines in parallel. When one fails or the signal aborts, stops the others.
 * @throws CommandError of the first that failed.
 */
export async function startEngines(
  { signal: stopped = new AbortController().signal, ...options }: EngineOptions,
  names: readonly EngineName[] = engineNames,
): Promise<Record<EngineName, Engine>> {
  const engines = await startTogether(names, stopped, (name, signal) =>
    startEngine(name, { ...options, signal }),
  );
  return Object.fromEntries(engines.map((engine) => [engine.name, engine])) as Record<EngineName, Engine>;
}

/**
 * Starts an engine, or uses the address of the environment. Resolves when it answers.
 * @throws CommandError with one line that says what to do, or the reason of the signal.
 */
export async function startEngine(
  name: EngineName,
  { signal = new AbortController().signal, clustered = [], launchers = {}, ...others }: EngineOptions,
): Promise<Engine> {
  const options = { ...others, signal };
  const found = kindOf(name, clustered);
  const { [name]: launcher } = launchers;
  const kind = launcher ? { ...found, find: () => Promise.resolve(launcher) } : found;
  const variable = addressVariable(name);
  const given = options.environment[variable];
  const begun = Date.now();
  if (given !== undefined && given !== '') {
    const engine = await useGivenServer(kind, given, options);
    options.progress(`${kind.title}: using the one at ${variable}`);
    return engine;
  }
  await requireDiskSpace(resolve(options.dataDir));
  const engine = await startLocalEngine(kind, options).catch((error: unknown) => {
    throw options.signal.aborted ? options.signal.reason : asCommandError(kind, error);
  });
  const seconds = ((Date.now() - begun) / 1000).toFixed(1);
  const facts = [
    engine.origin,
    ...(engine.version ? [engine.version] : []),
    ...(engine.nodes.length > 1 ? [`${engine.nodes.length} nodes`] : []),
  ];
  options.progress(`${kind.title}: up in ${seconds} s (${facts.join(', ')})`);
  return engine;
}

/** Turns system errors, such as a folder without write permission, into one line. */
function asCommandError(kind: EngineKind, error: unknown): unknown {
  if (error instanceof CommandError) return error;
  return new CommandError(`${kind.title} cannot be started: ${errorText(error)}`, { cause: error });
}
