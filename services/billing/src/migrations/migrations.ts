import type { Migration } from '@covalence/migrations/migration';
import { finishDueTimes, setDueTimes } from './due-at.ts';

/** Every migration of the billing database, in order; new ones are added at the end. */
export const migrations: readonly Migration[] = [setDueTimes, finishDueTimes];
