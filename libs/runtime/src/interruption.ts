/** The terminal sends Ctrl-C to every process of the command and npm forwards it: signals this close count as one. */
const oneKeyMs = 700;

/** Aborts on Ctrl-C, SIGTERM, SIGHUP or the end of the parent process. A second Ctrl-C calls `force`. */
export function listenForInterruption(force: () => void): AbortSignal {
  const interrupted = new AbortController();
  let first = 0;
  const stop = () => {
    if (!interrupted.signal.aborted) {
      first = Date.now();
      interrupted.abort();
    } else if (Date.now() - first > oneKeyMs) {
      force();
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  // npm start and npm test run this with an IPC channel, which closes when they are killed.
  if (process.channel) {
    process.once('disconnect', () => interrupted.abort());
    process.channel.unref();
  }
  return interrupted.signal;
}

/** Resolves when the command is interrupted. */
export function untilInterrupted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise;
}
