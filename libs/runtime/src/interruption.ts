/** A console sends one Ctrl-C to every process of the command, and npm passes it on as well: those count as one. */
const oneKeyMs = 700;

/**
 * Turns the ways in which somebody ends a command into one signal: Ctrl-C, SIGTERM, SIGHUP, and the end of the process
 * that started this one. The second Ctrl-C calls `force`.
 */
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
  // Present when npm start or npm test runs this: the channel breaks when that process is killed outright.
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
