import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import { localeOf, textOf } from '../members/document/member-values.ts';
import { siteOf } from '../members/members.ts';
import type { ModerationContext } from './moderation.ts';
import type { FraudWarning } from './warning-store.ts';

const batch = 100;

async function endWarning(context: ModerationContext, warning: FraudWarning): Promise<void> {
  const { auth, members, moderation } = context;
  const [member, named] = await members.store.byIds([warning.recipient, warning.banned]);
  const isIn = [member, named].every((each) => each && !each.suspended && !each.deleted);
  const site = member && siteOf(context, member.siteid);
  if (isIn && member && named && site?.fraud_warnings)
    await auth.notifyFraudOver({
      member_id: member.member_id,
      locale: localeOf(member, site),
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
  const over = await context.moderation.warnings.over(batch);
  return eachPart(over, (warning) => endWarning(context, warning), {
    mayGoOn,
    logger: context.logger,
    left: 'member not told that a warning of fraud is over; the next round retries',
    about: ({ recipient }) => ({ member: recipient }),
  });
}
