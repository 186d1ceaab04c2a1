import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { dataFolder, defaultData, root } from '../checkout.ts';
import { keptInstance } from '../services/instance.ts';
import { readRunning } from '../services/running.ts';
import { serviceEnvironment } from '../services/service-environment.ts';
import { parts } from '../services/service-name.ts';

/** The environment of the search service in the stack that runs in a data folder. */
function localEnvironment(dataPath: string, around: NodeJS.ProcessEnv) {
  const data = dataFolder(dataPath);
  const { publicUrl, engines, ports } = readRunning(data.runningFile);
  const instance = keptInstance(data.instanceFile);
  const setting = { instance, engines, ports, publicUrl, photoDir: data.photos, mailDir: data.mails, around };
  return { ...serviceEnvironment('search', setting), LOG_LEVEL: around['LOG_LEVEL'] ?? 'warn' };
}

/** `--data DIR` of `npm start`, wherever it stands, and the other arguments. */
function readArguments(args: readonly string[]) {
  const at = args.indexOf('--data');
  if (at === -1) return { dataPath: defaultData, rest: args };
  return {
    dataPath: resolve(root, args[at + 1] ?? ''),
    rest: args.filter((_, i) => i !== at && i !== at + 1),
  };
}

/**
 * Runs a tool of the search service, with the environment given where that is a search service's (NAMESPACE is set), else
 * against the stack that runs here (`--data DIR` among the arguments). Resolves with the tool's exit code.
 */
export async function runSearchTool(
  tool: 'index' | 'relevance',
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const { dataPath, rest } = readArguments(args);
  const env = environment['NAMESPACE'] ? environment : localEnvironment(dataPath, environment);
  const file = join(root, parts.search.folder, `dist/${tool}-cli.js`);
  const child = spawn(process.execPath, ['--enable-source-maps', file, ...rest], { env, stdio: 'inherit' });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
}
