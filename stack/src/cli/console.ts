import { ignoreBrokenPipe } from '@covalence/runtime/command-error';

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
