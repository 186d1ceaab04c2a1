import { Failure, forbidden } from '@covalence/contract/failure';
import type { StaffSites } from '@covalence/contract/staff-roles';
import type { Decision, Member } from '../../members/document/member.ts';
import { isFreeTextAnswer } from '../../members/document/member-values.ts';
import { ownPhoto, standingOf, withStanding } from '../../photos/photo-list.ts';
import { decide, moveDecisions, type Authority, type Ruling } from '../decide.ts';
import { liftBans, removable, removeBans } from '../decisions/ban-member.ts';
import { enforce } from '../decisions/decide-member.ts';
import { restoreNames, withText } from '../decisions/decide-text.ts';
import { ruleOn } from '../decisions/member-rulings.ts';
import type { ModerationContext } from '../moderation.ts';

type Reversal = Pick<Ruling, 'patch' | 'notification'>;

const told = (
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
    scam_signals_at: _signals,
    strikes_at: _strikes,
    ...patch
  } = ruling.patch;
  return { patch, ...told('profile') };
}

/** A text that the member replaced since, or that retention removed, stays as it is. */
function textAgain(member: Member, { field, rejected }: Decision): Reversal | undefined {
  const text = rejected?.text;
  if (field === undefined || text === undefined || member.deleted || field in member.pending)
    return undefined;
  const answers = { approved_answers: { ...member.approved_answers, [field]: text } };
  return {
    patch: { fields: withText(member, field, text), ...(isFreeTextAnswer(field) && answers) },
    ...told('text', { field }),
  };
}

function photoAgain(member: Member, { photo: id }: Decision): Reversal | undefined {
  const photo = id === undefined ? undefined : ownPhoto(member, id);
  if (id === undefined || photo?.status !== 'rejected' || member.deleted) return undefined;
  const photos = withStanding(member.photos, id, { ...standingOf(photo), status: 'approved' });
  return { patch: { photos }, ...told('photo', { photo: id }) };
}

const reversals: Partial<
  Record<Decision['action'], (member: Member, decision: Decision, now: Date) => Reversal | undefined>
> = {
  reject: (member, _decision, now) => profileAgain(member, now),
  'reject-text': textAgain,
  'reject-photo': photoAgain,
  suspend: (member, _decision, now) => ruleOn(member, 'unsuspend', now),
  delete: (member, _decision, now) => ruleOn(member, 'undelete', now),
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

/**
 * Takes back what a decision did, as far as it is still in force, and records it. Safe to repeat: what was taken back is
 * not touched again.
 */
export async function reverseDecision(
  context: ModerationContext,
  decision: Decision,
  { sites, ...authority }: Authority & { readonly sites: StaffSites },
): Promise<void> {
  const { members, moderation } = context;
  const { id, member: number, action, field, photo } = decision;
  const member = await members.store.byId(number);
  if (!member) return;
  // Read again in the write: a colleague may decide on the same meanwhile.
  const isInForce = async (current: Member) => {
    await moveDecisions(context, current);
    return !(await moderation.decisions.isReplaced(decision));
  };
  if (!(await moderation.decisions.undoneOf(number, [id])).size) {
    const isOurs = (await isInForce(member)) && (await tookName(context, member, decision));
    await decide(context, number, authority, async (current) => {
      const rule = isOurs && (await isInForce(current)) ? reversals[action] : undefined;
      return {
        ...(rule?.(current, decision, context.clock()) ?? { patch: {} }),
        entry: {
          action: 'grant-appeal',
          undoes: id,
          ...(field !== undefined && { field }),
          ...(photo !== undefined && { photo }),
        },
      };
    });
    if (field === 'username') await restoreNames(context, number);
  }
  const after = await members.store.byId(number);
  if (!after || !(await isInForce(after))) return;
  const by = authority.staff.memberId;
  if (action === 'suspend' || action === 'delete') {
    await enforce(context, after, by);
    await liftBans(context, number, { ...authority, sites });
  }
  if (action === 'ban')
    await removeBans(context, removable(await members.bans.store.of(number), sites), { ...authority, sites });
}
