import { action, type Command, type Output } from '@covalence/runtime/command';
import { CommandError, UsageError } from '@covalence/runtime/command-error';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SearchContext } from '../context.ts';
import type { Experiment } from '../usage/experiment-store.ts';
import { readFrom } from './read-from.ts';
import { withService } from './with-service.ts';

/** The environment of the commands, which is that of the search service, and the folder that paths are relative to. */
interface CommandSettings {
  readonly environment: () => NodeJS.ProcessEnv;
  readonly folder?: string;
}

interface Options {
  readonly settings?: string;
  readonly sites?: string;
}

const nameForm = /^[a-z0-9][a-z0-9-]{0,39}$/;

function sitesIn(text: string | undefined): number[] {
  if (text === undefined) return [];
  if (!/^[1-9]\d*(,[1-9]\d*)*$/.test(text)) throw new UsageError('--sites takes siteids: 1,4.');
  return text.split(',').map(Number);
}

const percent = (value: number) => value.toPrecision(2);

/** Prints what an experiment says so far. */
async function show(experiment: Experiment, { usage, clock }: SearchContext, output: Output): Promise<void> {
  const { judgeExperiment } = await import('../usage/judge-experiment.ts');
  const { name, started, stopped, against } = experiment;
  const outcome = await judgeExperiment(experiment, usage.store, clock());
  const { searches, settled, wins, pValue, better } = outcome;
  const which = { a: `a, version ${against}`, b: 'b, the settings of the file' };
  output.line(`${name}: ${started.toISOString()} to ${stopped?.toISOString() ?? 'now'}`);
  output.line(`searches: ${searches}, ${settled} of them on days that are complete`);
  output.line(`won by ${which.a}: ${wins.a}; by ${which.b}: ${wins.b}; p at most ${percent(pValue)}`);
  output.line(better ? `better: ${which[better]}` : 'no verdict yet');
  output.data({ name, started, stopped, against, ...outcome });
}

/** Adds `experiment start|show|stop`. */
export function addExperimentCommands(
  program: Command,
  { environment, folder = '.' }: CommandSettings,
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
    .action(
      action<Options>(async ({ args: [name = ''], options, output }) => {
        if (!nameForm.test(name))
          throw new UsageError('A name has small letters, digits and hyphens, up to 40.');
        const sites = sitesIn(options.sites);
        const { readSettings } = await import('../settings/read-settings.ts');
        const path = resolve(folder, options.settings ?? '');
        const { relevance } = readFrom(path, (file) => readSettings(readFileSync(file, 'utf8')));
        if (!relevance) throw new CommandError(`${path} has no relevance settings to compare.`);
        await withService(environment(), async ({ usage, settings: { active } }) => {
          const against = (await active.refresh()).version;
          if (!(await usage.experiments.start({ name, settings: relevance, against, sites }))) {
            throw new CommandError(`'${name}' has been used, or another experiment runs.`);
          }
          output.line(`${name} runs: every search process follows within seconds`);
          output.data({ name, against, sites });
        });
      }),
    );

  group
    .command('show')
    .description(
      'count what members did, and say which ranking is better; by default the running or last one',
    )
    .argument('[name]')
    .action(
      action(({ args: [name], output }) =>
        withService(environment(), async (context) => {
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
    .description('end it: every search has the order of the settings in force again')
    .argument('<name>')
    .action(
      action(({ args: [name = ''], output }) =>
        withService(environment(), async ({ usage }) => {
          if (!(await usage.experiments.stop(name))) throw new CommandError(`'${name}' does not run.`);
          output.line(`${name} is stopped: every search process follows within seconds`);
          output.data({ name });
        }),
      ),
    );
}
