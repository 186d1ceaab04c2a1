import { z } from 'zod';
import { membershipStatuses } from '../record.ts';
import type { Exchange } from './exchange.ts';

/** Memberships in bulk (seed), idempotent by member. */
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

/** A membership as `membership.changed` carries it, with the version that orders its changes. */
export const currentMembership = z.object({
  status: z.enum(membershipStatuses),
  autorenew: z.boolean(),
  expires_at: z.iso.datetime().nullable(),
  version: z.int().nonnegative(),
});

/**
 * The member switches renewal on or off (`auto_renew` of POST /members/self). Answers
 * what the membership is then, null where there never was one. Idempotent; without a membership it changes nothing.
 */
export const switchRenewal = {
  path: '/internal/memberships/renewal',
  callers: ['profile'],
  input: z.object({ member: z.int().positive(), autorenew: z.boolean() }),
  output: z.object({ membership: currentMembership.nullable() }),
} as const satisfies Exchange;
