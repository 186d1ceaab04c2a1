import { CommandError } from '@covalence/runtime/command-error';
import { readToolConfig } from '@covalence/runtime/config';
import { reasonText } from '@covalence/runtime/error-text';
import { createLogger } from '@covalence/runtime/logger';
import { mongoReady } from '@covalence/runtime/mongo';
import type { Context, Overrides } from '../context.ts';

/** The environment of the commands, which is that of the search service, and the folder that paths are relative to. */
export interface CommandSettings {
  readonly environment: () => NodeJS.ProcessEnv;
  readonly folder?: string;
}

/** Runs work on the stores of the search service. Without `databaseLimitMs`, calls of MongoDB have no limit: exports read whole collections. */
export async function withService<Result>(
  { environment }: CommandSettings,
  work: (context: Context) => Promise<Result>,
  overrides: Pick<Overrides, 'databaseLimitMs'> = { databaseLimitMs: 0 },
): Promise<Result> {
  // Imported lazily, so that --help needs neither drivers nor an environment.
  const { configSchema } = await import('../config.ts');
  const { createContext } = await import('../context.ts');
  const config = readToolConfig(configSchema, environment());
  const context = createContext(config, {
    logger: createLogger('search', config.LOG_LEVEL, process.stderr),
    ...overrides,
  });
  try {
    await mongoReady(context.connection);
    return await work(context);
  } catch (error) {
    throw error instanceof CommandError ? error : new CommandError(reasonText(error));
  } finally {
    await context.close();
  }
}
