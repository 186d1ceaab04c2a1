import { migrationsOf } from '@covalence/migrations/migrate-command';
import { configSchema } from './config.ts';
import { createContext } from './context.ts';
import { migrations } from './migrations.ts';
import { sharding } from './sharding.ts';

/** Opens the database of the service for `covalence migrate`. */
export const openMigrations = migrationsOf(configSchema, createContext, migrations, sharding);
