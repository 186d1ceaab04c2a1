import { runMigrateTool } from '@covalence/migrations/migrate-command';
import { readToolConfig } from '@covalence/runtime/config';
import { configSchema } from './config.ts';
import { createContext } from './context.ts';
import { migrations } from './migrations.ts';

await runMigrateTool('profile', (unhurried) => {
  // The tool prints what it does; warnings of the service's other clients would only distract.
  const config = readToolConfig(configSchema, { ...process.env, LOG_LEVEL: 'error' });
  const context = createContext(config, unhurried);
  return { connection: context.connection, migrations, close: () => context.close() };
});
