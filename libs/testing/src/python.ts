import { cacheFolder } from '@covalence/stack/engines/cache-folder';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const pausesMs = [2_000, 5_000];

const folderOf = (requirements: string): string => {
  const version = createHash('sha256').update(requirements).digest('hex').slice(0, 16);
  return join(cacheFolder('python', process.env), version);
};

/** Retries work that needs the network. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (const pause of pausesMs) {
    try {
      return await work();
    } catch {
      await wait(pause);
    }
  }
  return work();
}

async function install(folder: string, requirementsFile: string): Promise<void> {
  await run('python3', ['-m', 'venv', folder]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirementsFile];
  await patiently(() => run(join(folder, 'bin/python'), pip));
}

/**
 * Path of a Python interpreter with the packages of a requirements file. The first use installs them into the
 * cache folder of the user.
 */
export async function pythonWith(requirementsFile: string): Promise<string> {
  const folder = folderOf(readFileSync(requirementsFile, 'utf8'));
  const python = join(folder, 'bin/python');
  if (existsSync(python)) return python;
  await run('python3', ['--version']).catch(() => {
    throw new Error('This test drives a Python client: install python3 and python3-venv.');
  });
  // Moved into place when complete, so that an interrupted installation is not used.
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    await install(draft, requirementsFile);
    if (!existsSync(folder)) renameSync(draft, folder);
    return python;
  } catch (error) {
    const { stderr, stdout, message } = error as Error & { stderr?: string; stdout?: string };
    const reason = (stderr || stdout || message).trim().split('\n').at(-1);
    throw new Error(`The Python packages of ${requirementsFile} cannot be installed: ${reason}`, {
      cause: error,
    });
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
