import { invalidArgument } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { genders } from '@covalence/contract/record';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { SearchContext } from '../context.ts';
import { readSearcher } from '../criteria/searcher.ts';
import { legacyParameters, parseLegacy, type LegacyCodes } from './legacy-criteria.ts';

/** The failure codes of match criteria v1. */
const codes: LegacyCodes = {
  distance: failCodes.matchV1DistanceInvalid,
  ageAlone: failCodes.matchV1AgeIncomplete,
  ageNotNumeric: failCodes.matchV1AgeNotNumeric,
  ageRange: failCodes.matchV1AgeOutOfRange,
  lookingfor: failCodes.matchV1LookingForInvalid,
  zip: failCodes.matchV1ZipInvalid,
  country: failCodes.matchV1CountryInvalid,
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
  codes: [
    failCodes.matchV1DistanceInvalid,
    failCodes.matchV1AgeIncomplete,
    failCodes.matchV1AgeNotNumeric,
    failCodes.matchV1AgeOutOfRange,
    failCodes.matchV1LookingForInvalid,
    failCodes.matchV1ZipInvalid,
    failCodes.matchV1CountryInvalid,
  ],
  handler: async ({ input, caller }, context: SearchContext) => {
    const [kept, { searcher }] = await Promise.all([
      context.matchCriteria.read(caller.id),
      readSearcher(caller.id, context),
    ]);
    const { location } = kept.criteria;
    const legacy = await parseLegacy(input, { codes, searcher, location, postalCodes: context.postalCodes });
    if (legacy.refused) throw invalidArgument(...legacy.failcodes);
    const { location: moved = {}, ...set } = legacy.criteria;
    const lookingfor = legacy.lookingfor && { lookingfor: legacy.lookingfor };
    const merged = await context.matchCriteria.merge(caller.id, { set, moved, removed: [], ...lookingfor });
    return { ...merged.criteria, ...(merged.lookingfor && { lookingfor: merged.lookingfor }) };
  },
});
