import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from '@covalence/stack/checkout';

/** The output and the exit code of a command. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly problem: string;
}

/** Starts a command as `pnpm` does. */
export function startCommand(args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [join(root, 'cli/dist/covalence.js'), ...args], {
    env: { ...process.env, AUTH_URL: '', PROFILE_URL: '', OPERATOR_SECRET: '', STAFF_SECRET: '', ...env },
    stdio: 'pipe',
  });
}

/** Runs a command to its end. */
export async function runCommand(
  args: readonly string[],
  env: Record<string, string> = {},
  input = '',
): Promise<Ran> {
  const child = startCommand(args, env);
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new Error('the command has no pipes');
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  stdin.end(input);
  const [out, problem] = await Promise.all([text(stdout), text(stderr)]);
  return { code: await ended, out: out.trimEnd(), problem: problem.trimEnd() };
}
