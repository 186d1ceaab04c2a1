import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { SearchContext } from '../context.ts';
import { controlParameters } from './control-parameters.ts';
import { runSearch } from './run-search.ts';
import { searchOutput } from './search-output.ts';

/** Codes of a search: a criterion that only subscribers may use is ignored, so that 31008 is not among them. */
export const searchCodes = [
  31000, 31003, 31004, 31005, 31006, 31007, 31009, 31010, 31011, 31012, 31013,
] as const;

/** POST and GET /searches: control parameters and criteria, each a map named after its criterion. */
export const search = endpoint({
  access: 'member',
  summary: 'Search members by criteria',
  input: z.looseObject(controlParameters),
  output: searchOutput,
  codes: searchCodes,
  handler: ({ input, caller }, context: SearchContext) => {
    const { page, pagesize, sortby, exclude, explain, fields, platform: _platform, ...parameters } = input;
    const asked = { member: caller.id, parameters, page, pagesize, sortby, exclude, explain, fields };
    return runSearch(asked, context);
  },
});
