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
  tag: 'Search',
  operationId: 'updateMatchCriteriaV1',
  summary: 'Update the match criteria (v1)',
  description: 'The match criteria of version 1, for older apps: merged into those of version 2.',
  answer: 'The match criteria of version 2, with `lookingfor`.',
  example: { request: { agefrom: 30, ageto: 45, lookingfor: 'Male' } },
  input: z.object(legacyParameters),
  output: z
    .looseObject({
      lookingfor: z
        .enum(genders)
        .optional()
        .meta({ examples: ['Male'] }),
    })
    .meta({ id: 'MatchCriteriaV1', 'x-criteria': 'given' }),
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
