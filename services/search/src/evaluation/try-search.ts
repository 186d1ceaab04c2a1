import type { SearcherContext } from '../criteria/searcher.ts';
import type { MemberIndex } from '../index/member-index.ts';
import type { Viewer } from '../relations/relations.ts';
import { originOf, searchOf, type SearchInput, type Ranking } from '../searches/find-members.ts';

/** Index, settings and time of a trial search. */
export interface Trial {
  readonly members: Pick<MemberIndex, 'search' | 'centroidOf'>;
  readonly settings: Ranking;
  readonly now: Date;
}

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
