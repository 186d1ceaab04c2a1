import { z } from 'zod';

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
