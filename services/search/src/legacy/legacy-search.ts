import { invalidArgument } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { SearchContext } from '../context.ts';
import { controlParameters } from '../searches/control-parameters.ts';
import type { Viewer } from '../relations/viewer.ts';
import { readSearcher } from '../criteria/searcher.ts';
import { runSearch } from '../searches/run-search.ts';
import { searchOutput } from '../searches/search-output.ts';
import { legacyParameters, parseLegacy, type LegacyCodes } from './legacy-criteria.ts';

/** The failure codes of search v1; an invalid postal code or country has none. */
const codes: LegacyCodes = {
  distance: failCodes.searchV1DistanceInvalid,
  ageAlone: failCodes.searchV1AgeIncomplete,
  ageNotNumeric: failCodes.searchV1AgeNotNumeric,
  ageRange: failCodes.searchV1AgeOutOfRange,
  lookingfor: failCodes.searchV1LookingForInvalid,
};

/** v1 shows no answers. */
const { fields: _fields, ...legacyControls } = controlParameters;

/** The member's default search criteria (`agefrom` and `ageto`), where a v1 search says nothing. */
const usualAge = ({ agefrom, ageto }: Viewer) => ({ from: agefrom ?? 18, to: ageto ?? 120 });

/** POST /search: the search of v1, as a v2 search with age, location and country. */
export const legacySearch = endpoint({
  access: 'member',
  tag: 'Search',
  operationId: 'searchMembersV1',
  summary: 'Search members (v1)',
  description: 'The search of version 1, for older apps.',
  answer: 'A page of results.',
  example: { request: { distance: 150, agefrom: 30, ageto: 45 } },
  input: z.object({ ...legacyParameters, ...legacyControls }),
  output: searchOutput,
  codes: [
    failCodes.searchV1DistanceInvalid,
    failCodes.searchV1AgeIncomplete,
    failCodes.searchV1AgeNotNumeric,
    failCodes.searchV1AgeOutOfRange,
    failCodes.searchV1LookingForInvalid,
  ],
  handler: async ({ input, caller }, context: SearchContext) => {
    const { page, pagesize, sortby, exclude, explain } = input;
    const { viewer, searcher } = await readSearcher(caller.id, context);
    const legacy = await parseLegacy(input, { codes, searcher, postalCodes: context.postalCodes });
    if (legacy.refused) throw invalidArgument(...legacy.failcodes);
    const parameters = { age: usualAge(viewer), ...legacy.criteria };
    const { lookingfor } = legacy;
    const controls = { page, pagesize, sortby, exclude, explain, fields: [] };
    return runSearch({ member: caller.id, parameters, ...controls, lookingfor }, context);
  },
});
