import { action, type Command } from '@covalence/runtime/command';
import { UsageError } from '@covalence/runtime/command-error';
import { listenForInterruption } from '@covalence/runtime/interruption';
import { resolve } from 'node:path';
import type { LabContext } from '../evaluation/compare-settings.ts';
import type { IndexMapping } from '../index/mapping.ts';
import type { RelevanceFile } from '../relevance/relevance-settings.ts';
import type { SearchesContext } from '../searches/searches.ts';
import type { SettingsContent } from '../settings/search-settings.ts';
import { readFrom, readSettingsFrom } from './read-from.ts';

/** Settings and dependencies of a comparison. */
interface Lab {
  readonly config: { readonly RELEVANCE_FILE: RelevanceFile; readonly MAPPING_FILE: IndexMapping };
  readonly context: LabContext | SearchesContext;
  /** The published settings in force. */
  readonly content: SettingsContent | undefined;
}

/** Opens the search service, or Elasticsearch alone, which is enough for a set with its own members. */
export type WithLab = (needs: 'search' | 'elasticsearch', work: (lab: Lab) => Promise<void>) => Promise<void>;

interface CommandSettings {
  readonly withLab: WithLab;
  /** Makes a judgment set from seeded members; without it `--judgments` is required. */
  readonly seeded?: (members: number) => Promise<unknown>;
  /** The folder that paths are relative to. */
  readonly folder?: string;
  /** Ends a comparison early; by default, signals to the process do. */
  readonly interrupted?: AbortSignal;
}

interface Options {
  readonly judgments?: string;
  readonly settings?: string;
  readonly mapping?: string;
  readonly members?: string;
  readonly show?: string | true;
}

const defaultMembers = 2_000;

function memberCount(members: string | undefined): number {
  const count = Number(members ?? defaultMembers);
  if (Number.isInteger(count) && count >= 100 && count <= 100_000) return count;
  throw new UsageError('--members takes a whole number from 100 to 100000.');
}

async function judgmentsOf({ judgments, members }: Options, { seeded, folder = '.' }: CommandSettings) {
  const { judgmentSetSchema, readJudgments } = await import('../evaluation/judgment-set.ts');
  if (judgments !== undefined) return readFrom(resolve(folder, judgments), readJudgments);
  if (!seeded) throw new UsageError('Set --judgments FILE: this image has no seeded members.');
  return judgmentSetSchema.parse(await seeded(memberCount(members)));
}

/** Adds `relevance`. */
export function addRelevanceCommand(program: Command, settings: CommandSettings): void {
  const command = program
    .command('relevance')
    .description(
      'measure nDCG@10, precision and recall of the current and of changed settings by a judgment set',
    )
    .addHelpText('after', '\nA judgment set that has members needs only Elasticsearch (ELASTICSEARCH_URL).')
    .option('--settings <file>', 'changed search settings, as `search-settings publish` takes them')
    .option('--mapping <file>', 'a changed services/search/settings/mapping.json')
    .option('--judgments <file>', 'a judgment set, see docs/search.md')
    .option(
      '--show [search]',
      'which members moved, and why, in the searches whose metrics changed, or in one search',
    );
  if (settings.seeded) {
    command.option('--members <count>', `how many seeded members are judged (default ${defaultMembers})`);
  }
  command.action(
    action<Options>(async ({ options, output }) => {
      const { readMapping } = await import('../index/mapping.ts');
      const { compileSettings, noContent, ofFile } = await import('../settings/search-settings.ts');
      const { compareVariants } = await import('../evaluation/compare-settings.ts');
      const { reportLines, resultLines } = await import('../evaluation/report.ts');
      const all = await judgmentsOf(options, settings);
      const { show } = options;
      const searches = all.searches.filter(({ name }) => typeof show !== 'string' || name === show);
      if (!searches.length) throw new UsageError(`--show: the set has no search '${show}'.`);
      const set = { ...all, searches };
      const pathOf = (file: string) => resolve(settings.folder ?? '.', file);
      const { interrupted = listenForInterruption(() => process.exit(1)) } = settings;
      await settings.withLab(set.members ? 'elasticsearch' : 'search', async (lab) => {
        const { config, context, content = noContent } = lab;
        const file = ofFile(config.RELEVANCE_FILE);
        const given =
          options.settings === undefined ? undefined : await readSettingsFrom(pathOf(options.settings));
        const current = { settings: compileSettings(0, content, file), mapping: config.MAPPING_FILE };
        const changed = {
          settings: compileSettings(0, { ...content, ...given }, file),
          mapping:
            options.mapping === undefined ? current.mapping : readFrom(pathOf(options.mapping), readMapping),
        };
        const variants = given || options.mapping ? [current, changed] : [current];
        const judged = await compareVariants(set, variants, context, interrupted);
        for (const line of reportLines(judged)) output.line(line);
        for (const line of show === undefined ? [] : resultLines(judged, searches)) output.line(line);
        output.data(judged.map(({ found, ...rest }) => (show === undefined ? rest : { ...rest, found })));
      });
    }),
  );
}
