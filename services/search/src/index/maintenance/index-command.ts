import { action, type Command, type Output } from '@covalence/runtime/command';
import { CommandError } from '@covalence/runtime/command-error';
import { readToolConfig } from '@covalence/runtime/config';
import { reasonText } from '@covalence/runtime/error-text';
import { listenForInterruption } from '@covalence/runtime/interruption';
import { createLogger } from '@covalence/runtime/logger';
import { mongoReady } from '@covalence/runtime/mongo';
import type { IndexCommand } from './index-commands.ts';

/** Commands that release their lease and delete an unfinished index when they are interrupted. */
const interruptible = new Set<IndexCommand>(['rebuild', 'shadow', 'rollback']);

const commands: Readonly<Record<IndexCommand, string>> = {
  create: 'create the first index and fill it from the profile service',
  rebuild: 'build a new index, compare it with the profile service and swap; rollback swaps back',
  shadow: 'build a second index, with the mapping of MAPPING_FILE, for comparisons by staff',
  status: 'show the live index, its counts, mapping, lag and drift; exit code 1 if action is needed',
  verify: 'compare a sample of members with their documents; exit code 1 if any differ',
  repair: 'compare every member with the index and write what differs',
  rollback: 'bring the previous index up to date and make it live again',
  drop: 'delete every index but the live one, also those of killed commands',
};

async function run(name: IndexCommand, environment: NodeJS.ProcessEnv, output: Output): Promise<boolean> {
  // Imported lazily, so that --help needs neither drivers nor an environment.
  const { configSchema } = await import('../../config.ts');
  const { createContext } = await import('../../context.ts');
  const { runIndexCommand } = await import('./index-commands.ts');
  const interrupted = interruptible.has(name) ? listenForInterruption(() => process.exit(1)) : undefined;
  const config = readToolConfig(configSchema, environment);
  const context = createContext(config, {
    logger: createLogger('search', config.LOG_LEVEL, process.stderr),
  });
  try {
    await mongoReady(context.connection);
    return (await runIndexCommand(name, { ...context, interrupted }, output.line, output.data)) === 0;
  } catch (error) {
    throw new CommandError(reasonText(error));
  } finally {
    await context.close();
  }
}

/** Adds `index create|rebuild|status|…`; the environment is that of the search service. */
export function addIndexCommands(program: Command, environment: () => NodeJS.ProcessEnv): void {
  const group = program.command('index').description('the search index of members');
  for (const [name, description] of Object.entries(commands) as [IndexCommand, string][]) {
    group
      .command(name)
      .description(description)
      .action(action(({ output }) => run(name, environment(), output)));
  }
}
