import type { OpenMigrations } from '@covalence/migrations/migrate-command';
import { readToolConfig } from '@covalence/runtime/config';
import { configSchema } from './config.ts';
import { createContext } from './context.ts';

/** Opens the database of the service for `covalence migrate`. */
export const openMigrations: OpenMigrations = (environment, limits) => {
  const context = createContext(readToolConfig(configSchema, environment), limits);
  return {
    connection: context.connection,
    migrations: [],
    close: () => context.close(),
  };
};
