import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './files.ts';

/** Allowed connections of a service. */
interface Speaker {
  /** Services that it calls. */
  readonly calls: readonly string[];
  /** Stores that it uses. */
  readonly stores: readonly string[];
  /** External destinations. */
  readonly outside: readonly string[];
}

/**
 * Connections between services and stores, as in docs/deploy.md. Network policies and the compose file
 * must match it.
 */
export const speaksTo: Readonly<Record<string, Speaker>> = {
  gateway: {
    calls: ['auth', 'profile', 'search', 'billing', 'updates'],
    stores: ['redis'],
    outside: [],
  },
  auth: { calls: ['profile'], stores: ['mongodb', 'redis'], outside: ['mail', 'identity-providers'] },
  profile: {
    calls: ['auth', 'billing', 'search', 'updates'],
    stores: ['mongodb', 'redis', 'rabbitmq', 's3'],
    outside: ['images'],
  },
  search: { calls: ['auth', 'profile'], stores: ['mongodb', 'rabbitmq', 'elasticsearch'], outside: [] },
  billing: { calls: ['auth', 'profile'], stores: ['mongodb', 'rabbitmq'], outside: ['app-stores'] },
  updates: { calls: ['auth', 'profile'], stores: ['redis', 'rabbitmq'], outside: ['push'] },
};

/** The gateway and every service of the workspace. */
export const services = ['gateway', ...readdirSync(join(root, 'services'))];

/** Services with data in MongoDB. */
export const withDatabase = services.filter((service) => speaksTo[service]?.stores.includes('mongodb'));
