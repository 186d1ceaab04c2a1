import { failCodes } from '@covalence/contract/failure-codes';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { readSearcher } from '../criteria/searcher.ts';
import type { Viewer } from '../criteria/relations.ts';
import { controlParameters } from '../searches/control-parameters.ts';
import { runSearch } from '../searches/run-search.ts';
import { searchOutput } from '../searches/search-output.ts';
import type { SearchesContext } from '../searches/searches.ts';
import { legacyParameters, parseLegacy, type LegacyCodes } from './legacy-criteria.ts';

/** The failure codes of search v1; an invalid postal code or country has none. */
const codes = {
  distance: failCodes.searchV1DistanceInvalid,
  ageAlone: failCodes.searchV1AgeIncomplete,
  ageNotNumeric: failCodes.searchV1AgeNotNumeric,
  ageRange: failCodes.searchV1AgeOutOfRange,
  lookingfor: failCodes.searchV1LookingForInvalid,
} satisfies LegacyCodes;

/** v1 shows no answers. */
const { fields: _fields, ...legacyControls } = controlParameters;

/** The age of a v1 search that names none: the member's default search criteria. */
const defaultAge = ({ agefrom, ageto }: Viewer) => ({ from: agefrom ?? 18, to: ageto ?? 120 });

/** POST /search: runs a v1 search as a v2 search with age, location and country. */
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
  codes: Object.values(codes),
  handler: async ({ input, caller }, context: SearchesContext) => {
    const { page, pagesize, sortby, exclude, explain } = input;
    const { viewer, searcher } = await readSearcher(caller.id, context);
    const { members } = context.index;
    const { criteria, lookingfor } = await parseLegacy(input, { codes, searcher, members });
    const parameters = { age: defaultAge(viewer), ...criteria };
    const controls = { page, pagesize, sortby, exclude, explain, fields: [] };
    return runSearch({ member: caller.id, parameters, ...controls, lookingfor }, context);
  },
});
