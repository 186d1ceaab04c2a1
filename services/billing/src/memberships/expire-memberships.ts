import type { Lease } from '@covalence/events/lease';
import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import { changeMemberships, type MembershipWriting } from './change-memberships.ts';
import { statusAt } from './membership.ts';

/** What the expiry job works with. */
export interface ExpiryOptions extends MembershipWriting {
  readonly clock: Clock;
  /** One process at a time expires memberships. */
  readonly lease: Lease;
  readonly logger: Logger;
  /** Milliseconds between two looks. */
  readonly pollMs: number;
}

/** The job that ends memberships whose time has passed. */
export interface ExpiryJob {
  start(): void;
  /** Ends the job and waits for what is under way. */
  close(): Promise<void>;
}

const batch = 200;

/**
 * Moves every active membership whose end has come to `none` or `inactive` and publishes it; returns how many.
 * Safe to run twice at once: a change stands only where the membership is still as it was read.
 */
export async function expireMemberships(writing: MembershipWriting, at: Date): Promise<number> {
  let expired = 0;
  for (;;) {
    const found = await writing.memberships.findExpired(at, batch);
    expired += await changeMemberships(
      writing,
      found.map(({ member }) => member),
      (_member, current) => {
        const status = current && statusAt(current, at);
        return current && status && status !== current.status ? { ...current, status } : undefined;
      },
      at,
    );
    if (found.length < batch) return expired;
  }
}

/** Creates the job; a look that fails is logged and made again. */
export function createExpiryJob({ clock, lease, logger, pollMs, ...writing }: ExpiryOptions): ExpiryJob {
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> = Promise.resolve();
  let closing = false;

  const look = async (): Promise<void> => {
    try {
      const expired = (await lease.hold()) ? await expireMemberships(writing, clock()) : 0;
      if (expired) logger.info({ expired }, 'memberships expired');
    } catch (error) {
      logger.warn({ err: error }, 'memberships could not be expired, trying again');
    }
    if (!closing) timer = setTimeout(begin, pollMs);
  };
  const begin = () => {
    underWay = look();
  };

  return {
    start: begin,
    async close() {
      closing = true;
      clearTimeout(timer);
      await underWay;
      await lease.release();
    },
  };
}
