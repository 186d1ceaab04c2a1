import { mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

const largestBytes = 5 * 1024 ** 2;
const lastLines = 3;
const longestLine = 300;

/** The log file of an engine or a service. One over 5 MiB is set aside at a start, so that at most two are kept. */
export function openLogFile(logDir: string, name: string): string {
  mkdirSync(logDir, { recursive: true });
  const file = join(logDir, `${name}.log`);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > largestBytes) renameSync(file, `${file}.1`);
  return file;
}

/** Size of the log now; what comes after it belongs to the next run. */
export function logLength(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** The last lines written after a position, on one line; a hint where nothing was written. */
export function lastLogLines(file: string, from: number): string {
  const text = readLog(file).subarray(from).toString('utf8');
  const lines = text.split('\n').map((line) => line.trim().slice(0, longestLine));
  // Of a Java stack trace only the messages.
  const last = lines.filter((line) => line !== '' && !/^(at |\.\.\. \d+ more)/.test(line)).slice(-lastLines);
  return last.length === 0 ? `nothing in ${file}` : `${last.join(' | ')} (${file})`;
}

function readLog(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}
