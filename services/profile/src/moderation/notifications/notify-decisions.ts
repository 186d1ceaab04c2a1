import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { Decision, Member } from '../../members/document/member.ts';
import { isDeleted } from '../../members/document/member-values.ts';
import { recipientOf } from '../../members/members.ts';
import type { Appeal } from '../store/appeal-store.ts';
import { closingStateOf } from '../appeal-state.ts';
import { moveDecisions } from '../decide.ts';
import { effectOfGrant } from '../appeals/grant-effect.ts';
import type { ModerationContext } from '../moderation.ts';
import { disclosedOutcome } from '../reports/own-reports.ts';
import { isRestriction } from '../statement.ts';
import { isWarned } from '../strikes.ts';

const batch = 100;

/** Whether a member can sign in after the end of a deletion and is not erased: not so while suspended, or deleted for another reason. */
const isBack = (member: Member) => !member.suspended && !isDeleted(member);

/** Mails a reporter that the report was closed without measures, with the link to appeal, where they may learn that. */
async function notifyReporter(context: ModerationContext, { id, report: key = '' }: Decision): Promise<void> {
  const { auth, clock, members, moderation, pairs } = context;
  const [report, appeal] = await Promise.all([moderation.reports.find(key), moderation.appeals.against(id)]);
  const reporter = report && (await members.store.byId(report.reporter));
  if (!reporter || closingStateOf(report, id, appeal, clock()) !== 'open') return;
  const sides = await pairs.store.readMany(reporter._id, [report.reported]);
  if (disclosedOutcome(report, sides.get(report.reported)) !== 'none') return;
  await auth.notifyReport({
    ...recipientOf(context, reporter),
    decision_id: id,
    filed_at: report.filed_at.toISOString(),
  });
}

async function notifyDecision(
  context: ModerationContext,
  decision: Decision,
  due: ReadonlySet<string>,
): Promise<void> {
  const { auth, members, moderation } = context;
  const { id, action, statement, undoes } = decision;
  if (action === 'close-report') await notifyReporter(context, decision);
  const member = await members.store.byId(decision.member);
  // A deletion that was undone before the member was notified of it needs no second notice.
  const wasNotified = undoes === undefined || !due.has(undoes);
  if (member && action === 'undelete' && wasNotified && isBack(member))
    await auth.notifyRestored(recipientOf(context, member));
  const isUndone = await moderation.decisions.isUndone(decision);
  if (member && statement && isRestriction(action) && !isUndone) {
    const { text, basis, clause, facts, reported, detected, ban_until } = statement;
    await auth.notifyDecision({
      ...recipientOf(context, member),
      decision_id: id,
      action,
      text,
      basis,
      clause,
      facts,
      reported,
      detected,
      ban_until: ban_until?.toISOString(),
      warned: (await isWarned(context, member, decision)) || undefined,
    });
  }
  await moderation.decisions.notified(id);
}

/** The sentences of the mail on a granted appeal; undefined where the decision is no longer kept. */
async function effectOf(context: ModerationContext, appeal: Appeal) {
  const decision = await context.moderation.decisions.find(appeal.decision);
  if (decision?.action === 'close-report') {
    const report = await context.moderation.reports.find(decision.report ?? '');
    return { restored: report?.open_at !== undefined };
  }
  const effect = decision && (await effectOfGrant(context, decision));
  if (!effect) return undefined;
  const { isTakenBack: restored, other } = effect;
  if (!other?.statement || !isRestriction(other.action)) return { restored };
  const { id: decision_id, action, at } = other;
  return { restored, later: { decision_id, action, at: at.toISOString() } };
}

async function notifyAppeal(context: ModerationContext, appeal: Appeal) {
  const { auth, members, moderation } = context;
  const { id, decided, reported } = appeal;
  const member = await members.store.byId(appeal.member);
  if (member && decided) {
    const effect = decided.outcome === 'granted' ? await effectOf(context, appeal) : {};
    if (!effect) return moderation.appeals.notified(id);
    await auth.notifyAppeal({
      ...recipientOf(context, member),
      outcome: decided.outcome,
      answer: decided.answer,
      of_report: reported === undefined ? undefined : true,
      ...effect,
    });
  }
  await moderation.appeals.notified(id);
}

/**
 * Job: mails members the decisions that restrict them, once these can no longer be undone, reporters that their report was closed without
 * measures, and the outcome of appeals. Decisions that their call could not move to the history are moved first. Resolves with how many
 * failed.
 */
export async function notifyDecisions(
  context: ModerationContext,
  mayGoOn: MayGoOn = always,
): Promise<number> {
  const { clock, logger, members, moderation } = context;
  const unlogged = await members.store.unlogged(clock(), batch);
  const unmoved = await eachPart(unlogged, (member) => moveDecisions(context, member), {
    mayGoOn,
    logger,
    left: 'decisions not moved to the history: will retry',
    about: ({ _id }) => ({ member: _id }),
  });
  const [decisions, appeals] = await Promise.all([
    moderation.decisions.dueForNotification(clock(), batch),
    moderation.appeals.dueForNotification(batch),
  ]);
  const due = new Set(decisions.map(({ id }) => id));
  const work = [
    ...decisions.map((each) => ({ member: each.member, notify: () => notifyDecision(context, each, due) })),
    ...appeals.map((each) => ({ member: each.member, notify: () => notifyAppeal(context, each) })),
  ];
  const left = await eachPart(work, (each) => each.notify(), {
    mayGoOn,
    logger,
    left: 'sending the notice of a decision failed: will retry',
    about: ({ member }) => ({ member }),
  });
  return unmoved + left;
}
