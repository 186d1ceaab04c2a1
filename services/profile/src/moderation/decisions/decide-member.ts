import { conflicting, forbidden, invalidArgument } from '@covalence/contract/failure';
import { waitingApproval } from '@covalence/contract/peers/approvals-api';
import { booleanParameter, profileidInPath } from '@covalence/contract/parameters';
import { userStatuses } from '@covalence/contract/record';
import type { StaffSites } from '@covalence/contract/staff-roles';
import { Accepted } from '@covalence/http/accepted';
import { endpoint, type Caller } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { ModerationContext } from '../moderation.ts';
import { flagAdmission } from '../../members/flag-admission.ts';
import type { Member, StaffAction } from '../../members/document/member.ts';
import type { MemberPatch } from '../../members/store/member-store.ts';
import { statusAfter } from '../../members/document/account-status.ts';
import { clearedOf } from '../../members/document/suspicion.ts';
import { siteOf } from '../../members/members.ts';
import { decide, requireReportOf, unlessMade, type Authority } from '../decide.ts';
import { requestApproval } from './request-approval.ts';
import { reasonsOf } from '../statement.ts';
import { notifiedDecisions, ruleOn } from './member-rulings.ts';
import {
  bannablePhotos,
  banMember,
  liftBans,
  mostPhotos,
  matchesOf,
  removable,
  removeBansInput,
  unbansOf,
  removeUnbansOf,
} from './ban-member.ts';
import { grantAgainst, takenBackBy } from './taken-back.ts';
import {
  whyOf,
  decisionIdShape,
  hasReason,
  holdTo,
  profileRevision,
  decisionInput,
  memberOf,
  onMember,
  type DecisionDocument,
} from '../staff-call.ts';

const documents: Record<StaffAction, DecisionDocument> = {
  approve: {
    operationId: 'approveMember',
    summary: 'Approve a profile',
    description:
      'A new or rejected profile becomes approved. Entries of the ban list that match the member do not match them again, where the role covers the sites of the entries, until an entry is renewed or the member is suspended.',
  },
  reject: {
    operationId: 'rejectMember',
    summary: 'Reject a profile',
    description: 'A new or approved profile becomes rejected.',
  },
  suspend: {
    operationId: 'suspendMember',
    summary: 'Suspend a member',
    description:
      'Tokens, sockets and sessions end at once, and open reports are closed. With `ban`, also of a member who is suspended already, the ban list gets the email address and the photos, and the devices unless the member was suspended without `ban` before. A saved reason with `fraud` replaces the other reasons of a suspension, so that the member and those to be warned are notified.',
  },
  unsuspend: {
    operationId: 'unsuspendMember',
    summary: 'End a suspension',
    description:
      'The member may sign in again, and reports that the suspension closed are open again; earlier tokens stay invalid. The member’s entries leave the ban list; those for all sites need the role on every site, otherwise 403. With `mistaken` the suspension is also taken back: its points end, and an appeal that waits is granted.',
  },
  delete: {
    operationId: 'deleteMemberAsStaff',
    summary: 'Delete a member',
    description:
      'Nobody sees the member any more, and they cannot sign in. Erased 30 days later, and not while an appeal waits; until then it can be undone. With `ban` the ban list gets the email address, the devices and the photos, and keeps them. On sites where deletions need a second person, the call returns 202 and waits in GET /staff/approvals; repeating it returns the waiting request; 409 if another one about the member waits.',
  },
  undelete: {
    operationId: 'undeleteMemberAsStaff',
    summary: 'Undo a deletion by staff',
    description:
      'Within 30 days, until the erasure begins, then 409: the member is what they were and, unless suspended, may sign in again and is notified by mail. Reports that the deletion closed are open again, entries of the ban list go as with the end of a suspension; the renewal stays off, and devices have to ask for push messages again. A deletion by the member stays: the member ends it by signing in.',
  },
};

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
    .meta({ type: 'boolean', description: 'Adds email addresses, devices and photos to the ban list.' }),
  ban_email: booleanParameter.optional().meta({
    type: 'boolean',
    default: true,
    description: 'With `ban`: whether to add the addresses and devices.',
  }),
  ban_photos: z
    .array(z.int())
    .max(mostPhotos)
    .optional()
    .meta({ description: 'With `ban`: the numbers of the photos to add; all by default.' }),
  all_sites: booleanParameter.optional().meta({
    type: 'boolean',
    description: 'With `ban`: on every site, which needs the role on every site.',
  }),
};

