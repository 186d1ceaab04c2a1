import { invalidArgument } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import type { Gender } from '@covalence/contract/record';
import type { Position } from '@covalence/contract/position';
import type { SearchContext } from '../context.ts';
import { parseSearch, type ParsedSearch } from '../criteria/parse-search.ts';
import type { SearchCenter } from '../criteria/query-criterion.ts';
import type { ExclusionKind } from '../relations/exclusion-kinds.ts';
import type { Viewer } from '../relations/viewer.ts';
import { buildSearch, type SearchModel } from '../relevance/build-search.ts';
import { readHits, type Match } from '../relevance/read-hits.ts';
import { siteRelevance } from '../relevance/relevance-settings.ts';
import type { SortBy } from '../relevance/sort.ts';
import { centerKey } from './search-center-store.ts';
import { searcherOf } from '../criteria/searcher.ts';
import type { SearchOutput } from './search-output.ts';
import { checkShown, mayExplain, shownAnswers } from './shown-answers.ts';

/** A search as requested. */
export interface SearchRequest {
  /** Who searches. */
  readonly member: number;
  /** Every parameter that is no control parameter. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly page: number;
  readonly pagesize: number;
  readonly sortby: SortBy;
  readonly exclude: readonly ExclusionKind[];
  readonly explain: boolean;
  /** Names of the answers to show with each result. */
  readonly fields: readonly string[];
  /** The answers were kept with the search: those that the site shows no longer are left out instead of refused. */
  readonly fieldsAreSaved?: boolean;
  /** The gender that v1 asks for; one that the searcher's profile does not prefer finds nobody. */
  readonly lookingfor?: Gender | undefined;
}

/** The point that is measured from: rounded as it is counted, so that a finer step gives nothing. */
function rounded(position: Position): Position {
  const [lat = 0, lon = 0] = centerKey(position).split(',').map(Number);
  return { lat, lon };
}

async function pointOf(
  of: SearchCenter,
  viewer: Viewer,
  { postalCodes }: SearchContext,
): Promise<Position | null> {
  if (of.kind === 'self') return viewer.position;
  if (of.kind === 'point') return of.position;
  const place = await postalCodes.find(of.zip, of.country);
  // A well-formed code of a place that nobody knows cannot be measured from.
  if (!place) throw invalidArgument(failCodes.locationInvalid);
  return place;
}

/** The origin of a search: the location criterion's, else the viewer's own position where distance orders. */
async function originOf(
  asked: SearchRequest,
  { criteria }: ParsedSearch,
  viewer: Viewer,
  context: SearchContext,
): Promise<{ position: Position; own: boolean } | null> {
  const location = criteria.find((query) => query.form === 'geolocation');
  if (!location && asked.sortby !== 'distance') return null;
  const of: SearchCenter = location?.of ?? { kind: 'self' };
  const point = await pointOf(of, viewer, context);
  if (!point) return null;
  return { position: rounded(point), own: of.kind === 'self' };
}

/** Sites of World Plus, where the viewer's own takes part. */
export function worldPlusSites(siteid: number, { sites }: Pick<SearchContext, 'sites'>): number[] {
  if (!sites.get(siteid)?.world_plus) return [];
  return [...sites.values()].filter((site) => site.world_plus).map((site) => site.siteid);
}

/** The page's members as they are now; those no longer eligible are left out. */
async function rendered(
  asked: SearchRequest,
  matches: readonly Match[],
  byDistance: boolean,
  context: SearchContext,
) {
  if (!matches.length) return [];
  const { member: viewer, fields } = asked;
  const input = { viewer, ids: matches.map(({ id }) => id), ...(fields.length > 0 && { fields }) };
  const { records } = await context.profile.renderRecords(input);
  const recordById = new Map(records.map((record) => [record.id, record]));
  return matches.flatMap(({ id, relevance, exactmatch, distance, explanation }) => {
    const record = recordById.get(id);
    if (!record) return [];
    const visible = () =>
      explanation.filter(({ criterion }) => mayExplain(criterion, record['site'], context));
    const extra = { ...(byDistance && { distance }), ...(asked.explain && { explanation: visible() }) };
    return [{ ...record, relevance, exactmatch, ...extra }];
  });
}

/**
 * Runs a search: checks the criteria, asks Elasticsearch for ids, relevance, exactmatch and distance in one
 * query, and has profile render the page. Throws 403 with the codes of the criteria that failed (31000–31013), 403
 * Deactivated, 429 when the hour's origins or the day's results are used up, 503 while a store is away.
 */
export async function runSearch(asked: SearchRequest, context: SearchContext): Promise<SearchOutput> {
  const { viewer, excluded } = await context.relations.read(asked.member, asked.exclude);
  const parsed = parseSearch(asked.parameters, searcherOf(viewer, context));
  if (parsed.failcodes.length) throw invalidArgument(...parsed.failcodes);
  const { page, pagesize, sortby } = asked;
  const { siteid } = viewer.member;
  if (!asked.fieldsAreSaved) checkShown(asked.fields, siteid, context);
  const fields = shownAnswers(asked.fields, siteid, context);
  if (asked.lookingfor && asked.lookingfor !== viewer.member.gender_preference) {
    return { totalmatches: 0, page, pagesize, currentpagesize: 0, users: [] };
  }
  const origin = await originOf(asked, parsed, viewer, context);
  const model: SearchModel = {
    criteria: parsed.criteria,
    viewer: viewer.member,
    worldPlusSites: worldPlusSites(viewer.member.siteid, context),
    excluded,
    origin: origin && origin.position,
    postalCountries: parsed.postalCountries,
    sortby,
    page,
    pagesize,
  };
  const relevance = siteRelevance(context.relevance, viewer.member.siteid);
  const search = buildSearch(model, relevance, context.clock());
  // Counted while the engine searches: nobody sees a result before the place is counted.
  const [{ total, hits }] = await Promise.all([
    context.members.search(search.request),
    origin && context.searchCenters.use(asked.member, origin.position, origin.own),
  ]);
  const users = await rendered({ ...asked, fields }, readHits(hits, search), sortby === 'distance', context);
  return { totalmatches: total, page, pagesize, currentpagesize: users.length, users };
}
