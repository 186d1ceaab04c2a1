import type { Lease } from '@covalence/events/lease';
import { setTimeout as wait } from 'node:timers/promises';

/** How the lock is waited for and kept. */
export interface LockOptions {
  readonly lease: Lease;
  /** Called once where another process holds it. */
  readonly onWait: () => void;
  /** Milliseconds between two renewals; well below the lease's own time. */
  readonly renewMs?: number;
}

const pollMs = 500;
/** Then waiting is given up. */
const patienceMs = 600_000;

async function take({ lease, onWait }: LockOptions): Promise<void> {
  const until = Date.now() + patienceMs;
  for (let first = true; !(await lease.hold()); first = false) {
    if (first) onWait();
    if (Date.now() > until) throw new Error('another process has been migrating for too long');
    await wait(pollMs);
  }
}

/**
 * Does the work while this process holds the lease, which it renews. The signal is aborted when the lease is lost, say
 * after the database was away for longer than it lasts; then another process may be at it.
 */
export async function underLock<T>(
  options: LockOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { lease, renewMs = 10_000 } = options;
  await take(options);
  const lost = new AbortController();
  const renew = () =>
    lease.hold().then(
      (held) => held || lost.abort(new Error('the lock was lost to another process')),
      (error: unknown) => lost.abort(error),
    );
  const timer = setInterval(() => void renew(), renewMs);
  try {
    return await work(lost.signal);
  } finally {
    clearInterval(timer);
    await lease.release();
  }
}
