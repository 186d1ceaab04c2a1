import { invalidArgument } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { redirectOf, type AffiliatesContext } from './affiliates.ts';

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
