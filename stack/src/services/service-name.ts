import type { EngineName } from '../engines/engine.ts';

/** What the stack knows of a part before it runs it. */
interface ServicePart {
  /** Its folder in the checkout. */
  readonly folder: string;
  /** Engines without which it is not ready. */
  readonly needs: readonly EngineName[];
}

/** The parts in the order in which they are shown; they start side by side. */
export const parts = {
  auth: { folder: 'services/auth', needs: ['mongodb', 'redis'] },
  profile: { folder: 'services/profile', needs: ['mongodb', 'redis', 'rabbitmq'] },
  search: { folder: 'services/search', needs: ['mongodb', 'elasticsearch', 'rabbitmq'] },
  billing: { folder: 'services/billing', needs: ['mongodb', 'rabbitmq'] },
  updates: { folder: 'services/updates', needs: ['redis', 'rabbitmq'] },
  gateway: { folder: 'gateway', needs: ['redis'] },
} as const satisfies Record<string, ServicePart>;

/** The gateway or one of the services behind it. */
export type ServiceName = keyof typeof parts;

/** Every part's name. */
export const serviceNames = Object.keys(parts) as readonly ServiceName[];
