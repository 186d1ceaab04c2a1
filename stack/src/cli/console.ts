import { ignoreBrokenPipe } from '@covalence/runtime/broken-pipe';
import { CommandError } from '@covalence/runtime/command-error';

/** Prints the lines of a command. */
export interface Console {
  readonly say: (text: string) => void;
  /** Prefixes the line with the seconds since the command began. */
  readonly progress: (text: string) => void;
}

const say = (text: string) => void process.stdout.write(`${text}\n`);

/** A console on standard output that survives a closed pipe. */
export function createConsole(begun = Date.now()): Console {
  ignoreBrokenPipe();
  const seconds = () => ((Date.now() - begun) / 1_000).toFixed(1);
  return { say, progress: (text) => say(`${seconds().padStart(6)} s  ${text}`) };
}

/** System errors that the user can fix, such as a full disk. */
const refusals = new Set(['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS']);

/** One line for an error that the user can fix, the stack trace of a defect. */
export function problemText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'AbortError') return 'Stopped.';
  const plain = error instanceof CommandError || ('code' in error && refusals.has(String(error.code)));
  return plain ? error.message : (error.stack ?? error.message);
}
