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
