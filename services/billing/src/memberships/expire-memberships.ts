import { always, startPeriodic, type MayGoOn, type Periodic } from '@covalence/events/periodic';
import type { Logger } from '@covalence/runtime/logger';
import { chunks } from '@covalence/runtime/chunks';
import { renewMembership } from './renew-membership.ts';
import type { Paying } from './settle-payment.ts';
import { changeMemberships } from './change-memberships.ts';
import { renewalTry, statusOf, type Membership } from './membership.ts';
import type { Lease } from '@covalence/events/lease';
import { resumePayments, type Looked } from './resume-payments.ts';

const batch = 200;
const atOnce = 10;

interface Look {
  readonly paying: Paying;
  readonly logger: Logger;
  readonly at: Date;
  readonly mayGoOn: MayGoOn;
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

/** Renews memberships, some at a time; those that failed have been logged. */
async function renewAll(memberships: readonly Membership[], look: Look): Promise<Looked> {
  const { paying, logger, at, mayGoOn } = look;
  let [done, failed] = [0, 0];
  for (const some of chunks(memberships, atOnce)) {
    if (!(await mayGoOn())) break;
    const outcomes = await Promise.allSettled(some.map((one) => renewMembership(one, paying, at)));
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') done += 1;
      else {
        failed += 1;
        logger.warn({ err: outcome.reason }, 'a membership could not be renewed, trying again');
      }
    }
  }
  return { done, failed };
}

/**
 * Renews every membership that is due and moves the others to `inactive` or `none`, as long as it may go on. Safe to run twice
 * at once: a renewal is one payment, and a change stands only where the membership is still as it was read.
 */
export async function expireMemberships(
  paying: Paying,
  logger: Logger,
  at: Date,
  mayGoOn: MayGoOn = always,
): Promise<Looked> {
  let [done, failed] = [0, 0];
  for (;;) {
    const found = await paying.memberships.findDue(at, batch);
    const renews = (membership: Membership) => renewalTry(membership, at) !== undefined;
    const ending = found.filter((one) => !renews(one)).map(({ member }) => member);
    const ended = await followTime(ending, paying, at);
    const renewed = await renewAll(found.filter(renews), { paying, logger, at, mayGoOn });
    const handled = ended + renewed.done;
    done += handled;
    failed += renewed.failed;
    // A round in which nothing went well is not made again before the next look.
    if (found.length < batch || !handled || !(await mayGoOn())) return { done, failed };
  }
}

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
