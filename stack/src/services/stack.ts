import { declareTopologyAt } from '@covalence/events/topology';
import type { DataFolder } from '../checkout.ts';
import { engineNames, type ClusterName, type Engine, type EngineName } from '../engines/engine.ts';
import { startEngine } from '../engines/engines.ts';
import type { Instance } from './instance.ts';
import type { ServicePorts } from './service-environment.ts';
import { serviceNames, type ServiceName } from './service-name.ts';
import { startServices, type Services } from './start-services.ts';
import { stopAll } from '../start-together.ts';

/** Options of a stack. */
export interface StackOptions {
  readonly data: DataFolder;
  readonly instance: Instance;
  readonly ports: Readonly<Record<ServiceName, ServicePorts>>;
  /** The public address of the API and of sign-in. */
  readonly publicUrl: string;
  /** The environment of the command, including addresses of engines. */
  readonly environment: NodeJS.ProcessEnv;
  /** The engines to start as several servers; default none. */
  readonly clustered?: readonly ClusterName[];
  /** The services to run; default all. */
  readonly services?: readonly ServiceName[];
  /** Runs migrations and receives a line for each; without it none are run. */
  readonly onMigration?: (line: string) => void;
  /** Receives one line per step. */
  readonly progress: (line: string) => void;
  /** Aborts the start and stops what has started. */
  readonly stopped: AbortSignal;
}

/** The running engines and services. */
export interface Stack {
  readonly url: string;
  readonly engines: ReadonlyMap<EngineName, Engine>;
  readonly services: Services;
  /** Stops the services, then the engines. */
  stop(): Promise<void>;
}

/** The values of the promises that fulfill, once all have settled. */
const settled = async <T>(work: Iterable<Promise<T>>): Promise<T[]> =>
  (await Promise.allSettled(work)).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));

/**
 * Starts the engines in parallel, and each service as soon as its engines answer. Resolves when all are ready. On a
 * failure or when `stopped` aborts, stops everything and rejects with the reason.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { data, environment, clustered = [], progress } = options;
  const failed = new AbortController();
  const signal = AbortSignal.any([options.stopped, failed.signal]);
  const fail = (reason: unknown): never => {
    failed.abort(reason);
    throw reason;
  };

  /** With a user per service, only the operator may declare queues. */
  const prepare = async (engine: Engine): Promise<Engine> => {
    if (engine.name !== 'rabbitmq' || !engine.hasServiceUsers) return engine;
    try {
      await declareTopologyAt(engine.url, options.instance.namespace);
      return engine;
    } catch (error) {
      await engine.stop();
      throw error;
    }
  };

  const engineOptions = {
    dataDir: data.engines,
    logDir: data.logs,
    environment,
    clustered,
    progress,
    signal,
  };
  const start = (name: EngineName) => startEngine(name, engineOptions).then(prepare);
  const starting = new Map(engineNames.map((name) => [name, start(name).catch(fail)]));
  const engineOf = async (name: EngineName) => {
    const engine = await starting.get(name);
    if (!engine) throw new Error(`no engine ${name}`);
    return engine;
  };
  const startingServices = startServices({
    ...options,
    names: options.services ?? serviceNames,
    engine: engineOf,
    dataDir: data.services,
    logDir: data.logs,
    photoDir: data.photos,
    mailDir: data.mails,
    stopped: signal,
    ready: ({ name }) => progress(`${name}: ready`),
  }).catch(fail);

  const [engines, [ready]] = await Promise.all([settled(starting.values()), settled([startingServices])]);
  const stop = async () => {
    await stopAll(ready?.values() ?? []);
    await stopAll(engines);
  };
  if (!ready || signal.aborted) {
    await stop();
    throw signal.reason;
  }
  return {
    url: options.publicUrl,
    engines: new Map(engines.map((engine) => [engine.name, engine])),
    services: ready,
    stop,
  };
}
