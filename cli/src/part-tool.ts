import { asksForHelp } from '@covalence/runtime/tool-help';
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { dataLayout, defaultData, root } from '@covalence/stack/checkout';
import { keptInstance } from '@covalence/stack/services/instance';
import { readRunning } from '@covalence/stack/services/running';
import { serviceEnvironment } from '@covalence/stack/services/service-environment';
import { parts, type ServiceName } from '@covalence/stack/services/service-name';
import { CommandError } from '@covalence/runtime/command-error';
import { exitCodeOf } from '@covalence/stack/cli/exit-code';

/** A tool of one part: a file of its build and the arguments for it. */
export interface PartTool {
  readonly part: ServiceName;
  /** e.g. index-cli.js */
  readonly file: string;
  readonly args: readonly string[];
}

/** The environment of a part in the stack that runs in a data folder. */
function localEnvironment(part: ServiceName, dataPath: string, around: NodeJS.ProcessEnv) {
  const data = dataLayout(dataPath);
  const { publicUrl, engines, ports } = readRunning(data.runningFile);
  const instance = keptInstance(data.instanceFile);
  const setting = { instance, engines, ports, publicUrl, photoDir: data.photos, mailDir: data.mails, around };
  return { ...serviceEnvironment(part, setting), LOG_LEVEL: around['LOG_LEVEL'] ?? 'warn' };
}

/** `--data DIR` or `--data=DIR` of `npm start`, wherever it stands, and the other arguments. */
export function takeDataOption(args: readonly string[]): { dataPath: string; rest: readonly string[] } {
  const at = args.findIndex((one) => /^--data(=|$)/.test(one));
  const named = args[at];
  if (named === undefined) return { dataPath: defaultData, rest: args };
  const joined = named.startsWith('--data=');
  const folder = joined ? named.slice('--data='.length) : args[at + 1];
  if (!folder) throw new CommandError('--data takes the folder of a stack.');
  return { dataPath: resolve(root, folder), rest: args.toSpliced(at, joined ? 1 : 2) };
}

/**
 * Runs a part's tool, with the environment given where that is a service's (NAMESPACE is set) or it is only asked what it can
 * do, else against the stack that runs here. Resolves with the tool's exit code.
 */
export async function runPartTool(
  { part, file, args }: PartTool,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const { dataPath, rest } = takeDataOption(args);
  const asIs = Boolean(environment['NAMESPACE']) || asksForHelp(rest);
  const env = asIs ? environment : localEnvironment(part, dataPath, environment);
  const tool = join(root, parts[part].folder, 'dist', file);
  const child = spawn(process.execPath, ['--enable-source-maps', tool, ...rest], { env, stdio: 'inherit' });
  // Whoever ends this command means the tool, which would go on by itself.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return exitCodeOf(child);
}
