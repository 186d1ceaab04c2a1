import { z } from 'zod';
import { membershipStatuses } from '../members/record.ts';
import { refundRequest } from './approvals-api.ts';
import { slowCallMs, type Exchange } from './exchange.ts';

/** Imports memberships in bulk. Idempotent by member. */
export const importMemberships = {
  path: '/internal/memberships/import',
  callers: ['operator'],
  input: z.object({
    memberships: z
      .array(
        z.object({
          member: z.int().positive(),
          package_id: z.int().positive(),
          rate_id: z.int().positive(),
          started_at: z.iso.datetime(),
          expires_at: z.iso.datetime(),
          autorenew: z.boolean(),
        }),
      )
      .max(500),
  }),
  output: z.object({ imported: z.int() }),
} as const satisfies Exchange;

/**
 * Finds who paid by what a receipt or a store names: the reference of a payment or subscription, the key of a payment or booking, the
 * customer of a store, or the token by which stores know a member.
 */
export const findPayers = {
  path: '/internal/memberships/payers',
  callers: ['profile'],
  input: z.object({ reference: z.string().max(2_048), limit: z.int().positive().max(100) }),
  output: z.object({ members: z.array(z.int().positive()) }),
} as const satisfies Exchange;

/** A membership as in `membership.changed`, with the version that orders its changes. */
export const currentMembership = z.object({
  status: z.enum(membershipStatuses),
  autorenew: z.boolean(),
  expires_at: z.iso.datetime().nullable(),
  version: z.int().nonnegative(),
});

/** Switches renewal on or off. Returns the new membership; null if the member never had one. Idempotent. */
export const switchRenewal = {
  path: '/internal/memberships/renewal',
  callers: ['profile'],
  input: z.object({ member: z.int().positive(), autorenew: z.boolean() }),
  output: z.object({ membership: currentMembership.nullable() }),
} as const satisfies Exchange;

/**
 * Makes the refund that a second person approved, as the state is then, once for each approval. A refusal is 403, as it is for staff;
 * what is refunded already is not refunded again.
 */
export const refundApproved = {
  path: '/internal/memberships/refund',
  callers: ['profile'],
  timeoutMs: slowCallMs,
  input: z.object({
    approval: z.uuid(),
    request: refundRequest,
    /** UUIDs of the staff accounts: who asked, and who approved. */
    staff: z.uuid(),
    approved_by: z.uuid(),
  }),
  output: z.object({}),
} as const satisfies Exchange;
