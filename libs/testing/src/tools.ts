import { cacheFolder } from '@covalence/stack/engines/cache-folder';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { patiently } from './python.ts';

const exec = promisify(execFile);

/** A step that needs the network and takes longer counts as failed. */
const networkLimitMs = 180_000;

/** A tool is unavailable: its check is skipped. */
export class ToolAway extends Error {}

/** Runs a program; resolves with its output, or rejects with it. */
export async function run(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; timeout?: number } = {},
): Promise<string> {
  try {
    const { stdout } = await exec(program, args, { ...options, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error([stdout, stderr].join('\n').trim() || message, { cause: error });
  }
}

/** Whether a program can be run here. */
export const isThere = (program: string) =>
  exec(program, ['version']).then(
    () => true,
    ({ code }: { code?: unknown }) => code !== 'ENOENT',
  );

/** Runs work that needs the network. */
const fetched = <T>(what: string, work: () => Promise<T>): Promise<T> =>
  patiently(work).catch((error: unknown) => {
    throw new ToolAway(`${what} is unavailable: ${String(error).split('\n').at(-1)}`, { cause: error });
  });

/** A program built with Go. */
interface GoProgram {
  readonly name: string;
  readonly pack: string;
  readonly version: string;
  readonly tags?: readonly string[];
}

/** A program in the cache folder of the user; if allowed, it is built on first use, which may take minutes. */
export async function goTool(
  { name, pack, version, tags = [] }: GoProgram,
  mayBuild = true,
): Promise<string> {
  const program = join(cacheFolder('go', process.env), `${name}-${version}`);
  if (existsSync(program)) return program;
  if (!mayBuild) throw new ToolAway(`${name} is not built here, which --all does`);
  if (!(await isThere('go'))) throw new ToolAway(`${name} needs Go to be built`);
  mkdirSync(dirname(program), { recursive: true });
  // In a module, because `go install` refuses programs that exclude versions.
  const cwd = mkdtempSync(`${program}.`);
  const slow = { cwd, timeout: networkLimitMs };
  try {
    await run('go', ['mod', 'init', 'covalence.local/tool'], { cwd });
    await fetched(name, () => run('go', ['get', `${pack}@${version}`], slow));
    await fetched(name, () => run('go', ['build', '-tags', tags.join(','), '-o', name, pack], slow));
    renameSync(join(cwd, name), program);
    return program;
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
