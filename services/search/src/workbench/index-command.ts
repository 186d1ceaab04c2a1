import { action, type Command, type Output } from '@covalence/runtime/command';
import { listenForInterruption } from '@covalence/runtime/interruption';
import type { IndexCommand } from '../index/maintenance/index-commands.ts';
import { withService, type CommandSettings } from './with-service.ts';

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

async function run(name: IndexCommand, settings: CommandSettings, output: Output): Promise<boolean> {
  const { runIndexCommand } = await import('../index/maintenance/index-commands.ts');
  const interrupted = interruptible.has(name) ? listenForInterruption(() => process.exit(1)) : undefined;
  const code = await withService(
    settings,
    (context) => runIndexCommand(name, { ...context, interrupted }, output.line, output.data),
    {},
  );
  return code === 0;
}

/** Adds `index create|rebuild|status|…`. */
export function addIndexCommands(program: Command, settings: CommandSettings): void {
  const group = program.command('index').description('the search index of members');
  for (const [name, description] of Object.entries(commands) as [IndexCommand, string][]) {
    group
      .command(name)
      .description(description)
      .action(action(({ output }) => run(name, settings, output)));
  }
}
