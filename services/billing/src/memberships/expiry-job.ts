import type { Lease } from '@covalence/events/lease';
import { startPeriodic, type Periodic } from '@covalence/events/periodic';
import type { Logger } from '@covalence/runtime/logger';
import { resumePayments } from '../payments/resume-payments.ts';
import type { Paying } from '../payments/settle-payment.ts';
import { expireMemberships } from './expire-memberships.ts';

/** What the expiry job works with. */
interface ExpiryOptions extends Paying {
  /** One process at a time does. */
  readonly lease: Lease;
  readonly logger: Logger;
  /** Milliseconds between two looks. */
  readonly pollMs: number;
}

/** Starts the job that renews and ends memberships whose time has come, and takes up payments left open. */
export function startExpiryJob({ lease, logger, pollMs, ...paying }: ExpiryOptions): Periodic {
  return startPeriodic({
    name: 'expiry',
    everyMs: pollMs,
    lease,
    logger,
    metrics: paying.metrics,
    async work(mayGoOn) {
      const settled = await resumePayments(paying, logger, paying.clock(), mayGoOn);
      const due = await expireMemberships(paying, logger, paying.clock(), mayGoOn);
      if (settled.done || due.done)
        logger.info(
          { settled: settled.done, due: due.done },
          'payments settled and memberships renewed or ended',
        );
      return settled.failed + due.failed;
    },
  });
}
