/** Lets the process finish its work when the reader of its output goes away, e.g. `| head` or a closed terminal. */
export function ignoreBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    // Tests run many programs in one process.
    if (!stream.listenerCount('error')) stream.on('error', () => {});
  }
}

/** An error that the person at the terminal can fix. A command prints its message without a stack trace. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
  readonly exitCode: number = 1;
}

/** The command was called with arguments that are not valid. */
export class UsageError extends CommandError {
  override readonly exitCode = 64;
}

/** The environment is not valid; the message names every problem. */
export class ConfigurationError extends CommandError {
  override readonly exitCode = 78;
}

/** A service does not answer, or cannot handle the request now. A retry may succeed. */
export class ServiceUnavailable extends CommandError {
  override readonly name = 'ServiceUnavailable';
}

/** Refusals of the operating system, e.g. a full disk, that the person at the terminal can fix. */
const systemRefusals = new Set(['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS']);

/** The text of an error at the terminal: one line when a person can fix it, else the stack trace. */
export function errorAtTerminal(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'AbortError') return 'Stopped.';
  const isFixable =
    error instanceof CommandError || ('code' in error && systemRefusals.has(String(error.code)));
  return isFixable ? error.message : (error.stack ?? error.message);
}
