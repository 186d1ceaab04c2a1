import { runMigrateTool } from '@covalence/migrations/migrate-command';
import { readToolConfig } from '@covalence/runtime/config';
import { configSchema } from './config.ts';
import { createContext } from './context.ts';
import { migrations } from './migrations.ts';

await runMigrateTool('billing', (unhurried) => {
  // What it does is printed; what the service's other clients meet meanwhile is of no interest.
  const config = readToolConfig(configSchema, { ...process.env, LOG_LEVEL: 'error' });
  const context = createContext(config, unhurried);
  return { connection: context.connection, migrations, close: () => context.close() };
});
