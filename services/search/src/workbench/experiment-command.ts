import { action, type Command, type Output } from '@covalence/runtime/command';
import { CommandError, UsageError } from '@covalence/runtime/command-error';
import { pluralize } from '@covalence/runtime/pluralize';
import { resolve } from 'node:path';
import type { SearchesContext } from '../searches/searches.ts';
import type { Experiment } from '../usage/experiment-store.ts';
import type { CommandSettings } from './command-settings.ts';
import { noteIn, readSettingsFrom } from './read-from.ts';

interface Options {
  readonly settings?: string;
  readonly sites?: string;
  readonly note?: string;
}

function sitesIn(text: string | undefined): number[] {
  if (text === undefined) return [];
  if (!/^[1-9]\d*(,[1-9]\d*)*$/.test(text)) throw new UsageError('--sites takes siteids: 1,4.');
  return text.split(',').map(Number);
}

const whyEnded = {
  stopped: 'stopped',
  decided: 'ended with the verdict',
  time: 'ended after its longest time',
  settings: 'ended because other settings, another mapping or USAGE_SECRET came in force',
} as const;

/** Prints what an experiment says so far. */
async function show(experiment: Experiment, { usage }: SearchesContext, output: Output): Promise<void> {
  const { resultOf } = await import('../usage/judge-experiment.ts');
  const { name, note, started, stopped, ended, against, weeks, better } = experiment;
  const { searches, searchers, waiting, wins, pValue } = await resultOf(experiment, usage.store);
  const which = { a: `a, version ${against.settings}`, b: 'b, the settings of the file' };
  const until = stopped ? `${stopped.toISOString()}, ${whyEnded[ended ?? 'stopped']}` : 'now';
  output.line(`${name}: ${started.toISOString()} to ${until}${note && `; ${note}`}`);
  output.line(
    `${pluralize(searchers, 'searcher')} of ${pluralize(weeks.length, 'complete week')}, ${searches} searches; ${waiting} searches wait for the end of theirs`,
  );
  output.line(
    `preferred ${which.a}: ${wins.a}; ${which.b}: ${wins.b}; chance of this if both are equally good: at most ${pValue.toPrecision(2)}`,
  );
  output.line(better ? `better: ${which[better]}` : 'no verdict yet');
  output.data({ ...experiment, waiting, wins, pValue });
}

/** Adds `experiment start|list|show|stop`. */
export function addExperimentCommands(
  program: Command,
  { withService, folder = '.' }: CommandSettings<SearchesContext>,
): void {
  const group = program
    .command('experiment')
    .description('compare two rankings by what members do with interleaved results (docs/search.md)');

  group
    .command('start')
    .description('interleave the results of the settings in force with those of a file')
    .argument('<name>')
    .requiredOption('--settings <file>', 'changed search settings, as `search-settings publish` takes them')
    .option('--sites <ids>', 'siteids, by default all')
    .option('--note <text>', 'why')
    .action(
      action<Options>(async ({ args: [name = ''], options, output }) => {
        const { nameForm, startExperiment } = await import('./start-experiment.ts');
        if (!nameForm.test(name))
          throw new UsageError('A name has up to 40 lowercase letters, digits and hyphens.');
        const sites = sitesIn(options.sites);
        const note = noteIn(options);
        const file = await readSettingsFrom(resolve(folder, options.settings ?? ''));
        await withService(async (context) => {
          const against = await startExperiment({ name, note, sites, ...file }, context);
          output.line(`${name} runs: every search process follows within seconds`);
          output.data({ name, against, sites });
        });
      }),
    );

  group
    .command('list')
    .description('list all experiments, the last one first')
    .action(
      action(({ output }) =>
        withService(async ({ usage }) => {
          const all = await usage.experiments.list();
          for (const { name, note, started, stopped, better } of all) {
            const until = stopped ? stopped.toISOString() : 'now';
            const verdict = better ? `better: ${better}` : 'no verdict';
            output.line(`${name}: ${started.toISOString()} to ${until}, ${verdict}${note && `; ${note}`}`);
          }
          if (!all.length) output.line('there was no experiment');
          output.data(all);
        }),
      ),
    );

  group
    .command('show')
    .description('count what members did, and say which ranking is better; default: the last one')
    .argument('[name]')
    .action(
      action(({ args: [name], output }) =>
        withService(async (context) => {
          const { experiments } = context.usage;
          const found = name === undefined ? (await experiments.list())[0] : await experiments.find(name);
          if (!found)
            throw new CommandError(
              name === undefined ? 'There was no experiment.' : `There is no '${name}'.`,
            );
          await show(found, context, output);
        }),
      ),
    );

  group
    .command('stop')
    .description('end the experiment: every search uses the settings in force again')
    .argument('<name>')
    .action(
      action(({ args: [name = ''], output }) =>
        withService(async ({ usage }) => {
          if (!(await usage.experiments.stop(name))) throw new CommandError(`'${name}' does not run.`);
          output.line(`${name} is stopped: every search process follows within seconds`);
          output.data({ name });
        }),
      ),
    );
}
