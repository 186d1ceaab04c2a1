import { runMigrateCommand } from '@covalence/migrations/migrate-command';
import { readConfig } from '@covalence/runtime/config';
import { configSchema } from './config.ts';
import { createContext } from './context.ts';

// What it does is printed; what the service's other clients meet meanwhile is of no interest.
const config = readConfig(configSchema, {
  ...process.env,
  PORT: '0',
  MANAGEMENT_PORT: '0',
  LOG_LEVEL: 'error',
});
const context = createContext(config);
process.exitCode = await runMigrateCommand(process.argv[2] ?? '', {
  connection: context.connection,
  migrations: [],
  print: (line) => process.stdout.write(`search: ${line}\n`),
});
await context.close();
