import { ignoreBrokenPipe } from '@covalence/runtime/broken-pipe';

/** The lines that a command prints. */
export interface Console {
  /** A plain line. */
  readonly say: (text: string) => void;
  /** What is being done, with the seconds since the command began. */
  readonly progress: (text: string) => void;
}

const say = (text: string) => void process.stdout.write(`${text}\n`);

/** A console on standard output; a reader that went away ends nothing. */
export function createConsole(begun = Date.now()): Console {
  ignoreBrokenPipe();
  const seconds = () => ((Date.now() - begun) / 1_000).toFixed(1);
  return { say, progress: (text) => say(`${seconds().padStart(6)} s  ${text}`) };
}
