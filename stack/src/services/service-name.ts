import type { EngineName } from '../engines/engine.ts';

interface ServiceDefinition {
  /** Folder in the checkout. */
  readonly folder: string;
  /** Engines that it needs to become ready. */
  readonly needs: readonly EngineName[];
}

/** The gateway and the services, in the order in which they are shown. */
export const serviceDefinitions = {
  auth: { folder: 'services/auth', needs: ['mongodb', 'redis'] },
  profile: { folder: 'services/profile', needs: ['mongodb', 'redis', 'rabbitmq'] },
  search: { folder: 'services/search', needs: ['mongodb', 'elasticsearch', 'rabbitmq'] },
  billing: { folder: 'services/billing', needs: ['mongodb', 'rabbitmq'] },
  updates: { folder: 'services/updates', needs: ['redis', 'rabbitmq'] },
  gateway: { folder: 'gateway', needs: ['redis'] },
} as const satisfies Record<string, ServiceDefinition>;

/** The gateway or a service behind it. */
export type ServiceName = keyof typeof serviceDefinitions;

/** The names of the gateway and the services. */
export const serviceNames = Object.keys(serviceDefinitions) as readonly ServiceName[];
