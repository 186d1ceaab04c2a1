import { z } from 'zod';
import type { Exchange } from './exchange.ts';

/** A request of staff that waits for a second person. */
export const waitingApproval = z
  .object({
    approval_id: z.uuid(),
    expires_at: z.iso.datetime().meta({ description: 'Until when it can be approved.' }),
  })
  .meta({ id: 'WaitingApproval' });

/** A refund as staff ask for it: a correction of a membership with a payment to refund. */
export const refundRequest = z.object({
  member: z.int().positive(),
  reason: z.string(),
  refund: z.string(),
  expires_at: z.string().optional(),
  autorenew: z.boolean().optional(),
  rate_id: z.int().positive().optional(),
  /** The Idempotency-Key of the call, under which the correction is made once, also when the call is repeated after the approval. */
  key: z.string().optional(),
});

/**
 * Lets a refund wait for a second person. The same request of the same account, while it waits, is the one that waits. 409 where
 * another one of the payment waits.
 */
export const requestRefund = {
  path: '/internal/approvals/refund',
  callers: ['billing'],
  input: z.object({
    /** UUID of the staff account. */
    staff: z.uuid(),
    request: refundRequest,
    /** Minor units. */
    amount: z.int().positive(),
    currency: z.string(),
  }),
  output: waitingApproval,
} as const satisfies Exchange;
