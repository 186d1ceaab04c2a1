import type { Clock } from '@covalence/runtime/clock';
import { z } from 'zod';
import type { HitStore } from './hit-store.ts';

const shared = { affiliateid: z.string().min(1).max(100), name: z.string().min(1) };

const affiliatesSchema = z
  .array(
    z.discriminatedUnion('status', [
      z.strictObject({ ...shared, status: z.literal('active') }),
      /** Visitors go to `redirect_url` instead of registering. */
      z.strictObject({ ...shared, status: z.literal('suspended'), redirect_url: z.url() }),
    ]),
  )
  .refine(
    (list) => new Set(list.map(({ affiliateid }) => affiliateid)).size === list.length,
    'affiliateid must be unique',
  );

/** A partner who refers visitors, and whether they may register. */
export type Affiliate = z.output<typeof affiliatesSchema>[number];

/** Every affiliate of the configuration by its id. */
export type Affiliates = ReadonlyMap<string, Affiliate>;

/** What operations on affiliates receive. */
export interface AffiliatesContext {
  readonly clock: Clock;
  readonly affiliates: { readonly known: Affiliates; readonly hits: HitStore };
}

/** Parses the affiliates of a configuration. Throws a ZodError that names each problem. */
export function parseAffiliates(data: unknown): Affiliates {
  return new Map(affiliatesSchema.parse(data).map((affiliate) => [affiliate.affiliateid, affiliate]));
}

/** Where visitors of a suspended affiliate go; null where they may register. */
export function redirectOf(affiliate: Affiliate | undefined): string | null {
  return affiliate?.status === 'suspended' ? affiliate.redirect_url : null;
}
