import { Failure, forbidden } from '@covalence/contract/failure';
import type { StaffSites } from '@covalence/contract/staff-roles';
import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import { erasureAfter } from '../../members/document/account-status.ts';
import type { Decision, Member } from '../../members/document/member.ts';
import { isFreeTextAnswer } from '../../members/document/member-values.ts';
import { ownPhoto, reviewStateOf, withReviewState } from '../../photos/photo-list.ts';
import { isClosedAs } from '../appeal-state.ts';
import { decide, moveDecisions, type Authority, type Ruling, logDecision } from '../decide.ts';
import { liftBans, removable, removeBans } from '../decisions/ban-member.ts';
import { enforce } from '../decisions/decide-member.ts';
import { restoreNames, withText } from '../decisions/decide-text.ts';
import { ruleOn } from '../decisions/member-rulings.ts';
import { otherDecision } from './grant-effect.ts';
import type { ModerationContext } from '../moderation.ts';
import type { Appeal } from '../store/appeal-store.ts';

type Reversal = Pick<Ruling, 'patch' | 'notification'>;

const approvedNotification = (
  subject: 'profile' | 'text' | 'photo',
  more: { readonly field?: string; readonly photo?: number } = {},
): Pick<Ruling, 'notification'> => ({
  notification: { type: 'moderation.decided', data: { subject, decision: 'approved', ...more } },
});

/** Approves the profile. Matches of the ban list, scam signals and points stay, so that a colleague decides on them. */
function profileAgain(member: Member, now: Date): Reversal | undefined {
  if (member.userstatus !== 'rejected') return undefined;
  const ruling = ruleOn(member, 'approve', now);
  if (!ruling) return undefined;
  const {
    suspected: _suspected,
    ban_matches: _matches,
    matched_by: _kinds,
    scam_signals_at: _signals,
    strikes_at: _strikes,
    ...patch
  } = ruling.patch;
  return { patch, ...approvedNotification('profile') };
}

/** A text that the member replaced since, or that retention removed, stays as it is. */
function textAgain(member: Member, { field, rejected }: Decision): Reversal | undefined {
  const text = rejected?.text;
  if (field === undefined || text === undefined || member.deleted || field in member.pending)
    return undefined;
  const answers = { approved_answers: { ...member.approved_answers, [field]: text } };
  return {
    patch: { fields: withText(member, field, text), ...(isFreeTextAnswer(field) && answers) },
    ...approvedNotification('text', { field }),
  };
}

function photoAgain(member: Member, { photo: id }: Decision): Reversal | undefined {
  const photo = id === undefined ? undefined : ownPhoto(member, id);
  if (id === undefined || photo?.status !== 'rejected' || member.deleted) return undefined;
  const photos = withReviewState(member.photos, id, { ...reviewStateOf(photo), status: 'approved' });
  return { patch: { photos }, ...approvedNotification('photo', { photo: id }) };
}

const reversals: Partial<
  Record<Decision['action'], (member: Member, decision: Decision, now: Date) => Reversal | undefined>
> = {
  reject: (member, _decision, now) => profileAgain(member, now),
  'reject-text': textAgain,
  'reject-photo': photoAgain,
  // Also of a member whose deletion stands.
  suspend: ({ suspended }, _decision, now) =>
    suspended ? { patch: { suspended: false, deactivation_changed_at: now } } : undefined,
  // The erasure waits for the appeal, whatever its date.
  delete: (member, _decision, now) =>
    member.erase_at && ruleOn({ ...member, erase_at: erasureAfter(now) }, 'undelete', now),
};

/** Makes a username that was rejected the login name again. False where somebody else has it by now. */
async function tookName(
  { auth }: ModerationContext,
  { member_id }: Member,
  { action, field, rejected }: Decision,
) {
  if (action !== 'reject-text' || field !== 'username' || rejected?.text === undefined) return true;
  try {
    await auth.applyUsername({ member_id, username: rejected.text });
    return true;
  } catch (error) {
    if (error instanceof Failure && error.status === 403) return false;
    throw error;
  }
}

/** Whether a staff account made a decision or approved it, so that somebody else decides the appeal. */
export const isMadeBy = ({ staff, approved_by }: Decision, account: string): boolean =>
  account === staff || account === approved_by;

/** Throws 403 where entries of the ban list would have to go, and the role does not cover their sites. */
export async function requireReversible(
  { members }: ModerationContext,
  { action, member }: Decision,
  sites: StaffSites,
): Promise<void> {
  if (action !== 'suspend' && action !== 'delete' && action !== 'ban') return;
  const entries = await members.bans.store.of(member);
  if (removable(entries, sites).length < entries.length) throw forbidden();
}

/** The later decision that replaces a decision. Of a ban, entries may be left when some were removed. */
async function replacementOf({ moderation }: ModerationContext, decision: Decision) {
  const replacement = await moderation.decisions.replacementOf(decision);
  return replacement?.action === 'unban' ? undefined : replacement;
}

/** Whether a granted appeal would take something back now. Somebody else may have a rejected username by then. */
export async function isInForce(
  context: ModerationContext,
  member: Member,
  decision: Decision,
): Promise<boolean> {
  if (decision.action === 'close-report')
    return isClosedAs(await context.moderation.reports.find(decision.report ?? ''), decision.id);
  if (await replacementOf(context, decision)) return false;
  if (decision.action === 'ban') return (await context.members.bans.store.of(member._id)).length > 0;
  return reversals[decision.action]?.(member, decision, context.clock()) !== undefined;
}

