import { refundRequest } from '@covalence/contract/peers/approvals-api';
import { booleanParameter } from '@covalence/contract/parameters';
import { sitesWith, type StaffSites } from '@covalence/contract/staff-roles';
import { endpoint, type Caller } from '@covalence/http/endpoint';
import { isoOrNull } from '@covalence/runtime/clock';
import { z } from 'zod';
import { pageOf } from '../../members/page.ts';
import type { Approval, ApprovalsOn } from '../store/approval-store.ts';
import { deletionInput } from '../decisions/decide-member.ts';
import type { ModerationContext } from '../moderation.ts';
import { entryMembers, sitesPageInput, profileRevision, sitesOf } from '../staff-call.ts';
import { listedUsername, usernamesOf } from '../usernames.ts';
import { approvalActions, roleOf } from './run-approval.ts';

/** The outcome of a request. */
const outcomes = ['waiting', 'running', 'done', 'refused', 'withdrawn', 'void', 'expired', 'erased'] as const;

function outcomeOf(
  { decided, erased_at, runs, staff, expires_at }: Approval,
  now: Date,
): (typeof outcomes)[number] {
  if (erased_at) return 'erased';
  if (!decided) return expires_at > now ? 'waiting' : 'expired';
  if (runs) return 'running';
  if (decided.outcome === 'approved') return 'done';
  return decided.outcome === 'refused' && decided.staff === staff ? 'withdrawn' : decided.outcome;
}

const entrySchema = z
  .strictObject({
    approval_id: z.uuid(),
    action: z.enum(approvalActions).meta({ examples: ['delete'] }),
    id: z.int().meta({ description: 'The member.', examples: [1002] }),
    username: listedUsername,
    siteid: z.int().nullable().meta({ description: 'Null of a member erased before.' }),
    staff_id: z.string().meta({ description: 'Who asked.' }),
    own: z.boolean().meta({ description: 'The caller asked, so that somebody else has to approve.' }),
    requested_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    outcome: z.enum(outcomes).meta({
      description:
        '`running` until all of it is done; `void` could no longer be done when it was approved; `withdrawn` by the account that asked; `erased`: the member was erased, and the details with them.',
    }),
    decided_by: z.string().nullable().meta({ description: 'The account that approved or refused it.' }),
    decided_at: z.iso.datetime().nullable(),
    reason: z.string().nullable().meta({ description: 'A text, or the `id` of a saved reason.' }),
    facts: z.string().nullable(),
    ban: z.enum(['site', 'all_sites']).nullable().meta({ description: 'With an entry in the ban list.' }),
    ban_email: z.boolean().nullable().meta({ description: 'With `ban`: also of the email addresses.' }),
    ban_photos: z.array(z.int()).nullable().meta({ description: 'With `ban`: the numbers; null is all.' }),
    report_id: z.string().nullable(),
    payment: z.string().nullable().meta({ description: 'Of a refund: the key of the payment.' }),
    amount: z.int().nullable().meta({ description: 'Of a refund, in minor units.' }),
    currency: z.string().nullable(),
    correction: z
      .strictObject({
        expires_at: z.string().nullable(),
        autorenew: z.boolean().nullable(),
        rate_id: z.int().nullable(),
      })
      .nullable()
      .meta({ id: 'StaffApprovalCorrection', description: 'What a refund changes of the membership, too.' }),
    revision: z.string().nullable().meta({ description: 'Of a deletion: the member as they are now.' }),
  })
  .meta({ id: 'StaffApproval' });

const storedDeletion = deletionInput.omit({ id: true });

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const banOf = ({ ban, all_sites }: Approval['input']) => {
  if (ban !== true) return null;
  return all_sites === true ? ('all_sites' as const) : ('site' as const);
};

