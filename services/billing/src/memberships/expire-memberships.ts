import type { Lease } from '@covalence/events/lease';
import type { Logger } from '@covalence/runtime/logger';
import { renewMembership } from '../payments/renew-membership.ts';
import { resumePayments } from '../payments/resume-payments.ts';
import type { Paying } from '../payments/settle-payment.ts';
import { changeMemberships } from './change-memberships.ts';
import { renewalTry, statusOf, type Membership } from './membership.ts';

/** What the expiry job works with. */
export interface ExpiryOptions extends Paying {
  /** One process at a time does. */
  readonly lease: Lease;
  readonly logger: Logger;
  /** Milliseconds between two looks. */
  readonly pollMs: number;
}

/** The job that renews and ends memberships whose time has come, and takes up payments left open. */
export interface ExpiryJob {
  start(): void;
  /** Ends the job and waits for what is under way. */
  close(): Promise<void>;
}

const batch = 200;
const atOnce = 10;

interface Look {
  readonly paying: Paying;
  readonly logger: Logger;
  readonly at: Date;
}

/** Moves memberships that cannot be renewed to the status that follows from their facts and publishes it. */
const followTime = (members: readonly number[], paying: Paying, at: Date): Promise<number> =>
  changeMemberships(
    paying,
    members,
    (_member, current) => {
      if (!current?.due_at || current.due_at > at || renewalTry(current, at) !== undefined) return undefined;
      return { ...current, status: statusOf(current, at) };
    },
    at,
  );

/** Renews memberships, some at a time; returns how many were looked after, the others have been logged. */
async function renewAll(memberships: readonly Membership[], { paying, logger, at }: Look): Promise<number> {
  let handled = 0;
  for (let from = 0; from < memberships.length; from += atOnce) {
    const some = memberships.slice(from, from + atOnce);
    const outcomes = await Promise.allSettled(some.map((one) => renewMembership(one, paying, at)));
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') handled += 1;
      else logger.warn({ err: outcome.reason }, 'a membership could not be renewed, trying again');
    }
  }
  return handled;
}

/**
 * Renews every membership that is due and moves the others to `inactive` or `none`; returns how many were due. Safe to run
 * twice at once: a renewal is one payment, and a change stands only where the membership is still as it was read.
 */
export async function expireMemberships(paying: Paying, logger: Logger, at: Date): Promise<number> {
  let handled = 0;
  for (;;) {
    const found = await paying.memberships.findDue(at, batch);
    const renews = (membership: Membership) => renewalTry(membership, at) !== undefined;
    const ending = found.filter((one) => !renews(one)).map(({ member }) => member);
    const done =
      (await followTime(ending, paying, at)) + (await renewAll(found.filter(renews), { paying, logger, at }));
    handled += done;
    // A round in which nothing went well is not made again before the next look.
    if (found.length < batch || !done) return handled;
  }
}

/** Creates the job; a look that fails is logged and made again. */
export function createExpiryJob({ lease, logger, pollMs, ...paying }: ExpiryOptions): ExpiryJob {
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> = Promise.resolve();
  let closing = false;

  const look = async (): Promise<void> => {
    try {
      if (!(await lease.hold())) return;
      const settled = await resumePayments(paying, logger, paying.clock());
      const due = await expireMemberships(paying, logger, paying.clock());
      if (settled || due) logger.info({ settled, due }, 'payments settled and memberships renewed or ended');
    } catch (error) {
      logger.warn({ err: error }, 'memberships could not be looked through, trying again');
    } finally {
      if (!closing) timer = setTimeout(begin, pollMs);
    }
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
