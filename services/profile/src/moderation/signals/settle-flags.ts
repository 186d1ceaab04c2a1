import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { Decision } from '../../members/document/member.ts';
import type { ModerationContext } from '../moderation.ts';
import type { FlagOutcome, ScamFlag } from '../scam-flag-store.ts';

const batch = 200;
const hourMs = 3_600_000;

/** Decisions on a member that are read, the newest. */
const mostDecisions = 200;

/** Decisions by which staff say something of a member, whatever it is. */
const verdicts: readonly Decision['action'][] = [
  'approve',
  'reject',
  'suspend',
  'unsuspend',
  'delete',
  'undelete',
  'close-report',
];

const bans: readonly Decision['action'][] = ['suspend', 'delete', 'ban'];

/** Whether a ban for fraud stands. */
async function isFraud({ moderation }: ModerationContext, decision: Decision): Promise<boolean> {
  const { action, statement, member, id } = decision;
  const ground = moderation.savedReasons.find((each) => each.id === statement?.ground);
  if (!bans.includes(action) || !ground?.fraud) return false;
  const undone = await moderation.decisions.undoneOf(member, [id]);
  return !undone.size && !(await moderation.decisions.isReplaced(decision));
}

/** What staff decided on a flagged member in time. Fraud that they found later counts, whatever they decided before. */
async function outcomeOf(
  context: ModerationContext,
  { member, since, until }: ScamFlag,
): Promise<{ readonly outcome: FlagOutcome; readonly decided_at: Date } | undefined> {
  const all = await context.moderation.decisions.of(member, undefined, mostDecisions);
  const made = all.filter(({ at }) => at > since && at <= until);
  for (const decision of made)
    if (await isFraud(context, decision)) return { outcome: 'fraud', decided_at: decision.at };
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
    left: 'flag of a scam not settled; the next round retries',
  });
}
