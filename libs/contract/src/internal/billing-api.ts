import { z } from 'zod';
import { membershipStatuses } from '../record.ts';

/** POST /internal/memberships/import: memberships in bulk (seed), idempotent by member. */
export const importMemberships = {
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
};

/** A membership as membership.changed tells it, with the version that orders what is told. */
export const toldMembership = z.object({
  status: z.enum(membershipStatuses),
  autorenew: z.boolean(),
  expires_at: z.iso.datetime().nullable(),
  version: z.int().nonnegative(),
});

/**
 * POST /internal/memberships/renewal: the member switches renewal on or off (`auto_renew` of POST /members/self). Answers
 * what the membership is then, null where there never was one. Idempotent; without a membership it changes nothing.
 */
export const switchRenewal = {
  input: z.object({ member: z.int().positive(), autorenew: z.boolean() }),
  output: z.object({ membership: toldMembership.nullable() }),
};
