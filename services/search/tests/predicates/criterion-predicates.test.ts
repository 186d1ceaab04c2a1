import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { criteria as allCriteria, type Criterion } from '@covalence/contract/catalogue/criteria';
import * as fc from 'fast-check';
import { predicatesOf, candidateOf } from '../../src/predicates/criterion-predicates.ts';
import { factsOf } from '../../src/predicates/member-facts.ts';
import { parseSearch } from '../../src/criteria/parse-search.ts';
import { memberDocument } from '../../src/index/member-document.ts';
import { siteRelevance } from '../../src/relevance/relevance-settings.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';
import { lincoln, person } from '../person.ts';
import { population, testNow } from '../population.ts';
import type { PlainCriterion } from '../reference-search.ts';

const subscriber = person(1001, 'Female');

/** Texts of scripts that are written without blanks, alone and beside others. */
const unspaced = [
  '東京大学の学生です',
  'サッカーとiPhoneが好き',
  '한국어를 배우는 사람',
  'ภาษาไทย',
  'Ελληνικά και中文',
  'コーヒーmaker',
];
const writers = unspaced.map((text, at) => person(2001 + at, 'Male', { traits: { about_me: text } }));
const members = [...population(300), subscriber, ...writers];
const searcher = { platinum: true, country: 'US', position: lincoln, zodiac: true, rejected: [] };

const range = (low: number, high: number) =>
  fc.tuple(fc.integer({ min: low, max: high }), fc.integer({ min: low, max: high })).map(([one, other]) => ({
    from: Math.min(one, other),
    to: Math.max(one, other),
  }));

const coded = allCriteria.filter(({ form, codes }) => form === 'general' && codes);

/** Criteria that more members pass than match. */
const generous = new Set([
  'keywords',
  'location',
  ...allCriteria.filter(({ text }) => text).map(({ name }) => name),
]);

const codedCriterion = ({ codes = [] }: Criterion): fc.Arbitrary<PlainCriterion> =>
  fc.uniqueArray(fc.constantFrom(...codes), { minLength: 1, maxLength: 4 }).map((values) => ({ values }));

const place = fc.constantFrom<Record<string, PlainCriterion>>(
  {},
  { location: { within: 150 } },
  { location: { within: 20, of: '41.26,-95.94' } },
  { location: { within: 500, of: '10007' } },
  { location: { within: -1 } },
  { state: { values: ['nebraska', 'Iowa'] } },
  { zipcode: { values: ['68102', '80202'] } },
  { country: { value: 'DE' } },
);

/** Words as members write them, with typos, and in other forms. */
const text = fc.constantFrom('sailing', 'saling', 'SAILED', 'mountain', 'philosphy', 'jazz bakery', 'quilts');

const anySearch = fc
  .tuple(
    range(18, 80),
    fc.option(range(120, 230), { nil: undefined }),
    place,
    fc.option(text, { nil: undefined, freq: 2 }),
    fc
      .uniqueArray(fc.constantFrom(...coded), { maxLength: 2 })
      .chain((some) =>
        fc.tuple(...some.map((one) => codedCriterion(one).map((plain) => [one.name, plain] as const))),
      ),
  )
  .map(([age, height, where, keywords, others]): Record<string, PlainCriterion> => ({
    age,
    ...(height && { height }),
    ...(keywords !== undefined && { keywords: { value: keywords } }),
    ...where,
    ...Object.fromEntries(others.filter(([name]) => !['state', 'country'].includes(name))),
  }));

describe('matching alerts without the index', () => {
  let service: ServiceUnderTest;

  beforeAll(async () => {
    service = await startService('predicates', { members });
    service.profile.platinum.add(subscriber.id);
  });
  afterAll(() => service?.close());

  const facts = members.flatMap((one) => factsOf(memberDocument(one).source) ?? []);

  /** Members of the searcher's community and genders who pass the predicates of a search. */
  const passing = (criteria: Record<string, PlainCriterion>): number[] => {
    const parsed = parseSearch(criteria, searcher);
    expect(parsed.failcodes).toEqual([]);
    const center = criteria['location']?.of;
    const origin =
      center === '10007' ? { lat: 40.71, lon: -74.01 } : center ? { lat: 41.26, lon: -95.94 } : lincoln;
    const predicates = predicatesOf(parsed.criteria, {
      origin,
      postalCountries: parsed.postalCountries,
      rules: [undefined],
      typos: siteRelevance(service.context.settings.active.ofFile, 1).text,
    });
    return facts
      .filter(
        ({ id, group, gender, siteid, world_plus, gender_preference }) =>
          id !== subscriber.id &&
          gender === 'Male' &&
          gender_preference === 'Female' &&
          (group === 'heartland' || (world_plus && siteid === 3)),
      )
      .filter((one) => {
        const candidate = candidateOf(one, testNow);
        return predicates.every((predicate) => predicate(candidate));
      })
      .map(({ id }) => id);
  };

  it('finds every member whom the search matches exactly, and without texts and distances nobody else', async () => {
    let exactMatches = 0;
    await fc.assert(
      fc.asyncProperty(anySearch, async (criteria) => {
        const found = passing(criteria);
        const { users } = await service.search(subscriber.id, {
          ...criteria,
          exclude: 'none',
          sortby: 'relevance',
          pagesize: 100,
        });
        const exact = users.filter(({ exactmatch }) => exactmatch).map(({ id }) => id);
        exactMatches += exact.length;
        expect(found).toEqual(expect.arrayContaining(exact));
        // Words and distances are looked at generously; a page has at most 100.
        const isGenerous = [...generous].some((name) => criteria[name]) || exact.length === 100;
        const sorted = [...exact].sort((one, other) => one - other);
        expect({ criteria, found: isGenerous ? sorted : found }).toEqual({ criteria, found: sorted });
      }),
      { numRuns: 150, seed: 20260615 },
    );
    expect(exactMatches).toBeGreaterThan(500);
  });

  it.each([
    '大学',
    '学生',
    '好き',
    'サッカー',
    'iphone',
    '한국어를',
    'ภาษาไทย',
    '中文',
    'ελληνικα 中',
    'maker',
  ])('finds %s where it is written without blanks', async (value) => {
    const criteria = { age: { from: 18, to: 99 }, keywords: { value } };
    const { users } = await service.search(subscriber.id, {
      ...criteria,
      exclude: 'none',
      sortby: 'relevance',
    });
    const exact = users.filter(({ exactmatch }) => exactmatch).map(({ id }) => id);
    expect(exact).toHaveLength(1);
    expect(passing(criteria)).toEqual(expect.arrayContaining(exact));
  });
});
