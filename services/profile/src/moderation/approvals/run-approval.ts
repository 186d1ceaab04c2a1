import { conflicting, Failure, unavailable } from '@covalence/contract/failure';
import { refundRequest } from '@covalence/contract/peers/approvals-api';
import { coversSite, sitesWith, type RolesBySite, type StaffRole } from '@covalence/contract/staff-roles';
import { dayMs } from '@covalence/contract/time';
import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { Approval, ApprovalAction } from '../store/approval-store.ts';
import type { Member } from '../../members/document/member.ts';
import { moveDecisions } from '../decide.ts';
import { decideMember, deletionInput } from '../decisions/decide-member.ts';
import type { ModerationContext } from '../moderation.ts';
import { memberOf } from '../staff-call.ts';

/** The role that both persons need. */
export const roleOf = { delete: 'moderator', refund: 'support' } as const satisfies Readonly<
  Record<ApprovalAction, StaffRole>
>;

/** The actions that wait for a second person. */
export const approvalActions = Object.keys(roleOf) as ApprovalAction[];

/** Whether roles of staff cover what a request does. */
export function coversRequest(roles: RolesBySite, { action, siteid, input }: Approval): boolean {
  const sites = sitesWith(roles, [roleOf[action]]);
  return coversSite(sites, siteid) && (input['all_sites'] !== true || sites === 'all');
}

type Approved = Approval & Required<Pick<Approval, 'decided'>>;

/** Whether the deletion of a member was made under its approval. */
async function isMade(context: ModerationContext, member: Member, { decided: { as } }: Approved) {
  await moveDecisions(context, member);
  return (await context.moderation.decisions.find(as)) !== undefined;
}

/** Deletes the member, unless this approval did so before. Throws 409 where a suspension began or ended since, or the member is deleted. */
async function runDeletion(context: ModerationContext, approval: Approved): Promise<void> {
  const { member: id, siteid = 0, staff: memberId, input, suspended, decided } = approval;
  const member = await memberOf(context, String(id));
  const isRepeated = await isMade(context, member, approval);
  // Somebody undid it since.
  if (isRepeated && !member.deleted) return;
  const asked = deletionInput.parse({ ...input, id: String(id) });
  await decideMember(context, 'delete', asked, {
    staff: { memberId },
    // Checked before the approval; what began is completed.
    sites: asked.all_sites ? 'all' : new Set([siteid]),
    approval: { by: decided.staff, as: decided.as },
    requires: (current) => isRepeated || (!current.deleted && current.suspended === suspended),
  }).catch(async (error: unknown) => {
    const after = await context.members.store.byId(id);
    throw after && (await isMade(context, after, approval)) ? unavailable(error) : error;
  });
}

async function runRefund(
  { billing }: ModerationContext,
  { staff, input, decided: { staff: approved_by, as: approval } }: Approved,
): Promise<void> {
  await billing.refundApproved({ approval, request: refundRequest.parse(input), staff, approved_by });
}

const runs: Readonly<
  Record<ApprovalAction, (context: ModerationContext, approval: Approved) => Promise<void>>
> = { delete: runDeletion, refund: runRefund };

/** Whether a failure is an answer about the state as it is now, which another attempt would meet as well. */
const isRefusal = (error: unknown): error is Failure =>
  error instanceof Failure && [403, 404, 409].includes(error.status);

/**
 * Does what was asked for and approved. Safe to repeat: each effect happens once for each approval. Throws 409 where it cannot be
 * done any more, for good, and nothing of it was; after any other failure it is repeated.
 */
export async function runApproval(context: ModerationContext, approval: Approval): Promise<void> {
  const { approvals } = context.moderation;
  const { decided } = approval;
  if (!approval.runs || !decided) return;
  try {
    await runs[approval.action](context, { ...approval, decided });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await approvals.end(approval.id, 'void');
    throw error.status === 403 ? new Failure(409, error.message) : conflicting();
  }
  await approvals.end(approval.id, 'approved');
}

const batch = 50;

/** Approvals are run by their call first; after this time, ms, the call has failed. */
const callMs = 60_000;

/** Job: does what was approved and not done, as after a crash. Resolves with how many failed. */
export async function runApprovals(context: ModerationContext, mayGoOn: MayGoOn = always): Promise<number> {
  const { moderation, clock, logger } = context;
  const left = await moderation.approvals.undone(new Date(clock().getTime() - callMs), batch);
  const run = async (approval: Approval) => {
    await moderation.approvals.tried(approval.id, clock());
    await runApproval(context, approval);
  };
  return eachPart(left, run, {
    mayGoOn,
    logger,
    left: 'approved request not done: will retry, unless its state has changed and makes it void',
    about: ({ id }) => ({ approval: id }),
  });
}

/** Days after which what was approved no longer holds up the erasure of its member. */
const longestDays = 7;

/**
 * Does what was approved about a member who is about to be erased, after which a payment is nobody's. Throws where it may succeed
 * later.
 */
export async function finishApprovals(context: ModerationContext, member: number): Promise<void> {
  const now = context.clock().getTime();
  for (const approval of await context.moderation.approvals.undoneOf(member)) {
    const isLate = now - (approval.decided?.at.getTime() ?? 0) > longestDays * dayMs;
    await runApproval(context, approval).catch((error: unknown) => {
      if (!isRefusal(error) && !isLate) throw error;
    });
  }
}
