import type { Lease } from '@covalence/events/lease';
import { setTimeout as wait } from 'node:timers/promises';

/** Options of the lock. */
export interface LockOptions {
  readonly lease: Lease;
  /** Called once if another process holds the lock. */
  readonly onWait: () => void;
  /** Renewal interval in ms; must be well below the duration of the lease. */
  readonly renewMs?: number;
}

const pollMs = 500;
const waitLimitMs = 600_000;

async function take({ lease, onWait }: LockOptions): Promise<void> {
  const until = Date.now() + waitLimitMs;
  for (let first = true; !(await lease.hold()); first = false) {
    if (first) onWait();
    if (Date.now() > until) throw new Error('another process has held the migration lock for 10 minutes');
    await wait(pollMs);
  }
}

/**
 * Runs work while this process holds and renews the lease. The signal aborts when the lease is lost, e.g.
 * after a database outage; another process may then be migrating.
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
