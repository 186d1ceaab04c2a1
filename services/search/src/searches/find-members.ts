import type { Position } from '@covalence/contract/position';
import type { SearchCenter } from '../criteria/parse-forms.ts';
import type { ParsedSearch } from '../criteria/parse-search.ts';
import type { SearcherContext } from '../criteria/searcher.ts';
import type { Viewer } from '../relations/relations.ts';
import type { EqualsSettings } from '../relevance/among-equals.ts';
import { buildSearch, type SearchModel } from '../relevance/build-search.ts';
import { readHits, type Match } from '../relevance/read-hits.ts';
import { siteRelevance } from '../relevance/relevance-settings.ts';
import type { SettingsVersions } from '../usage/usage-store.ts';
import { centerKey } from './search-center-store.ts';
import { positionOf } from './search-center.ts';
import type { SearchesContext } from './searches.ts';

/** Rounds to the precision at which centers are counted, so that finer steps reveal nothing. */
function rounded(position: Position): Position {
  const [lat = 0, lon = 0] = centerKey(position).split(',').map(Number);
  return { lat, lon };
}

/** Where a search measures distances from: the center of its location criterion, else the searcher's position if it sorts by distance. */
export async function originOf(
  { criteria }: Pick<ParsedSearch, 'criteria'>,
  viewer: Viewer,
  { index }: SearchesContext,
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
interface Asked
  extends
    ParsedSearch,
    Pick<SearchModel, 'excluded' | 'among' | 'explain' | 'source' | 'sortby' | 'page' | 'pagesize'> {
  /** Weights of the order among equals, instead of the site's. */
  readonly equals?: EqualsSettings['weights'];
}

/**
 * Finds the members of a page. Throws 31006 for an unknown postal code, 429 when the hour's centers are used up, and 503 while a
 * store is down.
 */
export async function findMembers(
  asked: Asked,
  viewer: Viewer,
  context: SearchesContext,
): Promise<{ total: number; matches: Match[]; versions: SettingsVersions }> {
  const { id, siteid } = viewer.member;
  const [origin, analysis] = await Promise.all([
    originOf(asked, viewer, context, asked.sortby),
    context.analysis.active.current(),
  ]);
  const relevance = siteRelevance(context.searches.relevance, siteid);
  const weights = asked.equals ?? relevance.amongEquals.weights;
  const search = buildSearch(
    {
      ...asked,
      viewer: viewer.member,
      worldPlusSites: worldPlusSites(siteid, context),
      origin: origin && origin.position,
      language: analysis.forLocale(viewer.locale),
    },
    { ...relevance, amongEquals: { ...relevance.amongEquals, weights } },
    context.clock(),
  );
  // Counted while the engine searches; the results are returned only if the count succeeds.
  const [{ total, hits }] = await Promise.all([
    context.index.members.search(search.request),
    origin && context.searches.centers.use(id, origin.position, origin.own),
  ]);
  const versions = {
    relevance: context.searches.relevance.version,
    analysis: analysis.version,
    mapping: context.index.mapping.version,
  };
  return { total, matches: readHits(hits, search), versions };
}
