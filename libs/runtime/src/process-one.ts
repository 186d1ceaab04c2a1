import { constants } from 'node:os';

/**
 * What an image loads before anything else (Dockerfile). There node is process 1, to which the kernel gives no signal that
 * nobody listens for: a part that is still being loaded, and a tool, which never listens, would be killed at the end of their
 * grace. This ends them at once, as a signal ends every other process; where somebody else listens too, it is theirs.
 */
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
  });
}
