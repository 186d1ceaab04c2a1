import { always, type MayGoOn } from '@covalence/events/periodic';
import type { Logger } from '@covalence/runtime/logger';
import { renewMembership } from '../payments/renew-membership.ts';
import type { Paying } from '../payments/settle-payment.ts';
import { changeMemberships } from './change-memberships.ts';
import { renewalTry, statusOf, type Membership } from './membership.ts';

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

/** Renews memberships, some at a time; returns how many were looked after, the others have been logged. */
async function renewAll(memberships: readonly Membership[], look: Look): Promise<number> {
  const { paying, logger, at, mayGoOn } = look;
  let handled = 0;
  for (let from = 0; from < memberships.length && (await mayGoOn()); from += atOnce) {
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
 * Renews every membership that is due and moves the others to `inactive` or `none`, as long as it may go on; returns how many
 * were due. Safe to run twice at once: a renewal is one payment, and a change stands only where the membership is still as it
 * was read.
 */
export async function expireMemberships(
  paying: Paying,
  logger: Logger,
  at: Date,
  mayGoOn: MayGoOn = always,
): Promise<number> {
  let handled = 0;
  for (;;) {
    const found = await paying.memberships.findDue(at, batch);
    const renews = (membership: Membership) => renewalTry(membership, at) !== undefined;
    const ending = found.filter((one) => !renews(one)).map(({ member }) => member);
    const done =
      (await followTime(ending, paying, at)) +
      (await renewAll(found.filter(renews), { paying, logger, at, mayGoOn }));
    handled += done;
    // A round in which nothing went well is not made again before the next look.
    if (found.length < batch || !done || !(await mayGoOn())) return handled;
  }
}
