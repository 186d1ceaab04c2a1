import { failCodes } from '@covalence/contract/failure-codes';
import { genders } from '@covalence/contract/record';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { readSearcher } from '../criteria/searcher.ts';
import type { SavedContext } from '../saved/saved.ts';
import { legacyParameters, parseLegacy, type LegacyCodes } from './legacy-criteria.ts';

/** The failure codes of match criteria v1. */
const codes = {
  distance: failCodes.matchV1DistanceInvalid,
  ageAlone: failCodes.matchV1AgeIncomplete,
  ageNotNumeric: failCodes.matchV1AgeNotNumeric,
  ageRange: failCodes.matchV1AgeOutOfRange,
  lookingfor: failCodes.matchV1LookingForInvalid,
  zip: failCodes.matchV1ZipInvalid,
  country: failCodes.matchV1CountryInvalid,
} satisfies LegacyCodes;

/** POST /members/self/matchcriteria: merges the match criteria of v1 into those of v2, and returns the latter. */
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
  codes: Object.values(codes),
  handler: async ({ input, caller }, context: SavedContext) => {
    const { matchCriteria } = context.saved;
    const [stored, { searcher }] = await Promise.all([
      matchCriteria.read(caller.id),
      readSearcher(caller.id, context),
    ]);
    const { location } = stored.criteria;
    const { members } = context.index;
    const { criteria, lookingfor } = await parseLegacy(input, { codes, searcher, location, members });
    const { location: moved = {}, ...set } = criteria;
    const merged = await matchCriteria.merge(caller.id, { set, moved, removed: [], lookingfor });
    return { ...merged.criteria, ...(merged.lookingfor && { lookingfor: merged.lookingfor }) };
  },
});
