import { z } from 'zod';

const shared = { affiliateid: z.string().min(1).max(100), name: z.string().min(1) };

const affiliatesSchema = z
  .array(
    z.discriminatedUnion('status', [
      z.strictObject({ ...shared, status: z.literal('active') }),
      /** Members that it sends are to go to `redirect_url` instead of registering. */
      z.strictObject({ ...shared, status: z.literal('suspended'), redirect_url: z.url() }),
    ]),
  )
  .refine(
    (list) => new Set(list.map(({ affiliateid }) => affiliateid)).size === list.length,
    'affiliateid must be unique',
  );

/** Somebody who sends members, and whether they still may. */
export type Affiliate = z.output<typeof affiliatesSchema>[number];

/** Every known affiliate by its id. */
export type Affiliates = ReadonlyMap<string, Affiliate>;

/** Checks the affiliates of a configuration; throws a ZodError that names each problem. */
export function parseAffiliates(data: unknown): Affiliates {
  return new Map(affiliatesSchema.parse(data).map((affiliate) => [affiliate.affiliateid, affiliate]));
}

/** Where a suspended affiliate's visitors are to be sent; null where they may register. */
export function redirectOf(affiliate: Affiliate | undefined): string | null {
  return affiliate?.status === 'suspended' ? affiliate.redirect_url : null;
}
