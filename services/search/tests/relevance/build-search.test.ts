import { describe, expect, it } from '@jest/globals';
import { compileAnalysis } from '../../src/analysis/analysis.ts';
import { parseSearch } from '../../src/criteria/parse-search.ts';
import { buildSearch } from '../../src/relevance/build-search.ts';
import { readRelevance, siteRelevance } from '../../src/relevance/relevance-settings.ts';
import { sortBys, type SortBy } from '../../src/relevance/sort.ts';

const settings = siteRelevance(
  readRelevance(new URL('../../settings/relevance.json', import.meta.url).pathname),
  1,
);
const now = new Date('2026-06-15T12:00:00Z');
const language = compileAnalysis({ languages: {} }).forLocale('en_US');
const lincoln = { lat: 40.789, lon: -96.693 };

/** The request of a searcher in Lincoln. */
function requestOf(parameters: Record<string, unknown>, sortby: SortBy = 'distance') {
  const searcher = { platinum: true, country: 'US', position: lincoln, zodiac: true, rejected: [] };
  const { criteria, failcodes, postalCountries } = parseSearch(parameters, searcher);
  expect(failcodes).toEqual([]);
  const viewer = { id: 1, siteid: 1, group: 'g', gender: 'Female', gender_preference: 'Male' } as const;
  const model = { criteria, viewer, worldPlusSites: [], excluded: [], postalCountries, sortby, language };
  return buildSearch({ ...model, origin: lincoln, page: 1, pagesize: 20 }, settings, now).request;
}

const timesIn = (request: object, part: object) =>
  JSON.stringify(request).split(JSON.stringify(part)).length - 1;

describe('the request of a search', () => {
  it('contains each limiting filter once', () => {
    const request = requestOf({
      age: { from: 30, to: 45 },
      location: { within: 150 },
      country: { values: ['US'] },
    });
    const widened = { date_of_birth: { gt: '1978-06-15', lte: '1998-06-15' } };
    const parts = [
      { geo_distance: { distance: '150mi', position: lincoln } },
      { terms: { country: ['US'] } },
      { range: widened },
    ];
    expect(parts.map((part) => timesIn(request, part))).toEqual([1, 1, 1]);
  });

  it.each(sortBys)('ends the order by %s with the id, which identifies hits', (sortby) => {
    const { sort } = requestOf({ age: { from: 30, to: 45 } }, sortby);
    expect([sort].flat().at(-1)).toEqual({ id: { order: 'asc' } });
  });
});
