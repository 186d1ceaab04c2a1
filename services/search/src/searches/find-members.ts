import type { Position } from '@covalence/contract/position';
import type { SearchCenter } from '../criteria/parse-forms.ts';
import type { ParsedSearch } from '../criteria/parse-search.ts';
import type { SearcherContext } from '../criteria/searcher.ts';
import type { MemberIndex } from '../index/member-index.ts';
import type { Viewer } from '../criteria/relations.ts';
import type { EqualsSettings } from '../relevance/among-equals.ts';
import { buildSearch, type BuiltSearch, type SearchModel } from '../relevance/build-search.ts';
import { readHits, type Match } from '../relevance/read-hits.ts';
import { siteRelevance, type SiteRelevance } from '../relevance/relevance-settings.ts';
import type { SearchSettings } from '../settings/search-settings.ts';
import { centerKey } from './search-center-store.ts';
import { positionOf } from './search-center.ts';
import type { SearchesContext } from './searches.ts';

/** Rounds to the precision at which centers are counted, so that finer steps reveal nothing. */
function rounded(position: Position): Position {
  const [lat = 0, lon = 0] = centerKey(position).split(',').map(Number);
  return { lat, lon };
}

/** The origin of a search's distances: the center of its location criterion, or the searcher's position if it sorts by distance. */
export async function originOf(
  { criteria }: Pick<ParsedSearch, 'criteria'>,
  viewer: Viewer,
  { index }: { readonly index: { readonly members: Pick<MemberIndex, 'centroidOf'> } },
  sortby?: string,
): Promise<{ position: Position; own: boolean } | null> {
  const location = criteria.find((query) => query.form === 'geolocation');
  if (!location && sortby !== 'distance') return null;
  const center: SearchCenter = location?.of ?? { kind: 'self' };
  const position = await positionOf(center, viewer, index.members);
  return position && { position: rounded(position), own: center.kind === 'self' };
}

/** The sites of World Plus, or none if the viewer's own site does not take part. */
export function worldPlusSites(siteid: number, { sites }: Pick<SearcherContext, 'sites'>): number[] {
  if (!sites.get(siteid)?.world_plus) return [];
  return [...sites.values()].filter((site) => site.world_plus).map((site) => site.siteid);
}

/** The parts of a search that its searcher and sites do not determine. */
export interface SearchInput
  extends
    ParsedSearch,
    Pick<
      SearchModel,
      'excluded' | 'among' | 'explain' | 'outcomes' | 'columns' | 'sortby' | 'page' | 'pagesize'
    > {
  /** Weights of the order among equals, instead of the site's. */
  readonly equals?: EqualsSettings['weights'];
}

/** The settings that a search runs with. */
export type Ranking = Pick<SearchSettings, 'analysis' | 'relevance'>;

/** The time at which and the sites on which a search runs. */
type SearchScope = Pick<SearcherContext, 'sites'> & { readonly now: Date };

/** The searcher's data that a search depends on. */
type SearchingViewer = Pick<Viewer, 'locale'> & { readonly member: SearchModel['viewer'] };

/** Builds the request of a search by this member, measured from an origin; by default with the relevance of the member's site. */
export function searchOf(
  asked: SearchInput,
  viewer: SearchingViewer,
  origin: Position | null,
  ranking: Ranking,
  { sites, now }: SearchScope,
  relevance = siteRelevance(ranking.relevance, viewer.member.siteid),
): BuiltSearch {
  const weights = asked.equals ?? relevance.among_equals.weights;
  const model = {
    ...asked,
    viewer: viewer.member,
    worldPlusSites: worldPlusSites(viewer.member.siteid, { sites }),
    origin,
    language: ranking.analysis.forLocale(viewer.locale),
  };
  return buildSearch(model, { ...relevance, among_equals: { ...relevance.among_equals, weights } }, now);
}

/** Members that were found, in their order. */
export interface Found {
  readonly total: number;
  readonly matches: readonly Match[];
}

/** Changes of a search to the request, e.g. the page. */
type Changes = Partial<Pick<SearchModel, 'excluded' | 'among' | 'page' | 'pagesize'>>;

/** A search that can be run with several settings and pages. */
export type PreparedSearch = Awaited<ReturnType<typeof prepareSearch>>;

/** Reads what a search needs. Throws 31006 for an unknown postal code. */
export async function prepareSearch(asked: SearchInput, viewer: Viewer, context: SearchesContext) {
  const { id, siteid } = viewer.member;
  const [origin, settings] = await Promise.all([
    originOf(asked, viewer, context, asked.sortby),
    context.settings.active.current(),
  ]);
  const when = { sites: context.sites, now: context.clock() };
  return {
    relevance: siteRelevance(settings.relevance, siteid),
    versions: {
      settings: settings.version,
      file: context.settings.active.fileVersion,
      mapping: context.index.mapping.version,
    },
    async run(relevance: SiteRelevance, changes: Changes = {}): Promise<Found> {
      const changed = { ...asked, ...changes };
      const search = searchOf(changed, viewer, origin && origin.position, settings, when, relevance);
      const { total, hits } = await context.index.members.search(search.request);
      return { total, matches: readHits(hits, search) };
    },
    /** Counts the place from which distances are measured; throws 429 when the hour's are used up. */
    async count(): Promise<void> {
      if (origin) await context.searches.centers.use(id, origin.position, origin.own);
    },
  };
}

/** Finds the members of a page. Throws as `prepareSearch` and `count` do, and 503 while a store is down. */
export async function findMembers(
  asked: SearchInput,
  viewer: Viewer,
  context: SearchesContext,
): Promise<Found> {
  const search = await prepareSearch(asked, viewer, context);
  // Counted while the engine searches; the results are returned only if the count succeeds.
  const [found] = await Promise.all([search.run(search.relevance), search.count()]);
  return found;
}
