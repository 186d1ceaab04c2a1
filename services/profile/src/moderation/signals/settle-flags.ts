import { hourMs } from '@covalence/contract/time';
import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { Decision } from '../../members/document/member.ts';
import type { ModerationContext } from '../moderation.ts';
import type { FlagOutcome, ScamFlag } from '../store/scam-flag-store.ts';
import { groundOf } from '../saved-reasons.ts';

const batch = 200;

/** Decisions on a member that are read, the newest. */
const mostDecisions = 200;

/** Decisions that ban for fraud where their reason is fraud. */
const exclusions: readonly Decision['action'][] = ['suspend', 'delete', 'ban'];

/** Decisions that take back a restriction. */
const reversals: readonly Decision['action'][] = ['unsuspend', 'undelete', 'grant-appeal'];

/** Decisions that count with the mode `on`, where the queue shows the signals to those who decide. */
const informed: readonly Decision['action'][] = ['approve', 'reject', 'suspend', 'delete', ...reversals];

const isOfFraud = ({ moderation }: ModerationContext, { action, statement }: Decision): boolean =>
  exclusions.includes(action) && groundOf(statement?.ground, moderation.savedReasons)?.fraud === true;

/** Whether a ban for fraud stands. */
const isFraud = async (context: ModerationContext, decision: Decision): Promise<boolean> =>
  isOfFraud(context, decision) && !(await context.moderation.decisions.replacementOf(decision));

/** The outcome that staff decided on a flagged member in time. Fraud found later replaces any earlier decision. */
async function outcomeOf(
  context: ModerationContext,
  flag: ScamFlag,
): Promise<{ readonly outcome: FlagOutcome; readonly decided_at: Date } | undefined> {
  const { member, since, until } = flag;
  const { decisions } = context.moderation;
  const all = await decisions.of(member, undefined, mostDecisions);
  const inTime = all.filter(({ at }) => at > since && at <= until);
  const made = await decisions.standing(member, inTime);
  for (const decision of made)
    if (await isFraud(context, decision)) return { outcome: 'fraud', decided_at: decision.at };
  const wasOfFraud = inTime.some((decision) => isOfFraud(context, decision));
  // Decisions that say it is no fraud.
  const verdicts: readonly Decision['action'][] = [
    'dismiss-signals',
    ...(wasOfFraud ? reversals : []),
    ...(flag.mode === 'on' ? informed : []),
  ];
  const last = made.find(({ action }) => verdicts.includes(action));
  return last && { outcome: 'not_fraud', decided_at: last.at };
}

/** Soon after a flag staff may decide at any time; later a look now and then is enough. */
const nextCheck = ({ since, until }: ScamFlag, now: Date): Date | undefined =>
  now >= until
    ? undefined
    : new Date(
        Math.min(until.getTime(), now.getTime() + Math.max(hourMs, (now.getTime() - since.getTime()) / 10)),
      );

/** Notes what staff decided on a flagged member by now. */
export async function settleFlag(context: ModerationContext, flag: ScamFlag): Promise<void> {
  const found = await outcomeOf(context, flag);
  await context.moderation.scamFlags.settle(flag, found, nextCheck(flag, context.clock()));
}

/** Job: notes what staff decided on flagged members. Resolves with how many failed. */
export async function settleFlags(context: ModerationContext, mayGoOn: MayGoOn = always): Promise<number> {
  const { moderation, clock, logger } = context;
  return eachPart(await moderation.scamFlags.toCheck(clock(), batch), (flag) => settleFlag(context, flag), {
    mayGoOn,
    logger,
    left: 'flag of a scam not settled: will retry',
  });
}
