import type { SearcherContext } from '../criteria/searcher.ts';
import type { MemberIndex } from '../index/member-index.ts';
import type { SearchIndex } from '../index/search-index.ts';
import type { Viewer } from '../criteria/relations.ts';
import { originOf, searchOf, type SearchInput, type Ranking } from '../searches/find-members.ts';

/** Index, settings and time of a trial search. */
export interface Trial {
  readonly members: Pick<MemberIndex, 'search' | 'centroidOf'>;
  readonly settings: Ranking;
  readonly now: Date;
}

/** An index that staff can search: the one of members, or that of `covalence index shadow`. */
export type Searched = 'live' | 'shadow';

/** The members of an index. */
export const membersIn = (searched: Searched, { members, aliases }: SearchIndex): Trial['members'] => ({
  ...members,
  search: (request) => members.search(request, aliases[searched]),
});

/**
 * Runs a search as a member would, without counting its center and without rendering. Throws 31006 for an unknown postal code, and 503
 * while a store is down.
 */
export async function trySearch(
  asked: SearchInput,
  viewer: Viewer,
  { members, settings, now }: Trial,
  { sites }: Pick<SearcherContext, 'sites'>,
) {
  const origin = await originOf(asked, viewer, { index: { members } }, asked.sortby);
  const search = searchOf(asked, viewer, origin && origin.position, settings, { sites, now });
  return { origin, search, ...(await members.search(search.request)) };
}
