import { CommandError } from '@covalence/runtime/command-error';
import { readToolConfig } from '@covalence/runtime/config';
import { reasonText } from '@covalence/runtime/error-text';
import { createLogger } from '@covalence/runtime/logger';
import { mongoReady } from '@covalence/runtime/mongo';
import type { Context } from '../context.ts';

/** Runs work on the stores of the search service. */
export async function withService(
  environment: NodeJS.ProcessEnv,
  work: (context: Context) => Promise<void>,
): Promise<void> {
  // Imported lazily, so that --help needs neither drivers nor an environment.
  const { configSchema } = await import('../config.ts');
  const { createContext } = await import('../context.ts');
  const config = readToolConfig(configSchema, environment);
  const context = createContext(config, {
    logger: createLogger('search', config.LOG_LEVEL, process.stderr),
    // Exports read whole collections.
    databaseLimitMs: 0,
  });
  try {
    await mongoReady(context.connection);
    await work(context);
  } catch (error) {
    throw error instanceof CommandError ? error : new CommandError(reasonText(error));
  } finally {
    await context.close();
  }
}
