import { readToolConfig } from '@covalence/runtime/config';
import { listenForInterruption } from '@covalence/runtime/interruption';
import { createLogger } from '@covalence/runtime/logger';
import { mongoReady } from '@covalence/runtime/mongo';
import { asksForHelp } from '@covalence/runtime/tool-help';
import { reasonText } from '@covalence/runtime/error-text';
import { ignoreBrokenPipe } from '@covalence/runtime/broken-pipe';
import { configSchema } from './config.ts';
import { createContext } from './context.ts';
import { indexUsage, isIndexCommand, runIndexCommand } from './index/index-commands.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);

/** They give the lease back and delete what they began; whatever else is interrupted ends at once. */
const tidy = new Set(['rebuild', 'rollback']);

async function run(name: string): Promise<number> {
  const interrupted = tidy.has(name) ? listenForInterruption(() => process.exit(1)) : undefined;
  const config = readToolConfig(configSchema, process.env);
  const context = createContext(config, {
    logger: createLogger('search', config.LOG_LEVEL, process.stderr),
  });
  try {
    await mongoReady(context.connection);
    return await runIndexCommand(name, { ...context, interrupted }, print);
  } catch (error) {
    process.stderr.write(`${reasonText(error)}\n`);
    return 1;
  } finally {
    await context.close();
  }
}

ignoreBrokenPipe();
const args = process.argv.slice(2);
const [name = '', ...others] = args;
// Commands take nothing: what is said beside one means something else than what it does.
if (!asksForHelp(args) && isIndexCommand(name) && !others.length) process.exitCode = await run(name);
else {
  print(indexUsage.join('\n'));
  process.exitCode = asksForHelp(args) ? 0 : 64;
}
