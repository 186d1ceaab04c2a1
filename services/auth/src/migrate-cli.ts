import { runMigrateTool } from '@covalence/migrations/migrate-command';
import { readToolConfig } from '@covalence/runtime/config';
import { configSchema } from './config.ts';
import { createContext } from './context.ts';

await runMigrateTool('auth', (unhurried) => {
  // The command prints its progress: logs of store connections would hide it.
  const config = readToolConfig(configSchema, { ...process.env, LOG_LEVEL: 'error' });
  const context = createContext(config, unhurried);
  return { connection: context.mongo, migrations: [], close: () => context.close() };
});