/** The input of a deletion, also as it waits for a second person. */
export const deletionInput = input.extend(banInput);

type DecisionInput = z.output<typeof input> & {
  readonly ban?: boolean;
  readonly ban_email?: boolean;
  readonly ban_photos?: readonly number[];
  readonly all_sites?: boolean;
  readonly remove_bans?: boolean;
  readonly mistaken?: boolean;
};

/** The site of a ban; null for every site. Throws 403 for options without a ban, and for every site if the role is not for all. */
function siteOfBan(input: Omit<DecisionInput, 'id'>, { siteid }: Member, sites: StaffSites) {
  const { ban, ban_email, ban_photos, all_sites } = input;
  if (!ban && (all_sites || ban_email !== undefined || ban_photos)) throw invalidArgument();
  if (!all_sites) return siteid;
  if (sites !== 'all') throw forbidden();
  return null;
}

/** The actions after which a member may be active again, and the entries of the ban list go. */
const lifting: readonly StaffAction[] = ['unsuspend', 'undelete'];

/** Throws 403 where an action would lift a ban of every site, and the role does not. */
async function requireLiftable(
  { members }: ModerationContext,
  member: Member,
  action: StaffAction,
  sites: StaffSites,
) {
  if (!isActiveAgain({ ...member, ...statusAfter(member, action) })) return;
  const entries = await members.bans.store.of(member._id);
  if (removable(entries, sites).length < entries.length) throw forbidden();
}

/** The parts to ban. Throws 403 for a photo that is not the member's; an approval skips photos that the member removed since. */
async function wantedOf(
  context: ModerationContext,
  member: Member,
  input: Omit<DecisionInput, 'id'>,
  approval?: Authority['approval'],
) {
  const { ban, ban_email: email = true, ban_photos: chosen } = input;
  if (!ban) return undefined;
  const all = await bannablePhotos(context, member);
  const photos = chosen ? all.filter(({ id }) => chosen.includes(id)) : all;
  if (chosen && !approval && photos.length < new Set(chosen).size) throw invalidArgument();
  return { email, photos };
}

/** The patch that keeps the devices for the ban list, also those of an earlier decision. */
function keptDevices({ push_subscriptions: current = [], banned_devices: kept = [] }: Member): MemberPatch {
  return { banned_devices: [...new Set([...kept, ...current.map(({ id }) => id)])] };
}

/** The deciding staff account and its sites. */
interface Deciding extends Pick<Authority, 'approval'> {
  readonly staff: Pick<Caller, 'memberId'>;
  readonly sites: StaffSites;
  /** Condition on the member when the decision is made; 409 otherwise. */
  readonly requires?: (member: Member) => boolean;
}

