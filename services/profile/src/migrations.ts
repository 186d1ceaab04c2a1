import { uuidIndexMigration } from './members/store/uuid-index-migration.ts';
import { waitingIndexMigration } from './members/store/waiting-index-migration.ts';

/** The migrations of the service in order; new ones are added at the end. */
export const migrations = [waitingIndexMigration, uuidIndexMigration];
