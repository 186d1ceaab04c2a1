import { forbidden, invalidArgument } from '@covalence/contract/failure';
import { booleanParameter, profileidInPath } from '@covalence/contract/parameters';
import { userStatuses } from '@covalence/contract/record';
import type { StaffSites } from '@covalence/contract/staff-roles';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { ModerationContext } from '../moderation.ts';
import { flagAdmission } from '../../members/flag-admission.ts';
import { answersToApprove, isWithheld } from '../../members/document/member-values.ts';
import type { MemberPatch } from '../../members/store/member-store.ts';
import type { Member, StaffAction } from '../../members/document/member.ts';
import { erasureAfter, statusAfter } from '../../members/document/account-status.ts';
import { decide, unlessMade, type Ruling } from '../decide.ts';
import { requireUnclaimed } from '../hold-claim.ts';
import {
  bannablePhotos,
  banMember,
  liftBans,
  removable,
  removeBansInput,
  removeMatched,
} from './ban-member.ts';
import {
  whyOf,
  decisionIdOf,
  decisionIdShape,
  holdTo,
  profileRevision,
  decisionInput,
  memberOf,
  onMember,
  type DecisionDocument,
} from '../staff-call.ts';

/** Actions that notify the member. Suspension and deletion close the member's sockets instead. */
const notifiedDecisions: Partial<Record<StaffAction, 'approved' | 'rejected'>> = {
  approve: 'approved',
  reject: 'rejected',
};

const documents: Record<StaffAction, DecisionDocument> = {
  approve: {
    operationId: 'approveMember',
    summary: 'Approve a profile',
    description: 'A new or rejected profile becomes approved.',
  },
  reject: {
    operationId: 'rejectMember',
    summary: 'Reject a profile',
    description: 'A new or approved profile becomes rejected; the reason is required.',
  },
  suspend: {
    operationId: 'suspendMember',
    summary: 'Suspend a member',
    description:
      'Tokens, sockets and sessions end at once, and open reports are closed. With `ban`, also of a member who is suspended already, the ban list gets the e-mail address and the photos.',
  },
  unsuspend: {
    operationId: 'unsuspendMember',
    summary: 'End a suspension',
    description:
      'The member may sign in again, and reports that the suspension closed are open again; earlier tokens stay invalid. The member’s entries leave the ban list; those for all sites need the role on every site, otherwise 403.',
  },
  delete: {
    operationId: 'deleteMemberAsStaff',
    summary: 'Delete a member',
    description:
      'Nobody sees the member any more, and they cannot sign in. Erased 30 days later. With `ban` the ban list gets the e-mail address and the photos, and keeps them.',
  },
};

/** Staff have reviewed contact data in current texts with the profile. */
const flagsAfterApproval = ({ flags = {}, pending }: Member): Member['flags'] =>
  Object.fromEntries(Object.entries(flags).filter(([name]) => name in pending));

const patchOf: Partial<Record<StaffAction, (member: Member, now: Date) => MemberPatch>> = {
  approve: (member) => ({
    flags: flagsAfterApproval(member),
    // Staff have read every answer with the profile.
    approved_answers: answersToApprove(member),
    suspected: undefined,
    ban_matches: undefined,
  }),
  suspend: (_member, now) => ({ tokens_ended_at: now, deactivation_changed_at: now }),
  unsuspend: (_member, now) => ({ deactivation_changed_at: now }),
  delete: (_member, now) => ({
    tokens_ended_at: now,
    deactivation_changed_at: now,
    push_subscriptions: undefined,
    legacy_push_ids: undefined,
    erase_at: erasureAfter(now),
  }),
};

/** The ruling of an action; undefined where it changes nothing. */
export function ruleOn(member: Member, action: StaffAction, now: Date): Ruling | undefined {
  const after = statusAfter(member, action);
  const isReleased = action === 'approve' && isWithheld(member) && !member.deleted;
  if (after === member && !isReleased) return undefined;
  const { userstatus, suspended, deleted } = after;
  const moved = userstatus !== member.userstatus && { before: member.userstatus, after: userstatus };
  // A member who was withheld knows nothing of it.
  const decision = isReleased ? undefined : notifiedDecisions[action];
  return {
    patch: { userstatus, suspended, deleted, ...patchOf[action]?.(member, now) },
    entry: { action, ...moved },
    ...(decision && { notification: { type: 'moderation.decided', data: { subject: 'profile', decision } } }),
  };
}

const isActiveAgain = ({ suspended, deleted }: Member) => !suspended && !deleted;

/** Applies the status outside of the member's document. Safe to repeat. */
async function apply(context: ModerationContext, member: Member, by: string, stated?: string): Promise<void> {
  await flagAdmission(context, member);
  if (isActiveAgain(member)) return context.moderation.reports.reopenAllOf(member._id);
  await context.moderation.reports.closeAllOf(member._id, { by, at: context.clock(), stated });
  await context.auth.endSessions({ member_id: member.member_id });
  // A member who cannot sign in could not end the renewal.
  await context.billing.switchRenewal({ member: member._id, autorenew: false });
}

/** The same until it is the status that the member has: somebody else may decide meanwhile. Resolves with the member then. */
export async function enforce(
  context: ModerationContext,
  member: Member,
  by: string,
  stated?: string,
): Promise<Member> {
  await apply(context, member, by, stated);
  const after = await context.members.store.byId(member._id);
  if (!after || isActiveAgain(after) === isActiveAgain(member)) return after ?? member;
  return enforce(context, after, by, stated);
}

const input = z.object({ id: profileidInPath, ...decisionInput });

