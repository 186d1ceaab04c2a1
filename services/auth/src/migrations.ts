import type { Migration } from '@covalence/migrations/migration';

/** The migrations of the service in order; new ones are added at the end. */
export const migrations: readonly Migration[] = [];
