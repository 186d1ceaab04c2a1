import { join } from 'node:path';
import type { Engine, EngineName } from '../engines/engine.ts';
import { addressFor } from '../engines/service-users.ts';
import { startTogether } from '../start-together.ts';
import { innerUrl, serviceEnvironment, type ServiceSetting } from './service-environment.ts';
import { migratePart } from './migrate-part.ts';
import { parts, type ServiceName } from './service-name.ts';
import { startService, type ServiceProcess } from './service-process.ts';

/** The running parts. */
export type Services = ReadonlyMap<ServiceName, ServiceProcess>;

/** What parts are started with. */
export interface ServicesOptions extends Omit<ServiceSetting, 'engines'> {
  readonly names: readonly ServiceName[];
  /** Resolves when the engine answers, so that a part waits for its own engines only. */
  readonly engine: (name: EngineName) => Promise<Engine>;
  /** Holds a folder for each part: the process it runs as. */
  readonly dataDir: string;
  /** Holds one log file for each part. */
  readonly logDir: string;
  readonly stopped: AbortSignal;
  /** Told of each migration, which are run ahead of the parts; where it is not given, none is. */
  readonly migrated?: (line: string) => void;
  /** Called as each part is ready. */
  readonly ready?: (service: ServiceProcess) => void;
}

/** The environment of a part that connects as its own user to the engines that have one for it. */
async function environmentOf(name: ServiceName, options: ServicesOptions) {
  const needs: readonly EngineName[] = parts[name].needs;
  const engines = await Promise.all(needs.map((one) => options.engine(one)));
  const urls = engines.map(({ name: engine, url, hasServiceUsers }) => [
    engine,
    hasServiceUsers ? addressFor(name, url) : url,
  ]);
  const mayDeclare = engines.every((engine) => engine.name !== 'rabbitmq' || !engine.hasServiceUsers);
  return {
    ...serviceEnvironment(name, { ...options, engines: Object.fromEntries(urls) }),
    ...(!mayDeclare && { RABBITMQ_TOPOLOGY: 'check' }),
  };
}

async function startPart(name: ServiceName, options: ServicesOptions, stopped: AbortSignal) {
  const environment = await environmentOf(name, options);
  const { migrated: told } = options;
  if (told) await migratePart(name, { environment, told, stopped });
  const service = await startService(
    {
      name,
      environment,
      folder: join(options.dataDir, name),
      logDir: options.logDir,
      url: innerUrl(options.ports, name),
      managementPort: options.ports[name].managementPort,
    },
    stopped,
  );
  options.ready?.(service);
  return service;
}

/** Starts the parts side by side and resolves when all are ready. When one fails the others are stopped, and it rejects. */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const services = await startTogether(options.names, options.stopped, (name, stopped) =>
    startPart(name, options, stopped),
  );
  return new Map(services.map((service) => [service.name, service]));
}
