import { action, type Command } from '@covalence/runtime/command';
import { UsageError } from '@covalence/runtime/command-error';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CommandSettings } from '../workbench/command-settings.ts';
import { noteIn, readFrom, readSettingsFrom } from '../workbench/read-from.ts';
import type { JudgmentsContext } from './judgments.ts';

interface Options {
  readonly format?: string;
  readonly settings?: string;
  readonly shadow?: true;
  readonly note?: string;
}

const readText = (path: string) => readFrom(path, (one) => readFileSync(one, 'utf8'));

/** Adds `judgments list|export|import|run`. */
export function addJudgmentsCommands(
  program: Command,
  { withService, folder = '.' }: CommandSettings<JudgmentsContext>,
): void {
  const group = program
    .command('judgments')
    .description('sets of searches with graded results, which staff grade in the console (docs/search.md)');

  group
    .command('list')
    .description('list the sets of all sites, with their last run')
    .action(
      action(async ({ output }) => {
        const { listSets } = await import('./judgments-commands.ts');
        await withService((context) => listSets(context, output));
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
        await withService((context) => exportSet(name, format, context, output));
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
        await withService((context) => importFile(name, read, context, output));
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
      action<Options>(async ({ args: [name = ''], options, output }) => {
        const note = noteIn(options);
        const { runAndReport } = await import('./judgments-commands.ts');
        const { settings: file, shadow } = options;
        const change = file === undefined ? undefined : await readSettingsFrom(resolve(folder, file));
        await withService((context) =>
          runAndReport(name, { change, note, index: shadow ? 'shadow' : 'live' }, context, output),
        );
      }),
    );
}
