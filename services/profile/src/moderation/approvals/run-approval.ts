import { conflicting, Failure } from '@covalence/contract/failure';
import { refundRequest } from '@covalence/contract/internal/approvals-api';
import { coversSite, sitesWith, type StaffRole, type StaffSites } from '@covalence/contract/staff-roles';
import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { Approval, ApprovalAction } from '../approval-store.ts';
import { tryMoveDecisions } from '../decide.ts';
import { decideStanding, deletionInput } from '../decisions/decide-member.ts';
import type { ModerationContext } from '../moderation.ts';
import { memberOf } from '../staff-call.ts';

/** The role that both persons need. */
export const roleOf = { delete: 'moderator', refund: 'support' } as const satisfies Readonly<
  Record<ApprovalAction, StaffRole>
>;

/** The actions that wait for a second person. */
export const approvalActions = Object.keys(roleOf) as ApprovalAction[];

/** The sites on which the account that asked has its role now; undefined where it is disabled, or lost the role. */
export async function sitesOfRequester(
  { auth }: ModerationContext,
  { action, staff, siteid }: Approval,
): Promise<StaffSites | undefined> {
  try {
    const { roles } = await auth.readStaffRoles({ staff_id: staff });
    const sites = sitesWith(roles, [roleOf[action]]);
    return coversSite(sites, siteid) ? sites : undefined;
  } catch (error) {
    if (error instanceof Failure && error.status === 404) return undefined;
    throw error;
  }
}

type Approved = Approval & Required<Pick<Approval, 'decided'>>;

/** Deletes the member, unless this approval did so before. Throws 409 where a suspension began or ended since, or the member is deleted. */
async function runDeletion(
  context: ModerationContext,
  { member: id, staff: memberId, input, suspended, decided: { staff: by, as } }: Approved,
  sites: StaffSites,
): Promise<void> {
  const member = await memberOf(context, String(id));
  await tryMoveDecisions(context, member);
  const isMade = (await context.moderation.decisions.find(as)) !== undefined;
  if (!isMade && (member.deleted || member.suspended !== suspended)) throw conflicting();
  // Somebody undid it since.
  if (isMade && !member.deleted) return;
  const asked = deletionInput.parse({ ...input, id: String(id) });
  await decideStanding(context, 'delete', asked, { staff: { memberId }, sites, approval: { by, as } });
}

async function runRefund(
  { billing }: ModerationContext,
  { staff, input, decided: { staff: approved_by, as: approval } }: Approved,
): Promise<void> {
  await billing.refundApproved({ approval, request: refundRequest.parse(input), staff, approved_by });
}

const runs: Readonly<
  Record<ApprovalAction, (context: ModerationContext, approval: Approved, sites: StaffSites) => Promise<void>>
> = { delete: runDeletion, refund: runRefund };

/** Whether a failure is an answer about the state as it is now, which another attempt would meet as well. */
const isRefusal = (error: unknown): error is Failure =>
  error instanceof Failure && [403, 404, 409].includes(error.status);

/**
 * Does what was asked for and approved. Safe to repeat: each effect happens once for each approval. Throws 409 where it cannot be
 * done any more, for good; after any other failure it is repeated.
 */
export async function runApproval(context: ModerationContext, approval: Approval): Promise<void> {
  const { approvals } = context.moderation;
  const { decided } = approval;
  if (!approval.runs || !decided) return;
  const sites = await sitesOfRequester(context, approval);
  try {
    if (!sites) throw conflicting();
    await runs[approval.action](context, { ...approval, decided }, sites);
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
  const before = new Date(context.clock().getTime() - callMs);
  const left = await context.moderation.approvals.undone(before, batch);
  return eachPart(left, (each) => runApproval(context, each), {
    mayGoOn,
    logger: context.logger,
    left: 'approved request not done; it is void where its state has changed, else the next round retries',
    about: ({ id }) => ({ approval: id }),
  });
}
