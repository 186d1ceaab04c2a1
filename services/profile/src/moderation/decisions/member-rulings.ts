import type { Member, StaffAction } from '../../members/document/member.ts';
import { erasureAfter, statusAfter } from '../../members/document/account-status.ts';
import { answersToApprove, isWithheld, pick } from '../../members/document/member-values.ts';
import type { MemberPatch } from '../../members/store/member-store.ts';
import type { Ruling } from '../decide.ts';

/** Actions that notify the member. Suspension and deletion close the member's sockets instead. */
export const notifiedDecisions: Partial<Record<StaffAction, 'approved' | 'rejected'>> = {
  approve: 'approved',
  reject: 'rejected',
};

/** Staff have reviewed contact data in current texts with the profile. */
const flagsAfterApproval = ({ flags = {}, pending }: Member): Member['flags'] =>
  pick(flags, (name) => name in pending);

/** Staff have looked at the signals of a scam, and at the points. */
const lookedAt: MemberPatch = { scam_signals_at: undefined, strikes_at: undefined };

const patchOf: Partial<Record<StaffAction, (member: Member, now: Date) => MemberPatch>> = {
  approve: (member) => ({
    flags: flagsAfterApproval(member),
    // Staff have read every answer with the profile.
    approved_answers: answersToApprove(member),
    suspected: undefined,
    ban_matches: undefined,
    matched_by: undefined,
    ...lookedAt,
  }),
  reject: () => lookedAt,
  suspend: (_member, now) => ({
    tokens_ended_at: now,
    deactivation_changed_at: now,
    // The next approval decides anew.
    cleared_bans: undefined,
    ...lookedAt,
  }),
  unsuspend: (_member, now) => ({ deactivation_changed_at: now }),
  delete: ({ erase_at: own_erase_at }, now) => ({
    tokens_ended_at: now,
    deactivation_changed_at: now,
    push_subscriptions: undefined,
    legacy_push_ids: undefined,
    erase_at: erasureAfter(now),
    own_erase_at,
    ...lookedAt,
  }),
  undelete: ({ own_erase_at: erase_at }, now) => ({
    deactivation_changed_at: now,
    erase_at,
    own_erase_at: undefined,
  }),
};

/** Whether the erasure of a deleted member has not begun. */
const isRestorable = ({ erase_at }: Member, now: Date) => erase_at !== undefined && erase_at > now;

/** Whether an approved member is in the queue, and does not know of it. */
const isSuspect = (member: Member) =>
  isWithheld(member) ||
  (member.userstatus === 'approved' && (member.scam_signals_at ?? member.strikes_at) !== undefined);

/** The ruling of an action; undefined where it changes nothing. */
export function ruleOn(member: Member, action: StaffAction, now: Date): Ruling | undefined {
  if (action === 'undelete' && !isRestorable(member, now)) return undefined;
  const after = statusAfter(member, action);
  const isReleased = action === 'approve' && isSuspect(member) && !member.deleted;
  if (after === member && !isReleased) return undefined;
  const { userstatus, suspended, deleted } = after;
  const moved = userstatus !== member.userstatus && { before: member.userstatus, after: userstatus };
  // The member knows nothing of it.
  const decision = isReleased ? undefined : notifiedDecisions[action];
  return {
    patch: { userstatus, suspended, deleted, ...patchOf[action]?.(member, now) },
    entry: { action, ...moved },
    ...(decision && { notification: { type: 'moderation.decided', data: { subject: 'profile', decision } } }),
  };
}
