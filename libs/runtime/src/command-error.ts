/** An error that the person at the terminal can fix. A command prints its message as one line, without a stack trace. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** A service does not answer, or cannot handle the request now. A retry may succeed. */
export class ServiceUnavailable extends CommandError {
  override readonly name = 'ServiceUnavailable';
}
