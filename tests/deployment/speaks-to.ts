import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './files.ts';

/** What one part may reach, and who may reach it. */
interface Speaker {
  /** Parts that it calls; these and nobody else may call those. */
  readonly calls: readonly string[];
  /** Stores that it uses. */
  readonly stores: readonly string[];
  /** What it reaches outside of the cluster. */
  readonly outside: readonly string[];
}

/**
 * Who speaks to whom: the tables of docs/architecture.md and the addresses that the configuration of each part asks for. The
 * network policies and the compose file are held equal to it.
 */
export const speaksTo: Readonly<Record<string, Speaker>> = {
  gateway: {
    calls: ['auth', 'profile', 'search', 'billing', 'updates'],
    stores: ['redis'],
    outside: [],
  },
  auth: { calls: ['profile'], stores: ['mongodb', 'redis'], outside: ['mail'] },
  profile: {
    calls: ['auth', 'billing', 'search', 'updates'],
    stores: ['mongodb', 'redis', 'rabbitmq', 's3'],
    outside: ['images'],
  },
  search: { calls: ['auth', 'profile'], stores: ['mongodb', 'rabbitmq', 'elasticsearch'], outside: [] },
  billing: { calls: ['auth', 'profile'], stores: ['mongodb', 'rabbitmq'], outside: [] },
  updates: { calls: ['auth', 'profile'], stores: ['redis', 'rabbitmq'], outside: ['push'] },
};

/** The gateway and every service of the workspace. */
export const parts = ['gateway', ...readdirSync(join(root, 'services'))];

/** Those that keep data in MongoDB. */
export const withDatabase = parts.filter((part) => speaksTo[part]?.stores.includes('mongodb'));
