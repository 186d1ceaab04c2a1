import { join } from 'node:path';
import type { Engine, EngineName } from '../engines/engine.ts';
import { addressFor } from '../engines/service-users.ts';
import { startTogether } from '../start-together.ts';
import { innerUrl, serviceEnvironment, type ServiceSetting } from './service-environment.ts';
import { migrateService } from './migrate-service.ts';
import { serviceDefinitions, type ServiceName } from './service-name.ts';
import { startService, type ServiceProcess } from './service-process.ts';

/** The running services by name. */
export type Services = ReadonlyMap<ServiceName, ServiceProcess>;

/** Options for starting services. */
export interface ServicesOptions extends Omit<ServiceSetting, 'engines'> {
  readonly names: readonly ServiceName[];
  /** Resolves when the engine answers; a service waits for its own engines only. */
  readonly engine: (name: EngineName) => Promise<Engine>;
  /** Holds a folder per service, which records its process. */
  readonly dataDir: string;
  /** Holds a log file per service. */
  readonly logDir: string;
  readonly stopped: AbortSignal;
  /** Runs migrations before each service and receives a line for each; without it none are run. */
  readonly onMigration?: (line: string) => void;
  /** Called when a service is ready. */
  readonly ready?: (service: ServiceProcess) => void;
}

/** The environment of a service, which connects as its own user to engines that have one for it. */
async function environmentOf(name: ServiceName, options: ServicesOptions) {
  const needs: readonly EngineName[] = serviceDefinitions[name].needs;
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

async function startOne(name: ServiceName, options: ServicesOptions, stopped: AbortSignal) {
  const environment = await environmentOf(name, options);
  const { onMigration } = options;
  if (onMigration) await migrateService(name, { environment, onMigration, stopped });
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

/** Starts services in parallel and resolves when all are ready. When one fails, stops the others and rejects. */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const services = await startTogether(options.names, options.stopped, (name, stopped) =>
    startOne(name, options, stopped),
  );
  return new Map(services.map((service) => [service.name, service]));
}
