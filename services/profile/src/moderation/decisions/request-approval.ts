import { conflicting } from '@covalence/contract/failure';
import type { waitingApproval } from '@covalence/contract/peers/approvals-api';
import { dayMs } from '@covalence/contract/time';
import { v7 } from 'uuid';
import type { z } from 'zod';
import type { Approval } from '../store/approval-store.ts';
import type { ModerationContext } from '../moderation.ts';
import { isSame } from '../changes.ts';
import { pick } from '../../members/document/member-values.ts';

/** Days in which a second person can approve. */
const approvalDays = 7;

type Request = Pick<
  Approval,
  'action' | 'subject' | 'member' | 'siteid' | 'staff' | 'input' | 'suspended' | 'amount' | 'currency'
>;

/**
 * Lets a call of staff wait for a second person. The same call of the same account is the request that waits; throws 409 where
 * another one about the same waits.
 */
export async function requestApproval(
  { moderation, clock, security }: ModerationContext,
  { input, siteid, ...request }: Request,
): Promise<z.output<typeof waitingApproval>> {
  const at = clock();
  const id = v7({ msecs: at.getTime() });
  const given = pick(input, (_name, value) => value !== undefined);
  const waiting = await moderation.approvals.add({
    id,
    ...request,
    ...(siteid !== undefined && { siteid }),
    input: given,
    at,
    expires_at: new Date(at.getTime() + approvalDays * dayMs),
    waits: true,
  });
  const { staff, member } = request;
  const isRepeated = waiting.suspended === request.suspended && isSame(waiting.input, given);
  if (waiting.staff !== staff || !isRepeated) throw conflicting();
  if (waiting.id === id)
    security.record('staff_decision', { staff, memberNumber: member, reason: 'approval_requested' });
  return { approval_id: waiting.id, expires_at: waiting.expires_at.toISOString() };
}
