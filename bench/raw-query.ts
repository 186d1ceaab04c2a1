import { sitesIn } from '@covalence/stack/services/service-environment';
import { parseSearch } from '@covalence/search/criteria/parse-search';
import { buildSearch } from '@covalence/search/relevance/build-search';
import { readRelevance, siteRelevance } from '@covalence/search/relevance/relevance-settings';

/** Where the bench's searchers live, as searches measure from it. */
const origin = { lat: 40.789, lon: -96.693 };

const settings = readRelevance(new URL('../services/search/settings/relevance.json', import.meta.url));

const sites = sitesIn(process.env);

/** The request that the search service sends to Elasticsearch for a bench searcher's search: what stands in its address, and its body. */
export function rawQuery({ sortby = 'distance', ...criteria }: Record<string, unknown>): {
  readonly parameters: string;
  readonly body: object;
} {
  const searcher = { platinum: false, country: 'US', position: origin, zodiac: false, rejected: [] };
  const parsed = parseSearch(criteria, searcher);
  if (parsed.failcodes.length) throw new Error(`the bench asks wrongly: ${parsed.failcodes.join(', ')}`);
  const site = sites.get(1);
  const world = site?.world_plus ? [...sites.values()].filter((one) => one.world_plus) : [];
  const model = {
    criteria: parsed.criteria,
    viewer: {
      id: 1,
      siteid: 1,
      group: site?.group ?? '',
      gender: 'Female',
      gender_preference: 'Male',
    } as const,
    worldPlusSites: world.map(({ siteid }) => siteid),
    excluded: [],
    origin: sortby === 'distance' || 'location' in criteria ? origin : null,
    postalCountries: parsed.postalCountries,
    sortby: sortby as 'distance',
    page: 1,
    pagesize: 20,
  };
  const { request } = buildSearch(model, siteRelevance(settings, 1), new Date());
  const { include_named_queries_score, allow_partial_search_results, filter_path, preference, ...body } =
    request;
  const inAddress = {
    include_named_queries_score,
    allow_partial_search_results,
    filter_path,
    preference,
  };
  const parameters = Object.entries(inAddress).map(([name, value]) => [name, String(value)]);
  return { parameters: new URLSearchParams(parameters).toString(), body };
}
