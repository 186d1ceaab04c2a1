import { migrationsOf } from '@covalence/migrations/migrate-command';
import { configSchema } from './config.ts';
import { createContext } from './context.ts';
import { waitingIndexMigration } from './members/store/waiting-index-migration.ts';

/** Opens the database of the service for `covalence migrate`. */
export const openMigrations = migrationsOf(configSchema, createContext, [waitingIndexMigration]);
