import { problemText, readToolConfig } from '@covalence/runtime/config';
import { listenForInterruption } from '@covalence/runtime/interruption';
import { errorText } from '@covalence/runtime/error-text';
import { asksForHelp } from '@covalence/runtime/tool-help';
import { createLogger } from '@covalence/runtime/logger';
import { ignoreBrokenPipe } from '@covalence/runtime/broken-pipe';
import { parseArgs } from 'node:util';
import { configSchema } from './config.ts';
import { createContext } from './context.ts';
import { readMapping } from './index/mapping.ts';
import { compareVariants } from './workbench/compare-settings.ts';
import { readJudgments } from './workbench/judgment-set.ts';
import { reportLines } from './workbench/report.ts';
import { readRelevance } from './relevance/relevance-settings.ts';

const usage = 'relevance --judgments FILE [--settings FILE] [--mapping FILE]';

const readOptions = () => {
  const file = { type: 'string' } as const;
  const { values } = parseArgs({ options: { judgments: file, settings: file, mapping: file } });
  if (!values.judgments) throw new Error(usage);
  return { ...values, judgments: values.judgments };
};

/** Reads a file that was named, whose name stands before whatever is wrong with it. */
function readFrom<T>(path: string, read: (path: string) => T): T {
  try {
    return read(path);
  } catch (error) {
    throw new Error(`${path}:\n${problemText(error)}`, { cause: error });
  }
}

async function run(): Promise<void> {
  const options = readOptions();
  const set = readFrom(options.judgments, readJudgments);
  const config = readToolConfig(configSchema, process.env);
  const current = { settings: config.RELEVANCE_FILE, mapping: config.MAPPING_FILE };
  const changed = {
    settings: options.settings ? readFrom(options.settings, readRelevance) : current.settings,
    mapping: options.mapping ? readFrom(options.mapping, readMapping) : current.mapping,
  };
  const variants = options.settings || options.mapping ? [current, changed] : [current];
  const interrupted = listenForInterruption(() => process.exit(1));
  const context = createContext(config, {
    logger: createLogger('search', config.LOG_LEVEL, process.stderr),
  });
  try {
    const judged = await compareVariants(set, variants, context, interrupted);
    for (const line of reportLines(judged)) process.stdout.write(`${line}\n`);
  } finally {
    await context.close();
  }
}

ignoreBrokenPipe();
if (asksForHelp(process.argv)) process.stdout.write(`${usage}\n`);
else {
  await run().catch((error: unknown) => {
    process.stderr.write(`${errorText(error)}\n`);
    process.exitCode = 1;
  });
}
