import type { Migration } from '@covalence/migrations/migration';
import { claimRestOfSkeletons, claimSkeletons } from './look-alikes.ts';
import { claimRestWithOneI, claimWithOneI } from './one-i.ts';

/** Every migration of the auth database, in order; new ones are added at the end. */
export const migrations: readonly Migration[] = [
  claimWithOneI,
  claimRestWithOneI,
  claimSkeletons,
  claimRestOfSkeletons,
];
