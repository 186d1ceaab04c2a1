import { listenForInterruption } from '@covalence/runtime/interruption';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { addressVariable } from '../address-variable.ts';
import { root, type DataFolder } from '../checkout.ts';
import { browserCommands } from '../engines/browser-commands.ts';
import { requireCommand } from '../engines/debian-packages.ts';
import { startEngines } from '../engines/engines.ts';
import { clearDeadRuns, runFolder } from '../processes/run-folder.ts';
import { stopAll } from '../start-together.ts';
import { createConsole } from './console.ts';
import { exitCodeOf } from './exit-code.ts';
import { problemText } from './problem-text.ts';

const reportSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  /** Suites that broke before their tests ran. */
  numRuntimeErrorTestSuites: z.int(),
});

/** `N passed, N failed`, from the runner's own report; a run that left none has failed. */
function countOf(reportFile: string): string {
  if (!existsSync(reportFile)) return '0 passed, 1 failed';
  const report = reportSchema.parse(JSON.parse(readFileSync(reportFile, 'utf8')));
  return `${report.numPassedTests} passed, ${report.numFailedTests + report.numRuntimeErrorTestSuites} failed`;
}

/** Runs jest; resolves with its exit code. It ends with this process, however that ends. */
async function runJest(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  stopped: AbortSignal,
): Promise<number> {
  const endWithParent = fileURLToPath(new URL('end-with-parent.js', import.meta.url));
  const jest = spawn(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      // V8's cache holds the modules of every suite that a worker ran, and no suite finds anything of another's in it.
      '--no-compilation-cache',
      '--import',
      endWithParent,
      join(root, 'node_modules/jest/bin/jest.js'),
      ...args,
    ],
    { cwd: root, env: environment, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] },
  );
  stopped.addEventListener('abort', () => jest.kill('SIGTERM'), { once: true });
  return exitCodeOf(jest);
}

/**
 * The browser for tests of pages: installed where that is possible and it is missing. Without one the run goes on, and
 * those tests fail with the reason.
 */
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
      package: 'chromium',
      variable: 'CHROMIUM',
      options,
    });
    return { CHROMIUM: path };
  } catch (error) {
    say(problemText(error));
    return {};
  }
}

/**
 * The search engine of a test starts quickly: it lives so briefly that compiling its code thoroughly takes longer than what it
 * has to do, half of a start's work. The database of a run has enough to do.
 */
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
    const urls = Object.values(engines).map(({ name, url }) => [addressVariable(name), url]);
    const around = {
      ...environment,
      ...Object.fromEntries(urls),
      // Only where all are engines of this run.
      ...(Object.values(engines).every(({ origin }) => origin !== 'environment') && {
        SERVICE_USERS: 'true',
      }),
      TEST_DATA_DIR: data.path,
      ...browser,
    };
    return await runJest(args, around, stopped);
  } finally {
    await stopAll(Object.values(engines));
  }
}

/**
 * `npm test`: every test, or those that the arguments for jest name, on engines of the run's own. The last line counts
 * what passed and failed. Resolves with jest's exit code.
 */
export async function test(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const console = createConsole();
  await clearDeadRuns();
  const data = runFolder('test');
  const reportFile = join(data.path, 'report.json');
  const report = ['--json', `--outputFile=${reportFile}`];
  const around = startingQuickly(environment);
  const code = await runOnEngines([...report, ...args], around, data, console.progress).catch(
    (error: unknown) => {
      console.say(problemText(error));
      return 1;
    },
  );
  const counts = countOf(reportFile);
  rmSync(data.path, { recursive: true, force: true });
  console.say(counts);
  return code;
}
