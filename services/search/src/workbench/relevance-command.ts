import { action, type Command } from '@covalence/runtime/command';
import { CommandError, UsageError } from '@covalence/runtime/command-error';
import { problemText, readToolConfig } from '@covalence/runtime/config';
import { listenForInterruption } from '@covalence/runtime/interruption';
import { createLogger } from '@covalence/runtime/logger';
import { resolve } from 'node:path';

/** The environment of the command. */
interface CommandSettings {
  /** The environment variables of the search service. */
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

function memberCount(members: string | undefined): number {
  const count = Number(members ?? defaultMembers);
  if (Number.isInteger(count) && count >= 100 && count <= 100_000) return count;
  throw new UsageError('--members takes a whole number from 100 to 100000.');
}

async function judgmentsOf({ judgments, members }: Options, { seeded, folder = '.' }: CommandSettings) {
  const { judgmentSetSchema, readJudgments } = await import('./judgment-set.ts');
  if (judgments !== undefined) return readFrom(resolve(folder, judgments), readJudgments);
  if (!seeded) throw new UsageError('--judgments is required here.');
  return judgmentSetSchema.parse(await seeded(memberCount(members)));
}

/** Adds `relevance`. */
export function addRelevanceCommand(program: Command, settings: CommandSettings): void {
  const command = program
    .command('relevance')
    .description(
      'measure search quality with a judgment set: nDCG@10, precision and recall, with the current settings and with changed ones',
    )
    .option('--settings <file>', 'a changed services/search/settings/relevance.json')
    .option('--mapping <file>', 'a changed services/search/settings/mapping.json')
    .option('--judgments <file>', 'a judgment set, see docs/search.md');
  if (settings.seeded) {
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
      const set = await judgmentsOf(options, settings);
      const config = readToolConfig(configSchema, settings.environment());
      const fileOr = <T>(file: string | undefined, read: (path: string) => T, current: T) =>
        file === undefined ? current : readFrom(resolve(settings.folder ?? '.', file), read);
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
