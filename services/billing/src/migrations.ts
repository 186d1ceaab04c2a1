import type { Migration } from '@covalence/migrations/migration';

/** Every migration of the billing database, in order; new ones are added at the end. */
export const migrations: readonly Migration[] = [];