const banInput = {
  ban: booleanParameter
    .optional()
    .meta({ type: 'boolean', description: 'Adds e-mail addresses and photos to the ban list.' }),
  ban_email: booleanParameter.optional().meta({
    type: 'boolean',
    default: true,
    description: 'With `ban`: whether to add the addresses.',
  }),
  ban_photos: z
    .array(z.int())
    .optional()
    .meta({ description: 'With `ban`: the numbers of the photos to add; all by default.' }),
  all_sites: booleanParameter.optional().meta({
    type: 'boolean',
    description: 'With `ban`: on every site, which needs the role on every site.',
  }),
};

type DecisionInput = z.output<typeof input> & {
  readonly ban?: boolean;
  readonly ban_email?: boolean;
  readonly ban_photos?: readonly number[];
  readonly all_sites?: boolean;
  readonly remove_bans?: boolean;
};

/** Where a ban holds: null is every site. Throws 403 where the caller's role does not, or where nothing is banned. */
function siteOfBan(input: DecisionInput, { siteid }: Member, sites: StaffSites) {
  const { ban, ban_email, ban_photos, all_sites } = input;
  if (!ban && (all_sites || ban_email !== undefined || ban_photos)) throw invalidArgument();
  if (!all_sites) return siteid;
  if (sites !== 'all') throw forbidden();
  return null;
}

/** Throws 403 where an end of the suspension would lift a ban of every site, and the role does not. */
async function requireLiftable({ members }: ModerationContext, member: Member, sites: StaffSites) {
  if (member.deleted) return;
  const entries = await members.bans.store.of(member._id);
  if (removable(entries, sites).length < entries.length) throw forbidden();
}

/** What to ban. Throws 403 where a photo is none of the member's. */
async function wantedOf(context: ModerationContext, member: Member, input: DecisionInput) {
  const { ban, ban_email: email = true, ban_photos: chosen } = input;
  if (!ban) return undefined;
  const all = await bannablePhotos(context, member);
  const photos = chosen ? all.filter(({ id }) => chosen.includes(id)) : all;
  if (chosen && photos.length < new Set(chosen).size) throw invalidArgument();
  return { email, photos };
}

const deciding = (action: StaffAction, accepted: z.ZodType<DecisionInput> = input) =>
  endpoint({
    access: 'staff',
    staff: onMember('moderator'),
    tag: 'Staff',
    ...documents[action],
    answer: 'The state of the member, and whether the call changed it.',
    example: { request: { id: '1002', reason: 'Fits the terms' } },
    statuses: [409],
    input: accepted,
    output: z
      .object({
        id: z.int().meta({ examples: [1002] }),
        changed: z.boolean().meta({ examples: [true] }),
        userstatus: z.enum(userStatuses).meta({ examples: ['approved'] }),
        suspended: z.boolean(),
        deleted: z.boolean(),
        ...decisionIdShape,
        banned: z
          .object({
            listed: z.int().meta({ description: 'Entries for the member now, also of earlier calls.' }),
            added: z.int(),
            skipped: z.array(z.int()).meta({
              description: 'Photos that cannot be recognized: without a file, or with too little to see.',
            }),
          })
          .optional()
          .meta({ id: 'BanOutcome', description: 'With `ban`.' }),
      })
      .meta({ id: 'StandingDecision' }),
    handler: async ({ input, caller, sites }, context: ModerationContext) => {
      const found = await memberOf(context, input.id);
      const { _id } = found;
      const siteid = siteOfBan(input, found, sites);
      if (action === 'unsuspend') await requireLiftable(context, found, sites);
      const kind = notifiedDecisions[action] && ('profile' as const);
      const wanted = await wantedOf(context, found, input);
      const { revision } = input;
      const ban = wanted && { everywhere: siteid === null };
      const authority = { staff: caller, sites, ...whyOf(input), kind, revision, ban };
      const made = { member: _id, staff: caller.memberId, action, revision };
      if (input.remove_bans) {
        // Before the approval, which forgets them.
        holdTo(input.revision, profileRevision(found));
        await requireUnclaimed(context, { kind: 'profile', key: _id }, caller);
        await removeMatched(context, found, authority);
      }
      const { changed, member, decision } = await unlessMade(context, made, () =>
        decide(context, _id, authority, (current) => {
          holdTo(revision, profileRevision(current));
          return ruleOn(current, action, context.clock());
        }),
      );
      // Also where nothing changed, because an earlier call may have failed before this step.
      const after = notifiedDecisions[action]
        ? member
        : await enforce(context, member, caller.memberId, input.report_id);
      if (action === 'unsuspend') await liftBans(context, _id, authority);
      const stated = { ...authority, siteid, isStated: !changed };
      const banned = wanted && (await banMember(context, after, wanted, stated));
      const { userstatus, suspended, deleted } = after;
      const state = { userstatus, suspended, deleted };
      return { id: _id, changed, ...state, ...decisionIdOf(decision), ...(banned && { banned }) };
    },
  });

/** POST /staff/members/{id}/approve */
export const approve = deciding('approve', input.extend({ remove_bans: removeBansInput }));
/** POST /staff/members/{id}/reject */
export const reject = deciding(
  'reject',
  input.refine(({ reason, reason_id }) => reason !== undefined || reason_id !== undefined),
);
/** POST /staff/members/{id}/suspend */
export const suspend = deciding('suspend', input.extend(banInput));
/** POST /staff/members/{id}/unsuspend */
export const unsuspend = deciding('unsuspend');
/** POST /staff/members/{id}/delete */
export const remove = deciding('delete', input.extend(banInput));
