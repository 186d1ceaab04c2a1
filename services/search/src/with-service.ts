import { CommandError } from '@covalence/runtime/command-error';
import { readToolConfig } from '@covalence/runtime/config';
import { reasonText } from '@covalence/runtime/error-text';
import { createLogger } from '@covalence/runtime/logger';
import { mongoReady } from '@covalence/runtime/mongo';
import type { Context } from './context.ts';
import type { WithLab } from './workbench/relevance-command.ts';

const loggerAt = (level: string) => createLogger('search', level, process.stderr);

/** A function that runs the work of a command on the search service of an environment. */
export const withServiceIn =
  (environment: () => NodeJS.ProcessEnv) =>
  async <Result>(work: (context: Context) => Promise<Result>): Promise<Result> => {
    // Imported lazily, so that --help needs neither drivers nor an environment.
    const { configSchema } = await import('./config.ts');
    const { createContext } = await import('./context.ts');
    const config = readToolConfig(configSchema, environment());
    // Exports read whole collections.
    const context = createContext(config, { logger: loggerAt(config.LOG_LEVEL), databaseLimitMs: 0 });
    try {
      await mongoReady(context.connection);
      return await work(context);
    } catch (error) {
      throw error instanceof CommandError ? error : new CommandError(reasonText(error));
    } finally {
      await context.close();
    }
  };

async function openLab(needs: Parameters<WithLab>[0], environment: NodeJS.ProcessEnv) {
  const { configSchema, labConfigSchema } = await import('./config.ts');
  const { createContext, createLabContext } = await import('./context.ts');
  if (needs === 'elasticsearch') {
    const config = readToolConfig(labConfigSchema, environment);
    return { config, context: createLabContext(config, loggerAt(config.LOG_LEVEL)) };
  }
  const config = readToolConfig(configSchema, environment);
  return { config, context: createContext(config, { logger: loggerAt(config.LOG_LEVEL) }) };
}

/** A function that runs a comparison on the search service of an environment, or on Elasticsearch alone. */
export const withLabIn =
  (environment: (needs: Parameters<WithLab>[0]) => NodeJS.ProcessEnv): WithLab =>
  async (needs, work) => {
    const { config, context } = await openLab(needs, environment(needs));
    try {
      if (context.connection) await mongoReady(context.connection);
      const content = await context.settings?.store.inForce();
      await work({ config, context, content: content?.content });
    } finally {
      await context.close();
    }
  };
