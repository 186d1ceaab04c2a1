import { errorText } from '@covalence/runtime/error-text';
import { resolve } from 'node:path';
import { addressVariable } from '../address-variable.ts';
import { CommandError } from '@covalence/runtime/command-error';
import { startTogether } from '../start-together.ts';
import { requireDiskSpace } from './disk-space.ts';
import { elasticsearchEngine } from './elasticsearch-engine.ts';
import type { Engine, EngineKind, EngineName, EngineOptions } from './engine.ts';
import { useGivenServer } from './environment-engine.ts';
import { startLocalEngine } from './local-engine.ts';
import { mongodbEngine } from './mongodb-engine.ts';
import { rabbitmqEngine } from './rabbitmq-engine.ts';
import { redisEngine } from './redis-engine.ts';

const kinds: Readonly<Record<EngineName, EngineKind>> = {
  mongodb: mongodbEngine,
  elasticsearch: elasticsearchEngine,
  rabbitmq: rabbitmqEngine,
  redis: redisEngine,
};

/** Every engine of a stack. */
export const engineNames: readonly EngineName[] = ['mongodb', 'elasticsearch', 'rabbitmq', 'redis'];

/**
 * Starts the engines beside each other. When one fails, or a signal in the options says so, the others are stopped.
 * @throws CommandError with the line of the first that failed.
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
 * Starts one engine, or uses the one whose address the environment gives. Resolves when it answers; a signal in the
 * options ends the start early, and it rejects with the signal's reason.
 * @throws CommandError with the one line that says what to do.
 */
export async function startEngine(
  name: EngineName,
  { signal = new AbortController().signal, ...others }: EngineOptions,
): Promise<Engine> {
  const options = { ...others, signal };
  const kind = kinds[name];
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
  options.progress(
    `${kind.title}: up in ${seconds} s (${engine.origin}${engine.version ? `, ${engine.version}` : ''})`,
  );
  return engine;
}

/** What the system refuses (a folder that cannot be written, a command that cannot be run) on one line, too. */
function asCommandError(kind: EngineKind, error: unknown): unknown {
  if (error instanceof CommandError) return error;
  return new CommandError(`${kind.title} cannot be started: ${errorText(error)}`, { cause: error });
}
