import { action, type Command } from '@covalence/runtime/command';
import { listenForInterruption } from '@covalence/runtime/interruption';
import type { IndexCommand, IndexContext } from './index-commands.ts';

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

/** Dependencies of the commands of the index. */
interface CommandSettings {
  readonly withService: <Result>(work: (context: IndexContext) => Promise<Result>) => Promise<Result>;
}

/** Adds `index create|rebuild|status|…`. */
export function addIndexCommands(program: Command, { withService }: CommandSettings): void {
  const group = program.command('index').description('the search index of members');
  for (const [name, description] of Object.entries(commands) as [IndexCommand, string][]) {
    group
      .command(name)
      .description(description)
      .action(
        action(async ({ output }) => {
          // Imported lazily, so that --help needs no driver.
          const { runIndexCommand } = await import('./index-commands.ts');
          const interrupted = interruptible.has(name)
            ? listenForInterruption(() => process.exit(1))
            : undefined;
          return withService(
            async (context) =>
              (await runIndexCommand(name, { ...context, interrupted }, output.line, output.data)) === 0,
          );
        }),
      );
  }
}
