import { compileAnalysis } from '@covalence/search/analysis/analysis';
import { parseSearch } from '@covalence/search/criteria/parse-search';
import { buildSearch } from '@covalence/search/relevance/build-search';
import { readRelevance, siteRelevance } from '@covalence/search/relevance/relevance-settings';
import { sitesIn } from '@covalence/stack/services/service-environment';
import { request } from 'undici';

/** The default order with a limit, relevance with many criteria, and the newest. */
export const searches = [
  { age: { from: 30, to: 45 }, location: { within: 150 }, smoking: { values: [10] } },
  {
    age: { from: 28, to: 40 },
    location: { within: -1 },
    height: { from: 170, to: 190 },
    smoking: { values: [10, 20] },
    drinking: { values: [20, 30] },
    education: { values: [40, 50, 60] },
    sortby: 'relevance',
  },
  { age: { from: 25, to: 50 }, religion: { values: [40, 100] }, photo: { value: 'true' }, sortby: 'newest' },
] as const;

/** The search of a turn. */
export const searchOf = (turn: number) => searches[turn % searches.length] ?? searches[0];

/** Sends JSON, or reads without a body, and resolves with the text of the answer. Its garbage collection costs less than that of fetch. */
export async function call(url: string, body: object | null, token?: string): Promise<string> {
  const { statusCode, body: answer } = await request(url, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: body && JSON.stringify(body),
  });
  const text = await answer.text();
  if (statusCode !== 200) throw new Error(`${url}: ${statusCode} ${text}`);
  return text;
}

/** The settings of the ranking that the service starts with. */
export const settings = readRelevance(new URL('../services/search/settings/relevance.json', import.meta.url));
const sites = sitesIn(process.env);

/** The members that a searcher finds: those of the group, and of the sites of World Plus. */
interface Community {
  readonly group: string;
  readonly worldPlusSites: readonly number[];
}

function communityOf(siteid: number): Community {
  const site = sites.get(siteid);
  const world = site?.world_plus ? [...sites.values()].filter((one) => one.world_plus) : [];
  return { group: site?.group ?? '', worldPlusSites: world.map((one) => one.siteid) };
}

/** The request of the search service to Elasticsearch for a search by a registered searcher. */
export function rawQuery(
  { sortby = 'distance', ...criteria }: Record<string, unknown>,
  { group, worldPlusSites } = communityOf(1),
) {
  const position = { lat: 40.789, lon: -96.693 };
  const searcher = { platinum: false, country: 'US', position, zodiac: false, rejected: [] };
  const parsed = parseSearch(criteria, searcher);
  if (parsed.failcodes.length) throw new Error(`not a valid search: ${parsed.failcodes.join(', ')}`);
  const model = {
    criteria: parsed.criteria,
    viewer: { id: 1, siteid: 1, group, gender: 'Female', gender_preference: 'Male' } as const,
    worldPlusSites,
    excluded: [],
    origin: sortby === 'distance' || 'location' in criteria ? position : null,
    postalCountries: parsed.postalCountries,
    language: compileAnalysis({ languages: {} }).forLocale('en_US'),
    sortby: sortby as 'distance',
    page: 1,
    pagesize: 20,
  };
  const { request: query } = buildSearch(model, siteRelevance(settings, 1), new Date());
  const { include_named_queries_score, allow_partial_search_results, filter_path, preference, ...body } =
    query;
  const inUrl = { include_named_queries_score, allow_partial_search_results, filter_path, preference };
  const parameters = Object.entries(inUrl).map(([name, value]) => [name, String(value)]);
  return { parameters: new URLSearchParams(parameters).toString(), body };
}
