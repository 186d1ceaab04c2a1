import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startTimeOf } from './process-table.ts';
import { errorCode } from './system-error.ts';

const pollMilliseconds = 100;

/**
 * Runs the work while no other process, and no other call in this one, runs work under the same file.
 * A lock whose owner is gone is taken over. The work must be safe even if two run it in the instant of a takeover.
 */
export async function withLock<T>(file: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(file), { recursive: true });
  while (!(await take(file))) {
    if (await isAbandoned(file)) await rm(file, { force: true });
    else await delay(pollMilliseconds, undefined, { signal });
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function take(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx');
    await handle.writeFile(`${process.pid} ${startTimeOf(process.pid) ?? ''}`);
    await handle.close();
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function isAbandoned(file: string): Promise<boolean> {
  const owner = await readFile(file, 'utf8').catch(() => undefined);
  // An empty file is a lock whose owner is just about to sign it, or died in that instant; the next look decides.
  if (owner === undefined) return false;
  if (owner === '') {
    await delay(pollMilliseconds);
    return (await readFile(file, 'utf8').catch(() => 'gone')) === '';
  }
  const [pid, startTime] = owner.split(' ');
  return startTimeOf(Number(pid)) !== startTime;
}
