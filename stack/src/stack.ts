import { declareTopologyAt } from '@covalence/events/topology';
import type { DataFolder } from './checkout.ts';
import type { Engine, EngineName } from './engines/engine.ts';
import { engineNames, startEngine } from './engines/engines.ts';
import type { Instance } from './services/instance.ts';
import type { ServicePorts } from './services/service-environment.ts';
import { serviceNames, type ServiceName } from './services/service-name.ts';
import { startServices, type Services } from './services/start-services.ts';
import { stopAll } from './start-together.ts';

/** What a stack is started with. */
export interface StackOptions {
  readonly data: DataFolder;
  readonly instance: Instance;
  readonly ports: Readonly<Record<ServiceName, ServicePorts>>;
  /** base_url and auth_url. */
  readonly publicUrl: string;
  /** The environment around the stack, engine addresses included. */
  readonly around: NodeJS.ProcessEnv;
  /** The parts to run; all where nothing is said. */
  readonly services?: readonly ServiceName[];
  /** Told of each migration of what is stored; where it is not given, none is run. */
  readonly migrated?: (line: string) => void;
  /** Told what is being done, one line each. */
  readonly progress: (line: string) => void;
  /** Ends the start; what was started by then is stopped. */
  readonly stopped: AbortSignal;
}

/** Engines and services that run. */
export interface Stack {
  readonly url: string;
  readonly engines: ReadonlyMap<EngineName, Engine>;
  readonly services: Services;
  /** Ends the services, then the engines. */
  stop(): Promise<void>;
}

/** What came out well, when all have come out. */
const settled = async <T>(work: Iterable<Promise<T>>): Promise<T[]> =>
  (await Promise.allSettled(work)).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));

/**
 * Starts the engines side by side, and every part as soon as its own engines answer. Resolves when all are ready. When
 * anything fails, or `stopped` says so, stops what has started and rejects with the reason.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { data, around, progress } = options;
  const failed = new AbortController();
  const signal = AbortSignal.any([options.stopped, failed.signal]);
  const fail = (reason: unknown): never => {
    failed.abort(reason);
    throw reason;
  };

  /** Only the operator of a broker with users of services may declare the queues. */
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

  const engineOptions = { dataDir: data.engines, logDir: data.logs, environment: around, progress, signal };
  const start = (name: EngineName) => startEngine(name, engineOptions).then(prepare);
  const starting = new Map(engineNames.map((name) => [name, start(name).catch(fail)]));
  const engineOf = async (name: EngineName) => {
    const engine = await starting.get(name);
    if (!engine) throw new Error(`no engine ${name}`);
    return engine;
  };
  const parts = startServices({
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

  const [engines, [ready]] = await Promise.all([settled(starting.values()), settled([parts])]);
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
