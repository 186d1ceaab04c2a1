import { failCodes } from '@covalence/contract/failure-codes';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { criterionCodes } from '../criteria/parse-search.ts';
import { controlParameters } from './control-parameters.ts';
import { runSearch } from './run-search.ts';
import { searchOutput } from './search-output.ts';
import type { SearchesContext } from './searches.ts';

/** Codes of a search. Criteria for subscribers only are ignored, so 31008 is not among them. */
export const searchCodes = [
  ...criterionCodes.filter((code) => code !== failCodes.criterionForPlatinumOnly),
  failCodes.ageMissing,
  failCodes.placeCriteriaConflict,
];

/** POST /searches: control parameters and criteria, each a map named after its criterion. */
export const search = endpoint({
  access: 'member',
  tag: 'Search',
  operationId: 'searchMembers',
  summary: 'Search members by criteria',
  description:
    'Send criteria next to the control parameters. `age` is required; of `zipcode`, `state` and `location` only one is allowed. Criteria that the member may not use are ignored, except a `within` for platinum members (31007). `totalmatches` is exact; a page beyond 10,000 results is empty. A control parameter out of range is 403 without code. `distance`, `within` and the order by distance are measured to a displaced position: whole miles, within 4 of the truth. More than 3,600 different origins in an hour are 429, unless the operator sets another limit. A site may limit the records that are read in a day (429).',
  answer: 'A page of results.',
  example: {
    request: { age: { from: 30, to: 45 }, location: { within: 150 }, smoking: { values: [10, 20] } },
  },
  input: z.looseObject(controlParameters).meta({ 'x-criteria': 'given' }),
  output: searchOutput,
  codes: searchCodes,
  handler: ({ input, caller }, context: SearchesContext) => {
    const { page, pagesize, sortby, exclude, explain, fields, platform: _platform, ...parameters } = input;
    const controls = { page, pagesize, sortby, exclude, explain, fields };
    return runSearch({ member: caller.id, parameters, ...controls }, context);
  },
});

/** GET /searches: the same, with the parameters in the query string. */
export const searchByQuery: typeof search = {
  ...search,
  operationId: 'searchMembersByLink',
  summary: 'Search members by criteria in the query string',
  description: 'As POST /searches, which is recommended. Criteria nest in brackets: `age[from]=30`.',
};
