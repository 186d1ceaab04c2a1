import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { errorCode } from './system-error.ts';

/** The variable that marks every process of an engine with the engine's folder. */
export const folderVariable = 'COVALENCE_ENGINE_FOLDER';

interface ProcessState {
  readonly state: string;
  readonly group: number;
  readonly startTime: string;
}

function readState(pid: number): ProcessState | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name in parentheses and may hold anything: the rest counts from its end.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', group: Number(fields[2]), startTime: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

/**
 * When a process started, so that a process number used again is not mistaken for it; undefined when it is gone.
 * A process that ended and was not yet collected by its parent is gone.
 */
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

/** Whether a process belongs to the engine of this folder. Redis overwrites its environment, but not where it works. */
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

/** Sends a signal to a process, or to a process group given as a negative number; one that is gone is left alone. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}
