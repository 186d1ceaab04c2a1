import { mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

const largestBytes = 5 * 1024 ** 2;
const lastLines = 3;
const longestLine = 300;

/** The log file of an engine or a service. Above 5 MiB it is renamed at a start, so that at most two files exist. */
export function openLogFile(logDir: string, name: string): string {
  mkdirSync(logDir, { recursive: true });
  const file = join(logDir, `${name}.log`);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > largestBytes) renameSync(file, `${file}.1`);
  return file;
}

/** The current size of the log, where the next run begins. */
export function logLength(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** The last lines after a position, joined to one line. */
export function lastLogLines(file: string, from: number): string {
  const lines = logLines(file, from).map((line) => line.trim().slice(0, longestLine));
  // Leaves out the frames of Java stack traces.
  const last = lines.filter((line) => line !== '' && !/^(at |\.\.\. \d+ more)/.test(line)).slice(-lastLines);
  return last.length === 0 ? `nothing in ${file}` : `${last.join(' | ')} (${file})`;
}

/** The lines of a log after a position; none when it cannot be read. */
export function logLines(file: string, from: number): string[] {
  try {
    return readFileSync(file).subarray(from).toString('utf8').split('\n');
  } catch {
    return [];
  }
}
