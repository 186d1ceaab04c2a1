import type { Clock } from '@covalence/runtime/clock';
import { z } from 'zod';
import { invalidArgument } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
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

type Affiliate = z.output<typeof affiliatesSchema>[number];

/** Every affiliate of the configuration by its id. */
export type Affiliates = ReadonlyMap<string, Affiliate>;

/** Dependencies of the affiliate operations. */
export interface AffiliatesContext {
  readonly clock: Clock;
  readonly affiliates: { readonly known: Affiliates; readonly hits: HitStore };
}

/** Parses the affiliates of a configuration. Throws a ZodError that names each problem. */
export function parseAffiliates(data: unknown): Affiliates {
  return new Map(affiliatesSchema.parse(data).map((affiliate) => [affiliate.affiliateid, affiliate]));
}

/** The redirect for visitors of a suspended affiliate; null where they may register. */
export function redirectOf(affiliate: Affiliate | undefined): string | null {
  return affiliate?.status === 'suspended' ? affiliate.redirect_url : null;
}

/** A number in a JSON body is the id of the same digits. */
const affiliateid = z
  .union([z.string(), z.number().transform(String)])
  .meta({ type: 'string', description: 'The affiliate that sent the visitor.' });

/** POST /recordaffiliatehit */
export const recordAffiliateHit = endpoint({
  access: 'public',
  tag: 'Members',
  operationId: 'recordAffiliateHit',
  summary: 'Record a visit from an affiliate',
  description: 'Counts a visit that an affiliate sent. An unknown affiliate is 403 without code.',
  answer:
    '`redirect_url` is where to send the visitor instead while the affiliate is suspended (10701), or null.',
  example: { request: { affiliateid: 'summer-campaign' } },
  input: z.object({ affiliateid }),
  output: z.strictObject({ redirect_url: z.url().nullable() }).meta({ id: 'AffiliateHit' }),
  handler: async ({ input }, { affiliates: { known, hits }, clock }: AffiliatesContext) => {
    const affiliate = known.get(input.affiliateid);
    if (!affiliate) throw invalidArgument();
    const redirect_url = redirectOf(affiliate);
    await hits.count(affiliate.affiliateid, redirect_url !== null, clock());
    return { redirect_url };
  },
});

/** GET /recordaffiliatehit: the same, for a link. */
export const recordAffiliateHitByLink: typeof recordAffiliateHit = {
  ...recordAffiliateHit,
  operationId: 'recordAffiliateHitByLink',
  summary: 'Record a visit from an affiliate by a link',
};