/** Makes a decision on a member. Safe to repeat. */
export async function decideMember(
  context: ModerationContext,
  action: StaffAction,
  { id, ...input }: DecisionInput,
  { staff, sites, approval, requires }: Deciding,
) {
  const found = await memberOf(context, id);
  const { _id } = found;
  const siteid = siteOfBan(input, found, sites);
  if (lifting.includes(action)) await requireLiftable(context, found, action, sites);
  const kind = notifiedDecisions[action] && ('profile' as const);
  const wanted = await wantedOf(context, found, input, approval);
  const { revision } = input;
  const ban = wanted && { everywhere: siteid === null };
  const authority = { staff, sites, approval, ...whyOf(input), kind, revision, ban };
  const made = { member: _id, staff: staff.memberId, action, revision };
  let undoes: string | undefined;
  const { changed, member, decision } = await unlessMade(context, made, () =>
    decide(context, _id, authority, async (current) => {
      holdTo(revision, profileRevision(current));
      if (requires && !requires(current)) throw conflicting();
      const matches = action === 'approve' ? await matchesOf(context, current, sites) : [];
      const unbans = input.remove_bans ? unbansOf(matches) : {};
      const taken = approval ? {} : await takenBackBy(context, current, action, input);
      undoes = taken.undoes;
      const ruling = ruleOn(current, action, context.clock()) ?? taken.restated;
      // The erasure has begun.
      if (action === 'undelete' && current.deleted && !ruling) throw conflicting();
      const more = { ...unbans, ...(undoes !== undefined && { undoes }) };
      const kept = { ...clearedOf(current, matches), ...(wanted?.email && keptDevices(current)) };
      return (
        ruling && { ...ruling, patch: { ...ruling.patch, ...kept }, entry: { ...ruling.entry, ...more } }
      );
    }),
  );
  if (lifting.includes(action) && undoes !== undefined) await grantAgainst(context, member, undoes, staff);
  // Also where nothing changed, because an earlier call may have failed before this step.
  if (input.remove_bans) await removeUnbansOf(context, _id);
  const after = notifiedDecisions[action]
    ? member
    : await enforce(context, member, staff.memberId, input.report_id);
  if (lifting.includes(action)) await liftBans(context, _id, authority);
  const stated = { ...authority, siteid, isStated: !changed && !approval };
  const banned = wanted && (await banMember(context, after, wanted, stated));
  const { userstatus, suspended, deleted } = after;
  const state = { userstatus, suspended, deleted };
  return { id: _id, changed, ...state, decision_id: decision, banned };
}

/** Lets a deletion wait for a second person, after the checks that it would be refused by. */
async function requestDeletion(
  context: ModerationContext,
  member: Member,
  { id: _id, revision, ...input }: DecisionInput,
  { staff, sites }: Deciding,
) {
  siteOfBan(input, member, sites);
  await wantedOf(context, member, input);
  const why = whyOf(input);
  await requireReportOf(context, why, member._id);
  reasonsOf(context, member, { action: 'delete' }, why, { at: context.clock(), kind: 'account' });
  holdTo(revision, profileRevision(member));
  const { _id: number, siteid, suspended } = member;
  return requestApproval(context, {
    action: 'delete',
    subject: `delete:${number}`,
    member: number,
    siteid,
    staff: staff.memberId,
    suspended,
    input,
  });
}

/** Whether an action on a member needs a second person. */
const needsApproval = (context: ModerationContext, action: StaffAction, { siteid, deleted }: Member) =>
  action === 'delete' && !deleted && siteOf(context, siteid).second_person.deletions;

const deciding = (action: StaffAction, accepted: z.ZodType<DecisionInput> = input) =>
  endpoint({
    access: 'staff',
    staff: onMember('moderator'),
    ...documents[action],
    answer: 'The state of the member, and whether the call changed it.',
    example: { request: { id: '1002', reason: 'Fits the terms' } },
    statuses: [409],
    input: accepted,
    ...(action === 'delete' && { accepted: waitingApproval }),
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
    handler: async ({ input, caller: staff, sites }, context: ModerationContext) => {
      const member = await memberOf(context, input.id);
      return needsApproval(context, action, member)
        ? new Accepted(await requestDeletion(context, member, input, { staff, sites }))
        : decideMember(context, action, input, { staff, sites });
    },
  });

/** POST /staff/members/{id}/approve */
export const approve = deciding('approve', input.extend({ remove_bans: removeBansInput }));
/** POST /staff/members/{id}/reject */
export const reject = deciding('reject', input.refine(hasReason));
/** POST /staff/members/{id}/suspend */
export const suspend = deciding('suspend', input.extend(banInput).refine(hasReason));
/** POST /staff/members/{id}/unsuspend */
export const unsuspend = deciding(
  'unsuspend',
  input.extend({
    mistaken: booleanParameter
      .optional()
      .meta({ type: 'boolean', description: 'The suspension was a mistake, and is taken back.' }),
  }),
);
/** POST /staff/members/{id}/delete */
export const remove = deciding('delete', deletionInput.refine(hasReason));
/** POST /staff/members/{id}/undelete */
export const undelete = deciding('undelete');