interface Deciding extends Authority {
  readonly sites: StaffSites;
}

interface Granting extends Deciding {
  /** Id of the history entry of a grant that changes no member document, so that it is written once. */
  readonly as: string;
}

/** Removes the bans of an erased member, so that they may register again, and records it. */
async function reverseClosed(
  context: ModerationContext,
  decision: Decision,
  { as: id, ...authority }: Granting,
): Promise<void> {
  const { id: undoes, member } = decision;
  const { clock, members, moderation } = context;
  await removeBans(context, removable(await members.bans.store.of(member), authority.sites), authority);
  if (await moderation.decisions.granting(decision)) return;
  const { memberId: staff } = authority.staff;
  await moderation.decisions.append([{ id, member, staff, at: clock(), action: 'grant-appeal', undoes }]);
}

/** Records that the appeal of a reporter was granted, and opens the report again where its closing stands. */
async function reopenReport(
  context: ModerationContext,
  { id: undoes, member, report }: Decision,
  { as: id, staff: { memberId: staff } }: Granting,
): Promise<void> {
  const { decisions, reports } = context.moderation;
  const at = context.clock();
  // The history is written first: a report that is open may be closed again before a retry.
  if (!(await decisions.granting({ id: undoes, member }))) {
    const isClosed = report !== undefined && isClosedAs(await reports.find(report), undoes);
    const effect = isClosed ? { report } : { ineffective: true as const };
    await logDecision(context, { id, member, staff, at, undoes, ...effect, action: 'reopen-report' });
  }
  if (report !== undefined) await reports.reopen(report, undoes, at);
}

/** Removes the bans that came with a suspension or deletion from a member whom another decision still restricts. */
async function liftItsBans(
  context: ModerationContext,
  member: Member,
  decision: Decision,
  authority: Deciding,
) {
  const other = await otherDecision(context, member, decision);
  const until = other && other.at > decision.at ? other.at : undefined;
  const entries = await context.members.bans.store.of(member._id);
  const its = entries.filter(({ at }) => at >= decision.at && (until === undefined || at < until));
  await removeBans(context, removable(its, authority.sites), authority);
}

/**
 * Takes back what a decision did, as far as it is still in force, and records it. Safe to repeat: what was taken back is
 * not touched again.
 */
async function reverseDecision(
  context: ModerationContext,
  decision: Decision,
  { as, ...by }: Granting,
): Promise<void> {
  const { members, moderation } = context;
  const { id, member: number, action, field, photo } = decision;
  if (action === 'close-report') return reopenReport(context, decision, { as, ...by });
  const member = await members.store.byId(number);
  if (!member) return reverseClosed(context, decision, { as, ...by });
  const { sites, ...authority } = by;
  // Read again in the write: a colleague may decide on the same meanwhile.
  const isStillInForce = async (current: Member) => {
    await moveDecisions(context, current);
    return isInForce(context, current, decision);
  };
  await moveDecisions(context, member);
  if (!(await moderation.decisions.granting(decision))) {
    const isOurs = (await isStillInForce(member)) && (await tookName(context, member, decision));
    await decide(context, number, authority, async (current) => {
      const isTakenBack = isOurs && (await isStillInForce(current));
      const reversal = isTakenBack ? reversals[action]?.(current, decision, context.clock()) : undefined;
      return {
        ...(reversal ?? { patch: {} }),
        entry: {
          action: 'grant-appeal',
          undoes: id,
          ...(!isTakenBack && { ineffective: true }),
          ...(field !== undefined && { field }),
          ...(photo !== undefined && { photo }),
        },
      };
    });
    if (field === 'username') await restoreNames(context, number);
  }
  const after = await members.store.byId(number);
  if (!after || (await replacementOf(context, decision))) return;
  if (action === 'suspend' || action === 'delete') {
    const enforced = await enforce(context, after, authority.staff.memberId);
    if (!(await liftBans(context, number, by))) await liftItsBans(context, enforced, decision, by);
  }
  if (action === 'ban') await removeBans(context, removable(await members.bans.store.of(number), sites), by);
}

/** Takes back the decision of a granted appeal. Safe to repeat. */
export async function carryOut(
  context: ModerationContext,
  appeal: string,
  decision: Decision,
  authority: Granting,
): Promise<void> {
  const { appeals, decisions } = context.moderation;
  await reverseDecision(context, decision, authority);
  // The entry may wait in the document of the member; the member is notified of what it says.
  if (await decisions.granting(decision)) await appeals.ran(appeal);
}

const batch = 50;

/** Appeals are carried out by their call first; after this time, ms, the call has failed. */
const callMs = 60_000;

/** Job: takes back the decisions of granted appeals whose call did not, as after a crash. Resolves with how many failed. */
export async function runAppeals(context: ModerationContext, mayGoOn: MayGoOn = always): Promise<number> {
  const { moderation, clock, logger } = context;
  const run = async ({ id, decision: against, decided }: Appeal) => {
    const decision = await moderation.decisions.find(against);
    if (!decision || !decided) return moderation.appeals.ran(id);
    const { staff: memberId, as, answer: reason } = decided;
    // Checked before the grant; what began is completed.
    await carryOut(context, id, decision, { as, staff: { memberId }, sites: 'all', reason });
  };
  return eachPart(await moderation.appeals.running(new Date(clock().getTime() - callMs), batch), run, {
    mayGoOn,
    logger,
    left: 'granted appeal not carried out: will retry',
    about: ({ member }) => ({ member }),
  });
}
