import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../system-error.ts';

/** The variable that marks each process of an engine with its folder. */
export const folderVariable = 'COVALENCE_ENGINE_FOLDER';

interface ProcessState {
  readonly state: string;
  readonly group: number;
  readonly startTime: string;
}

/** The fields of a process in /proc, from its state on; undefined for none. */
export function readStatus(pid: number | string): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the name in parentheses, may contain anything.
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

function readState(pid: number): ProcessState | undefined {
  const fields = readStatus(pid);
  return fields && { state: fields[0] ?? '', group: Number(fields[2]), startTime: fields[19] ?? '' };
}

/** The start time of a process, which distinguishes it from a later one of the same number; undefined for none or a zombie. */
export function startTimeOf(pid: number): string | undefined {
  const state = readState(pid);
  return state === undefined || state.state === 'Z' ? undefined : state.startTime;
}

function readOr<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** Whether a process belongs to the engine of this folder. Redis overwrites its environment, so the cwd counts too. */
function belongsTo(pid: number, folder: string): boolean {
  const environment = readOr(() => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0'), []);
  return (
    environment.includes(`${folderVariable}=${folder}`) ||
    readOr(() => readlinkSync(`/proc/${pid}/cwd`), '') === folder
  );
}

/** The living processes of a process group that belong to the engine of this folder. */
export function membersOf(group: number, folder: string): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => {
    const state = readState(pid);
    return state?.group === group && state.state !== 'Z' && belongsTo(pid, folder);
  });
}

/** Sends a signal to a process, or to a group given as a negative number. Ignores one that is gone. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

/** Polls a condition for at most so many milliseconds; resolves with whether it holds. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  milliseconds: number,
): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() >= deadline) return false;
    await delay(25);
  }
  return true;
}
