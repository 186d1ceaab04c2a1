import { errorAtTerminal } from '@covalence/runtime/command-error';
import { listenForInterruption } from '@covalence/runtime/interruption';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { addressVariables } from '../address-variable.ts';
import { root, type DataFolder } from '../checkout.ts';
import { requireCommand } from '../engines/debian-packages.ts';
import { startEngines } from '../engines/engines.ts';
import { browserCommands, browserPackage } from '../engines/find-command.ts';
import { clearDeadRuns, runFolder } from '../processes/run-folder.ts';
import { stopAll } from '../start-together.ts';
import { createConsole } from './console.ts';
import { runNode } from './run-node.ts';

const reportSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  /** Suites that failed before their tests ran. */
  numRuntimeErrorTestSuites: z.int(),
});

/** `N passed, N failed`, from the report of jest; a run without a report has failed. */
function countOf(reportFile: string): string {
  if (!existsSync(reportFile)) return '0 passed, 1 failed';
  const report = reportSchema.parse(JSON.parse(readFileSync(reportFile, 'utf8')));
  return `${report.numPassedTests} passed, ${report.numFailedTests + report.numRuntimeErrorTestSuites} failed`;
}

const endWithParent = fileURLToPath(new URL('end-with-parent.js', import.meta.url));

/** Options of Node.js for jest, and jest itself. */
const jest = [
  '--disable-warning=ExperimentalWarning',
  '--import',
  endWithParent,
  join(root, 'node_modules/jest/bin/jest.js'),
];

/** Finds or installs the browser for tests of pages. Without one the run continues, and these tests fail. */
async function requireBrowser(
  data: DataFolder,
  environment: NodeJS.ProcessEnv,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const options = { dataDir: data.engines, logDir: data.logs, environment, progress: say, signal };
  try {
    const path = await requireCommand({
      title: 'Chromium',
      commands: browserCommands(environment),
      package: browserPackage,
      variable: 'CHROMIUM',
      options,
    });
    return { CHROMIUM: path };
  } catch (error) {
    say(errorAtTerminal(error));
    return {};
  }
}

/** Elasticsearch lives too briefly in a test run for thorough compilation to pay. */
const startingQuickly = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...environment,
  ES_JAVA_OPTS: `-XX:TieredStopAtLevel=1 ${environment['ES_JAVA_OPTS'] ?? ''}`.trim(),
});

/** Starts engines for the run, runs jest on them and stops them; resolves with jest's exit code. */
async function runOnEngines(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  data: DataFolder,
  say: (line: string) => void,
): Promise<number> {
  const stopped = listenForInterruption(() => process.exit(1));
  const browser = await requireBrowser(data, environment, say, stopped);
  const engines = await startEngines({
    dataDir: data.engines,
    logDir: data.logs,
    environment,
    progress: say,
    signal: stopped,
  });
  try {
    const variables = {
      ...environment,
      ...addressVariables(Object.values(engines).map(({ name, url }) => [name, url])),
      ...(Object.values(engines).every(({ origin }) => origin !== 'environment') && {
        SERVICE_USERS: 'true',
      }),
      TEST_DATA_DIR: data.path,
      ...browser,
    };
    return await runNode([...jest, ...args], variables, stopped);
  } finally {
    await stopAll(Object.values(engines));
  }
}

/** The suites with a browser, which jest.config.mjs leaves out. A browser needs a core. */
const browserSuites = ['--testMatch=**/*.browser.test.ts', '--maxWorkers=2'];

/**
 * `npm test`: runs jest with these arguments on engines of its own; `--browser` before them chooses the suites with a
 * browser. Resolves with jest's exit code.
 */
export async function test(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const console = createConsole();
  await clearDeadRuns();
  const data = runFolder('test');
  const reportFile = join(data.path, 'report.json');
  const report = ['--json', `--outputFile=${reportFile}`];
  const [first, ...others] = args;
  const jestArgs = first === '--browser' ? [...browserSuites, ...report, ...others] : [...report, ...args];
  const variables = startingQuickly(environment);
  const code = await runOnEngines(jestArgs, variables, data, console.progress).catch((error: unknown) => {
    console.say(errorAtTerminal(error));
    return 1;
  });
  const counts = countOf(reportFile);
  rmSync(data.path, { recursive: true, force: true });
  console.say(counts);
  return code;
}
