import type { Migration } from '@covalence/migrations/migration';

/**
 * Every migration of the profile database in order; add new ones at the end. Indexes need none: a process creates those that
 * are missing when it starts.
 */
export const migrations: readonly Migration[] = [];
