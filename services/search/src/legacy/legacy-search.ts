import { invalidArgument } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { SearchContext } from '../context.ts';
import { controlParameters } from '../searches/control-parameters.ts';
import type { Viewer } from '../relations/relations.ts';
import { readSearcher } from '../criteria/searcher.ts';
import { runSearch } from '../searches/run-search.ts';
import { searchOutput } from '../searches/search-output.ts';
import { legacyParameters, parseLegacy, type LegacyCodes } from './legacy-criteria.ts';

/** Spec 7, Search v1; a postal code or country that is not valid has no code there. */
const codes: LegacyCodes = {
  distance: 40101,
  ageAlone: 40201,
  ageNotNumeric: 40202,
  ageRange: 40203,
  lookingfor: 40301,
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
  codes: [40101, 40201, 40202, 40203, 40301],
  handler: async ({ input, caller }, context: SearchContext) => {
    const { page, pagesize, sortby, exclude, explain } = input;
    const { viewer, searcher } = await readSearcher(caller.id, context);
    const legacy = await parseLegacy(input, { codes, searcher, places: context.places });
    if (legacy.refused) throw invalidArgument(...legacy.failcodes);
    const parameters = { age: usualAge(viewer), ...legacy.criteria };
    const { lookingfor } = legacy;
    const controls = { page, pagesize, sortby, exclude, explain, fields: [] };
    return runSearch({ member: caller.id, parameters, ...controls, lookingfor }, context);
  },
});
