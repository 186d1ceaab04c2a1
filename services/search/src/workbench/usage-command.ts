import { action, type Command } from '@covalence/runtime/command';
import { UsageError } from '@covalence/runtime/command-error';
import { withService } from './with-service.ts';

/** The environment of the commands, which is that of the search service. */
interface CommandSettings {
  readonly environment: () => NodeJS.ProcessEnv;
}

interface Options {
  readonly since?: string;
}

const dayForm = /^\d{4}-\d\d-\d\d$/;

/** The first day that a command reads; by default everything that is kept. */
function firstDay(since: string | undefined): Date {
  if (since === undefined) return new Date(0);
  const day = new Date(since);
  // The 30th of February would be a day in March.
  if (!dayForm.test(since) || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(since)) {
    throw new UsageError('--since takes a day: 2026-03-01.');
  }
  return day;
}

/** Adds `usage export`. */
export function addUsageCommands(program: Command, { environment }: CommandSettings): void {
  const group = program
    .command('usage')
    .description('recorded searches and what followed, under pseudonyms (docs/search.md)');

  group
    .command('export')
    .description('print them as JSON lines in the schema of User Behavior Insights: queries, then events')
    .option('--since <day>', 'from this day (UTC) on')
    .action(
      action<Options>(async ({ options, output }) => {
        const day = firstDay(options.since);
        const { ubiEvent, ubiQuery } = await import('../usage/ubi.ts');
        await withService(environment(), async ({ usage }) => {
          for await (const search of usage.store.searchesSince(day))
            output.line(JSON.stringify(ubiQuery(search)));
          for await (const done of usage.store.actionsSince(day)) output.line(JSON.stringify(ubiEvent(done)));
        });
      }),
    );
}
