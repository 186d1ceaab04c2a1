import { constants } from 'node:os';

/**
 * Loaded before the program in container images (Dockerfile). Process 1 ignores signals without a listener,
 * so a program that is loading or never listens would only be killed after the grace period.
 */
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
  });
}
