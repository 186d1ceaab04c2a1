import { unavailable } from '@covalence/contract/failure';
import { settleDeadLetters, type DeadLetterService } from '@covalence/contract/internal/operations-api';
import type { Lease } from '@covalence/events/lease';
import { setTimeout as wait } from 'node:timers/promises';

const lookAgainMs = 100;

/** A call has ended by then, so a process that died keeps others from the letters no longer, ms. */
export const leaseMs = settleDeadLetters.timeoutMs + 1_000;

/** How long calls wait while another one reads the letters. */
const limits = { listMs: 3_000, settleMs: 5_000 };

/**
 * Lets one call of all processes at a time read the dead letters of a service: a reader holds them, and another
 * one would miss them. `leaseOf` creates a lease for one call.
 */
export function withLease(
  service: DeadLetterService,
  leaseOf: () => Lease,
  { listMs, settleMs } = limits,
): DeadLetterService {
  async function inTurn<Result>(limitMs: number, work: () => Promise<Result>): Promise<Result> {
    const lease = leaseOf();
    const end = Date.now() + limitMs;
    while (!(await lease.hold())) {
      if (Date.now() >= end) throw unavailable(new Error('another call reads the letters'));
      await wait(lookAgainMs);
    }
    try {
      return await work();
    } finally {
      await lease.release();
    }
  }
  return {
    list: () => inTurn(listMs, () => service.list()),
    settle: (order) => inTurn(settleMs, () => service.settle(order)),
  };
}
