import { hourMs } from '@covalence/contract/time';
import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { Decision } from '../../members/document/member.ts';
import type { ModerationContext } from '../moderation.ts';
import type { FlagOutcome, ScamFlag } from '../scam-flag-store.ts';

const batch = 200;

/** Decisions on a member that are read, the newest. */
const mostDecisions = 200;

/** Decisions that are about fraud where their reason is. */
const restrictions: readonly Decision['action'][] = ['reject', 'suspend', 'delete', 'ban'];

/** Decisions by which staff say that it is no fraud, unless another one says that it is. */
const verdicts: readonly Decision['action'][] = [
  'suspend',
  'unsuspend',
  'delete',
  'undelete',
  'grant-appeal',
  'close-report',
  'dismiss-signals',
];

/** With the mode `on` an approval is one on the signals; otherwise staff approve a profile, whatever its member writes. */
const isVerdict = ({ action }: Decision, { mode }: ScamFlag) =>
  verdicts.includes(action) || (action === 'approve' && mode === 'on');

/** Whether a restriction for fraud stands. */
async function isFraud({ moderation }: ModerationContext, decision: Decision): Promise<boolean> {
  const ground = moderation.savedReasons.find(({ id }) => id === decision.statement?.ground);
  const isOfFraud = restrictions.includes(decision.action) && ground?.fraud === true;
  return isOfFraud && !(await moderation.decisions.isReplaced(decision));
}

/** The outcome that staff decided on a flagged member in time. Fraud found later replaces any earlier decision. */
async function outcomeOf(
  context: ModerationContext,
  flag: ScamFlag,
): Promise<{ readonly outcome: FlagOutcome; readonly decided_at: Date } | undefined> {
  const { member, since, until } = flag;
  const { decisions } = context.moderation;
  const all = await decisions.of(member, undefined, mostDecisions);
  const inTime = all.filter(({ at }) => at > since && at <= until);
  const undone = await decisions.undoneOf(
    member,
    inTime.map(({ id }) => id),
  );
  const made = inTime.filter(({ id }) => !undone.has(id));
  for (const decision of made)
    if (await isFraud(context, decision)) return { outcome: 'fraud', decided_at: decision.at };
  const last = made.find((decision) => isVerdict(decision, flag));
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
