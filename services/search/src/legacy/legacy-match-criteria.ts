import { invalidArgument } from '@covalence/contract/failure';
import { genders } from '@covalence/contract/record';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { SearchContext } from '../context.ts';
import { readSearcher } from '../criteria/searcher.ts';
import { legacyParameters, parseLegacy, type LegacyCodes } from './legacy-criteria.ts';

/** Spec 7, Match criteria v1. */
const codes: LegacyCodes = {
  distance: 30101,
  ageAlone: 30201,
  ageNotNumeric: 30202,
  ageRange: 30203,
  lookingfor: 30301,
  zip: 30401,
  country: 30501,
};

/** POST /members/self/matchcriteria: the match criteria of v1, merged into those of v2, which it answers. */
export const legacyMatchCriteria = endpoint({
  access: 'member',
  summary: 'Update the My Match criteria (v1)',
  input: z.object(legacyParameters),
  output: z.looseObject({ lookingfor: z.enum(genders).optional() }),
  codes: [30101, 30201, 30202, 30203, 30301, 30401, 30501],
  handler: async ({ input, caller }, context: SearchContext) => {
    const [kept, { searcher }] = await Promise.all([
      context.matchCriteria.read(caller.id),
      readSearcher(caller.id, context),
    ]);
    const { location } = kept.criteria;
    const legacy = await parseLegacy(input, { codes, searcher, location, places: context.places });
    if (legacy.refused) throw invalidArgument(...legacy.failcodes);
    const { location: moved = {}, ...set } = legacy.criteria;
    const lookingfor = legacy.lookingfor && { lookingfor: legacy.lookingfor };
    const merged = await context.matchCriteria.merge(caller.id, { set, moved, removed: [], ...lookingfor });
    return { ...merged.criteria, ...(merged.lookingfor && { lookingfor: merged.lookingfor }) };
  },
});