/** The options of a deletion (ban and report), or the payment of a refund. */
function chosenOf({ action, input }: Approval) {
  if (action === 'refund')
    return { ban_email: null, ban_photos: null, report_id: null, payment: textOf(input['refund']) };
  const { ban, ban_email = true, ban_photos = null, report_id = null } = storedDeletion.parse(input);
  return {
    ...(ban ? { ban_email, ban_photos } : { ban_email: null, ban_photos: null }),
    report_id,
    payment: null,
  };
}

/** The part of a refund that is no refund, so that nobody approves it unseen. */
function correctionOf({ action, input, erased_at }: Approval) {
  if (action !== 'refund' || erased_at) return null;
  const { expires_at = null, autorenew = null, rate_id = null } = refundRequest.parse(input);
  const parts = { expires_at, autorenew, rate_id };
  return Object.values(parts).every((part) => part === null) ? null : parts;
}

/** The actions that the caller may decide on, each with the sites of its role: one site, or null for all. */
function placesOf(
  { roles }: Caller,
  siteid: number | undefined,
  context: ModerationContext,
): readonly ApprovalsOn[] {
  return approvalActions.flatMap((action): ApprovalsOn[] => {
    const sites: StaffSites = sitesWith(roles, [roleOf[action]]);
    if (siteid !== undefined)
      return sites === 'all' || sites.has(siteid) ? [{ action, siteids: [siteid] }] : [];
    return [{ action, siteids: sites === 'all' ? null : sitesOf(undefined, sites, context) }];
  });
}

/** GET /staff/approvals */
export const listApprovals = endpoint({
  access: 'staff',
  staff: {
    roles: ['moderator', 'support'],
    site: 'several',
    shows: ({ entries }) => entryMembers(entries),
  },
  operationId: 'listStaffApprovals',
  summary: 'List what waits for a second person',
  description:
    'Deletions for moderators, refunds for support, on the sites of the role: oldest first those that wait, until they expire; with `ended` newest first what became of the others, for 90 days.',
  answer: 'A page of requests.',
  input: sitesPageInput.extend({
    ended: booleanParameter.optional().meta({ type: 'boolean', description: 'Those that have ended.' }),
  }),
  output: z
    .object({ entries: z.array(entrySchema), next: z.uuid().nullable() })
    .meta({ id: 'StaffApprovals' }),
  handler: async (
    { input: { siteid, cursor, pagesize: size, ended }, caller, sites },
    context: ModerationContext,
  ) => {
    // Refuses a site that none of the roles counts on.
    sitesOf(siteid, sites, context);
    const { approvals } = context.moderation;
    const places = placesOf(caller, siteid, context);
    const now = context.clock();
    const read = () =>
      ended
        ? approvals.ended(places, now, cursor, size + 1)
        : approvals.waiting(places, now, cursor, size + 1);
    const found = places.length ? await read() : [];
    const { entries, next } = pageOf(found, size, ({ id }) => id);
    const ids = entries.map(({ member }) => member);
    const [members, nameOf] = await Promise.all([
      context.members.store.byIds(ids),
      usernamesOf(context, ids, sites),
    ]);
    const revisionOf = (id: number) => {
      const member = members.find(({ _id }) => _id === id);
      return member ? profileRevision(member) : null;
    };
    return {
      entries: entries.map((approval) => {
        const { id, action, member, staff, at, expires_at, input, ...rest } = approval;
        return {
          approval_id: id,
          action,
          id: member,
          username: nameOf(member),
          siteid: rest.siteid ?? null,
          staff_id: staff,
          own: staff === caller.memberId,
          requested_at: at.toISOString(),
          expires_at: expires_at.toISOString(),
          outcome: outcomeOf(approval, now),
          decided_by: rest.decided?.staff ?? null,
          decided_at: isoOrNull(rest.decided?.at),
          reason: textOf(input['reason'] ?? input['reason_id']),
          facts: textOf(input['facts']),
          ban: banOf(input),
          ...chosenOf(approval),
          amount: rest.amount ?? null,
          currency: rest.currency ?? null,
          correction: correctionOf(approval),
          revision: action === 'delete' ? revisionOf(member) : null,
        };
      }),
      next,
    };
  },
});
