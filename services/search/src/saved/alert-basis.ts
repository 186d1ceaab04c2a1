import { invalidArgument } from '@covalence/contract/failure';
import { parseSearch } from '../criteria/parse-search.ts';
import { searcherOf } from '../criteria/searcher.ts';
import type { StoredCriteria } from '../criteria/stored-criteria.ts';
import type { Viewer } from '../criteria/relations.ts';
import { originOf } from '../searches/find-members.ts';
import type { SearchesContext } from '../searches/searches.ts';
import { alertSearcher, type AlertBasis } from './alert-choice.ts';

/**
 * The data that an alert depends on, apart from its criteria. Its center counts toward the hourly limit, like
 * that of a search. Throws 31006 for an unknown postal code and 429 beyond the limit.
 */
export async function alertBasisOf(
  viewer: Viewer,
  criteria: StoredCriteria,
  context: SearchesContext,
): Promise<AlertBasis> {
  const parsed = parseSearch(criteria, searcherOf(viewer, context));
  if (parsed.failcodes.length) throw invalidArgument(...parsed.failcodes);
  const origin = await originOf(parsed, viewer, context);
  if (origin) await context.searches.centers.use(viewer.member.id, origin.position, origin.own);
  return {
    searcher: alertSearcher.parse(viewer.member),
    center: origin && !origin.own ? origin.position : null,
  };
}
