import { newEvent } from '@covalence/events/new-event';
import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { Decision, Member } from '../../members/document/member.ts';
import { textOf } from '../../members/document/member-values.ts';
import { recipientOf, siteOf } from '../../members/members.ts';
import type { ModerationContext } from '../moderation.ts';
import type { FraudWarning } from '../store/warning-store.ts';

const batch = 20;
const endedBatch = 100;
const atOnce = 5;

/** The suspended or deleted member; undefined where that was taken back or has ended. */
async function stillBanned(
  { members, moderation }: ModerationContext,
  decision: Decision,
): Promise<Member | undefined> {
  const [banned, isUndone, replacement] = await Promise.all([
    members.store.byId(decision.member),
    moderation.decisions.isUndone(decision),
    moderation.decisions.replacementOf(decision),
  ]);
  const isOut = banned?.suspended === true || banned?.deleted === true;
  return isOut && !isUndone && !replacement ? banned : undefined;
}

/** Warns one member by mail and live update. After a crash or outage of auth it is repeated, so that a mail may come twice, but never not. */
async function warn(context: ModerationContext, decision: Decision, recipient: number): Promise<void> {
  const { auth, clock, logger, members, moderation, publisher } = context;
  const member = await members.store.byId(recipient);
  if (!member || member.suspended || member.deleted) return;
  const { fraud_warnings } = siteOf(context, member.siteid);
  if (!fraud_warnings) return;
  // Read again for each of them: staff may take the ban back meanwhile.
  const banned = await stillBanned(context, decision);
  if (!banned) return;
  const at = clock();
  const warning = { banned: banned._id, recipient, at, decision: decision.id };
  if (!(await moderation.warnings.begin(warning))) return;
  await auth.notifyFraud({
    ...recipientOf(context, member),
    username: textOf(banned, 'username'),
    banned_at: decision.at.toISOString(),
    ...fraud_warnings,
  });
  await moderation.warnings.notified(warning);
  const event = newEvent({
    type: 'moderation.warned',
    member: recipient,
    version: at.getTime(),
    at,
    data: { other: banned._id },
    about: `fraud ${banned._id} ${recipient}`,
  });
  // The mail is the warning: it is not sent again for a live update.
  await publisher.publish(event).catch((error: unknown) => {
    logger.warn({ err: error, member: recipient }, 'sending the live update of a fraud warning failed');
  });
}

/**
 * Job: warns members who wrote with somebody banned for fraud, each to the other, on sites that have `fraud_warnings`. Resolves with
 * how many failed; those are tried again in the next round.
 */
export async function warnOfFraud(context: ModerationContext, mayGoOn: MayGoOn = always): Promise<number> {
  const { clock, logger, moderation, pairs } = context;
  let failed = 0;
  for (const decision of await moderation.decisions.toWarn(clock(), batch)) {
    const recipients = await pairs.store.correspondentsOf(decision.member);
    let reached = 0;
    const warnOne = (recipient: number) => {
      reached += 1;
      return warn(context, decision, recipient);
    };
    const left = await eachPart(recipients, warnOne, {
      mayGoOn,
      logger,
      left: 'member not warned of fraud: will retry',
      about: (recipient) => ({ member: recipient }),
      atOnce,
    });
    failed += left;
    // Otherwise the job has to end before the last of them.
    if (!left && reached === recipients.length) await moderation.decisions.warned(decision.id);
  }
  return failed;
}

async function endWarning(context: ModerationContext, warning: FraudWarning): Promise<void> {
  const { auth, members, moderation } = context;
  const [member, named] = await members.store.byIds([warning.recipient, warning.banned]);
  const isIn = [member, named].every((each) => each && !each.suspended && !each.deleted);
  if (isIn && member && named && siteOf(context, member.siteid).fraud_warnings)
    await auth.notifyFraudOver({
      ...recipientOf(context, member),
      username: textOf(named, 'username'),
      warned_at: warning.at.toISOString(),
    });
  await moderation.warnings.ended(warning);
}

/**
 * Job: tells members who were warned of somebody that the ban was a mistake, unless the member is banned again. Resolves with how many
 * failed.
 */
export async function endWarnings(context: ModerationContext, mayGoOn: MayGoOn = always): Promise<number> {
  const over = await context.moderation.warnings.over(endedBatch);
  return eachPart(over, (warning) => endWarning(context, warning), {
    mayGoOn,
    logger: context.logger,
    left: 'sending the correction of a fraud warning failed: will retry',
    about: ({ recipient }) => ({ member: recipient }),
  });
}
