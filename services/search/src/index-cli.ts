import { readToolConfig } from '@covalence/runtime/config';
import { mongoReady } from '@covalence/runtime/mongo';
import { configSchema } from './config.ts';
import { createContext } from './context.ts';
import { runIndexCommand } from './index-commands.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);

const context = createContext(readToolConfig(configSchema, process.env));
try {
  await mongoReady(context.connection);
  process.exitCode = await runIndexCommand(process.argv[2] ?? '', context, print);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await context.close();
}
