import { conflicting, forbidden, orNotFound } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { v7 } from 'uuid';
import { z } from 'zod';
import type { Approval, ApprovalOutcome } from '../store/approval-store.ts';
import type { ModerationContext } from '../moderation.ts';
import { holdTo, memberOf, profileRevision, type DecisionDocument } from '../staff-call.ts';
import { coversRequest, runApproval } from './run-approval.ts';

interface Input {
  readonly approvalid: string;
  readonly revision?: string | undefined;
}

const approvalOf = async ({ moderation }: ModerationContext, { approvalid }: Input): Promise<Approval> =>
  orNotFound(await moderation.approvals.find(approvalid));

/** Ends a request that can no longer be made, and throws 409: the account that asked is disabled, or lost its role. */
async function requireRequester(context: ModerationContext, approval: Approval, by: Decided): Promise<void> {
  if (!approval.waits) return;
  const { roles } = await context.auth.readStaffRoles({ staff_id: approval.staff });
  if (coversRequest(roles, approval)) return;
  await context.moderation.approvals.decide(approval.id, { ...by, outcome: 'void' });
  throw conflicting();
}

type Decided = Omit<NonNullable<Approval['decided']>, 'outcome'>;

/** Approves: by another person only, who saw the member as they are. */
async function approve(
  context: ModerationContext,
  approval: Approval,
  { revision, by }: { readonly revision: string | undefined; readonly by: Decided },
): Promise<void> {
  if (approval.staff === by.staff) throw forbidden();
  if (approval.action === 'delete' && approval.waits && revision !== undefined)
    holdTo(revision, profileRevision(await memberOf(context, String(approval.member))));
  await requireRequester(context, approval, by);
}

const named = z.object({ approvalid: z.uuid().toLowerCase().meta({ description: 'The request.' }) });

const deciding = (
  outcome: Exclude<ApprovalOutcome, 'void'>,
  document: DecisionDocument,
  accepted: z.ZodType<Input> = named,
) =>
  endpoint({
    access: 'staff',
    staff: {
      roles: ['moderator', 'support'],
      site: async (input: Input, context: ModerationContext) => (await approvalOf(context, input)).siteid,
      about: async (input: Input, context: ModerationContext) => {
        const { member, staff } = await approvalOf(context, input);
        return [String(member), staff];
      },
    },
    ...document,
    answer: 'The request is decided.',
    example: { request: { approvalid: '019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77' } },
    statuses: [404, 409],
    input: accepted,
    output: z.object({ id: z.int().meta({ examples: [1002] }) }).meta({ id: 'DecidedApproval' }),
    handler: async ({ input, caller }, context: ModerationContext) => {
      const approval = await approvalOf(context, input);
      if (!coversRequest(caller.roles, approval)) throw forbidden();
      const staff = caller.memberId;
      const by = { at: context.clock(), staff, as: v7() };
      if (outcome === 'approved') await approve(context, approval, { revision: input.revision, by });
      const after = await context.moderation.approvals.decide(approval.id, { ...by, outcome });
      const { decided } = after ?? {};
      if (!after || decided?.staff !== staff || decided.outcome !== outcome) throw conflicting();
      const { member: memberNumber } = approval;
      // Repeated, it was recorded before.
      if (decided.as === by.as) {
        context.security.record('staff_decision', { staff, memberNumber, reason: `approval_${outcome}` });
        context.metrics.staffDecisions.inc({ kind: 'approval' });
      }
      await runApproval(context, after);
      return { id: memberNumber };
    },
  });

/** POST /staff/approvals/{approvalid}/approve */
export const approveRequest = deciding(
  'approved',
  {
    operationId: 'approveStaffRequest',
    summary: 'Approve the request of a colleague',
    description:
      'Takes effect once, on the state at that time. Another account than the one that asked needs the same role; 403 otherwise. 409 where it is decided, has expired, or can no longer be done: the account that asked is disabled or lost its role, a suspension began or ended since, the payment cannot be refunded. Such a request ends, and has to be made again. Photos that the member removed since are left out of the ban. Repeated after a failure, it completes.',
  },
  named.extend({
    revision: z
      .string()
      .optional()
      .meta({ description: '`revision` of the list; 409 when the member has changed since.' }),
  }),
);
/** POST /staff/approvals/{approvalid}/refuse */
export const refuseRequest = deciding('refused', {
  operationId: 'refuseStaffRequest',
  summary: 'Refuse the request of a colleague',
  description:
    'Nothing happens. The account that asked can also refuse, which withdraws the request. 409 where it is decided or has expired.',
});
