import { action, type Command } from '@covalence/runtime/command';
import { CommandError, UsageError } from '@covalence/runtime/command-error';
import { problemText, readToolConfig } from '@covalence/runtime/config';
import { listenForInterruption } from '@covalence/runtime/interruption';
import { createLogger } from '@covalence/runtime/logger';
import { resolve } from 'node:path';

/** Where the command runs. */
interface RelevanceSettings {
  /** The environment of the search service. */
  readonly environment: () => NodeJS.ProcessEnv;
  /** Makes a judgment set from seeded members; without it `--judgments` is required. */
  readonly seeded?: (members: number) => Promise<unknown>;
  /** The folder that paths are relative to. */
  readonly folder?: string;
}

interface Options {
  readonly judgments?: string;
  readonly settings?: string;
  readonly mapping?: string;
  readonly members?: string;
}

const defaultMembers = 2_000;

/** Reads a file; an error names it. */
function readFrom<T>(path: string, read: (path: string) => T): T {
  try {
    return read(path);
  } catch (error) {
    throw new CommandError(`${path}:\n${problemText(error)}`);
  }
}

function memberCount(given: string | undefined): number {
  const count = Number(given ?? defaultMembers);
  if (Number.isInteger(count) && count >= 100 && count <= 100_000) return count;
  throw new UsageError('--members takes a whole number from 100 to 100000.');
}

async function judgmentsOf({ judgments, members }: Options, { seeded, folder = '.' }: RelevanceSettings) {
  const { judgmentSetSchema, readJudgments } = await import('./judgment-set.ts');
  if (judgments !== undefined) return readFrom(resolve(folder, judgments), readJudgments);
  if (!seeded) throw new UsageError('--judgments is required here.');
  return judgmentSetSchema.parse(await seeded(memberCount(members)));
}

/** Adds `relevance`, the relevance lab. */
export function addRelevanceCommand(program: Command, lab: RelevanceSettings): void {
  const command = program
    .command('relevance')
    .description(
      'measure search quality against a judgment set: nDCG@10, precision and recall of the current settings, and of changed ones beside them',
    )
    .option('--settings <file>', 'a changed services/search/settings/relevance.json')
    .option('--mapping <file>', 'a changed services/search/settings/mapping.json')
    .option('--judgments <file>', 'a judgment set of your own, see docs/search.md');
  if (lab.seeded) {
    command.option('--members <count>', `how many seeded members are judged (default ${defaultMembers})`);
  }
  command.action(
    action<Options>(async ({ options, output }) => {
      // Imported lazily, so that --help needs neither drivers nor an environment.
      const { readMapping } = await import('../index/mapping.ts');
      const { readRelevance } = await import('../relevance/relevance-settings.ts');
      const { configSchema } = await import('../config.ts');
      const { createContext } = await import('../context.ts');
      const { compareVariants } = await import('./compare-settings.ts');
      const { reportLines } = await import('./report.ts');
      const set = await judgmentsOf(options, lab);
      const config = readToolConfig(configSchema, lab.environment());
      const fileOr = <T>(file: string | undefined, read: (path: string) => T, current: T) =>
        file === undefined ? current : readFrom(resolve(lab.folder ?? '.', file), read);
      const current = { settings: config.RELEVANCE_FILE, mapping: config.MAPPING_FILE };
      const changed = {
        settings: fileOr(options.settings, readRelevance, current.settings),
        mapping: fileOr(options.mapping, readMapping, current.mapping),
      };
      const variants = options.settings || options.mapping ? [current, changed] : [current];
      const interrupted = listenForInterruption(() => process.exit(1));
      const context = createContext(config, {
        logger: createLogger('search', config.LOG_LEVEL, process.stderr),
      });
      try {
        const judged = await compareVariants(set, variants, context, interrupted);
        for (const line of reportLines(judged)) output.line(line);
        output.data(judged);
      } finally {
        await context.close();
      }
    }),
  );
}
