import { invalidArgument } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { type AffiliatesContext, redirectOf } from './affiliates.ts';

/** A number in a JSON body is the same id as its digits. */
const affiliateid = z.union([z.string(), z.number().transform(String)]);

/**
 * GET and POST /recordaffiliatehit: counts a visit by way of an affiliate and answers where to send the visitor
 * instead, where the affiliate is suspended (10701); null where they may register. An unknown affiliate is 403
 * without code.
 */
export const recordAffiliateHit = endpoint({
  access: 'public',
  summary: 'Record a visit by way of an affiliate',
  input: z.object({ affiliateid }),
  output: z.strictObject({ redirect_url: z.url().nullable() }),
  handler: async ({ input }, { affiliates: { known, hits }, clock }: AffiliatesContext) => {
    const affiliate = known.get(input.affiliateid);
    if (!affiliate) throw invalidArgument();
    const redirect_url = redirectOf(affiliate);
    await hits.count(affiliate.affiliateid, redirect_url !== null, clock());
    return { redirect_url };
  },
});
