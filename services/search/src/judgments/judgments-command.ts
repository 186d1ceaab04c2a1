import { action, type Command } from '@covalence/runtime/command';
import { UsageError } from '@covalence/runtime/command-error';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readFrom } from '../workbench/read-from.ts';
import { withService } from '../workbench/with-service.ts';

/** The environment of the commands, which is that of the search service, and the folder that paths are relative to. */
interface CommandSettings {
  readonly environment: () => NodeJS.ProcessEnv;
  readonly folder?: string;
}

interface Options {
  readonly format?: string;
  readonly settings?: string;
  readonly shadow?: true;
  readonly note?: string;
}

/** Characters of a note. */
const mostNote = 200;

const readText = (path: string) => readFrom(path, (one) => readFileSync(one, 'utf8'));

/** Adds `judgments list|export|import|run`. */
export function addJudgmentsCommands(program: Command, { environment, folder = '.' }: CommandSettings): void {
  const group = program
    .command('judgments')
    .description('sets of searches with graded results, which staff grade in the console (docs/search.md)');

  group
    .command('list')
    .description('list the sets of all sites, with their last run')
    .action(
      action(async ({ output }) => {
        const { listSets } = await import('./judgments-commands.ts');
        await withService(environment(), (context) => listSets(context, output));
      }),
    );

  group
    .command('export')
    .description('print the grades: json for `relevance --judgments`, quepid (CSV), or trec (qrels)')
    .argument('<set>', 'its name or id')
    .option('--format <format>', 'json, quepid or trec', 'json')
    .action(
      action<Options>(async ({ args: [name = ''], options, output }) => {
        const { formats } = await import('./formats.ts');
        const { exportSet } = await import('./judgments-commands.ts');
        const format = [...formats, 'json' as const].find((one) => one === options.format);
        if (!format) throw new UsageError('--format takes json, quepid or trec.');
        await withService(environment(), (context) => exportSet(name, format, context, output));
      }),
    );

  group
    .command('import')
    .description('add the grades of a file, quepid (CSV) or trec (qrels), to the searches of a set')
    .argument('<set>', 'its name or id')
    .argument('<file>')
    .requiredOption('--format <format>', 'quepid or trec')
    .action(
      action<Options>(async ({ args: [name = '', file = ''], options, output }) => {
        const { formats } = await import('./formats.ts');
        const { importFile } = await import('./judgments-commands.ts');
        const format = formats.find((one) => one === options.format);
        if (!format) throw new UsageError('--format takes quepid or trec.');
        const path = resolve(folder, file);
        const read = { path, text: readText(path), format };
        await withService(environment(), (context) => importFile(name, read, context, output));
      }),
    );

  group
    .command('run')
    .description('run the searches of a set, keep the metrics, and say who moved since the last run')
    .argument('<set>', 'its name or id')
    .option('--settings <file>', 'changed search settings, as `search-settings publish` takes them')
    .option('--shadow', 'search the index of `index shadow`')
    .option('--note <text>', 'a note for the list')
    .action(
      action<Options>(async ({ args: [name = ''], options: { settings, shadow, note = '' }, output }) => {
        if (note.length > mostNote) throw new UsageError(`--note takes up to ${mostNote} characters.`);
        const { readSettings } = await import('../settings/read-settings.ts');
        const { runAndReport } = await import('./judgments-commands.ts');
        const path = settings === undefined ? undefined : resolve(folder, settings);
        const change =
          path === undefined ? undefined : readFrom(path, (one) => readSettings(readFileSync(one, 'utf8')));
        await withService(environment(), (context) =>
          runAndReport(name, { change, note, index: shadow ? 'shadow' : 'live' }, context, output),
        );
      }),
    );
}
