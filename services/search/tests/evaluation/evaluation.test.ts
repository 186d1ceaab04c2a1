import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { analysisSchema, compileAnalysis } from '../../src/analysis/analysis.ts';
import { compareVariants } from '../../src/evaluation/compare-settings.ts';
import { judgmentSetSchema } from '../../src/evaluation/judgment-set.ts';
import { meanOf, measure } from '../../src/evaluation/metrics.ts';
import { reportLines, resultLines } from '../../src/evaluation/report.ts';
import { person } from '../person.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';

const gradesOf = (grades: Record<number, number>) =>
  new Map(Object.entries(grades).map(([id, grade]) => [Number(id), grade]));

const quality = (ndcg: number) => ({ ndcg, precision: 0.5, recall: 1, err: 0.25, judged: 0.75 });

const somebody = (id: number, traits: Record<string, number | string>) =>
  person(id, id === 1 ? 'Female' : 'Male', { traits });

const greek = (id: number, zip: string, lat: number) => {
  const facts = { country: 'GR', zip, position: { lat, lon: 23.7 }, traits: {} };
  return person(id, id === 1 ? 'Female' : 'Male', facts);
};

describe('metrics, by hand', () => {
  it('nDCG@10: gains 2^grade - 1 over log2(place + 1), against the best order', () => {
    // Found 3, unknown, 2: 7/1 + 0 + 3/2 = 8.5. Best 3, 2, 1: 7 + 3/1.58496 + 1/2 = 9.39279.
    const { ndcg } = measure([10, 99, 20], gradesOf({ 10: 3, 20: 2, 30: 1 }));
    expect(ndcg).toBeCloseTo(8.5 / 9.392789, 6);
    expect(measure([10, 20, 30], gradesOf({ 10: 3, 20: 2, 30: 1 })).ndcg).toBe(1);
    expect(measure([30], gradesOf({ 10: 3, 20: 2, 30: 0 })).ndcg).toBe(0);
  });

  it('nDCG uses the first ten results, also of the best order', () => {
    const twenty = gradesOf(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [index + 1, 2])));
    const ids = [...twenty.keys()];
    expect(measure(ids, twenty).ndcg).toBe(1);
    expect(measure([...Array.from({ length: 10 }, () => 99), ...ids], twenty)).toEqual({
      ndcg: 0,
      precision: 0,
      recall: 1,
      err: 0,
      judged: 0,
    });
  });

  it('precision@10 divides the good ones of the first ten results by ten', () => {
    // 12 good ones, 4 of them among the first ten.
    const many = gradesOf(Object.fromEntries(Array.from({ length: 12 }, (_, index) => [index + 1, 2])));
    expect(measure([1, 91, 2, 92, 3, 93, 94, 95, 96, 4, 5, 6], many)).toMatchObject({
      precision: 0.4,
      recall: 0.5,
    });
    // Only 2 good ones (8 and 9); grade 1 is not good.
    expect(measure([7, 8], gradesOf({ 7: 1, 8: 2, 9: 3 }))).toMatchObject({ precision: 0.1, recall: 0.5 });
  });

  it('ERR@10: the chance to stop at a place, (2^grade - 1) / 8, if no place before was good enough, over the place', () => {
    // 7/8 + 1/8 × 3/8 / 2 + 1/8 × 5/8 × 1/8 / 3.
    const grades = gradesOf({ 10: 3, 20: 2, 30: 1 });
    expect(measure([10, 20, 30], grades).err).toBeCloseTo(0.875 + 0.0234375 + 0.0032552, 6);
    expect(measure([99, 99, 10], grades).err).toBeCloseTo(0.875 / 3, 6);
    expect(measure([...Array.from({ length: 10 }, () => 99), 10], grades).err).toBe(0);
  });

  it('judged@10: the share of the first ten results that has a grade', () => {
    const grades = gradesOf({ 10: 3, 20: 0 });
    expect(measure([10, 20, 99, 98], grades).judged).toBe(0.5);
    expect(measure([...Array.from({ length: 10 }, (_, at) => 90 + at), 10], grades).judged).toBe(0);
  });

  it('averages each metric, and rejects a search without good members', () => {
    const qualities = [
      { ndcg: 1, precision: 0.5, recall: 0, err: 0.5, judged: 1 },
      { ndcg: 0.5, precision: 0.5, recall: 1, err: 0.25, judged: 0.5 },
    ];
    expect(meanOf(qualities)).toEqual({ ndcg: 0.75, precision: 0.5, recall: 0.5, err: 0.375, judged: 0.75 });
    expect(() => measure([1], gradesOf({ 1: 1 }))).toThrow(/without a good member/);
  });
});

describe('reports', () => {
  it('compares settings and lists what got better and worse, the largest change first', () => {
    const judged = [
      { name: 'anna', qualities: [quality(0.5), quality(0.75)] },
      { name: 'ben', qualities: [quality(0.5), quality(0.9)] },
      { name: 'cleo', qualities: [quality(0.8), quality(0.7)] },
      { name: 'dan', qualities: [quality(0.8), quality(0.8001)] },
    ];
    expect(reportLines(judged)).toEqual([
      '4 searches',
      '                  current    changed difference',
      'nDCG@10             0.650      0.788     +0.138',
      'precision@10        0.500      0.500     +0.000',
      'recall@100          1.000      1.000     +0.000',
      'ERR@10              0.250      0.250     +0.000',
      'judged@10           0.750      0.750     +0.000',
      'better: 2',
      '  ben: 0.500 to 0.900',
      '  anna: 0.500 to 0.750',
      'worse: 1',
      '  cleo: 0.800 to 0.700',
      'the same: 1',
    ]);
  });

  it('names searches that find none of their good members', () => {
    const nothing = { ndcg: 0, precision: 0, recall: 0, err: 0, judged: 1 };
    const judged = [
      { name: 'anna', qualities: [nothing, nothing] },
      { name: 'ben', qualities: [nothing, quality(0.2)] },
    ];
    const lines = reportLines(judged);
    expect(lines.slice(-2)).toEqual([expect.stringMatching(/^none of their good members/), '  anna']);
    const [first] = judged.map(({ name, qualities }) => ({ name, qualities: qualities.slice(0, 1) }));
    expect(reportLines(first ? [first] : []).at(-1)).toBe('  anna');
  });

  it('has one column without changed settings', () => {
    expect(reportLines([{ name: 'anna', qualities: [quality(0.5)] }])).toEqual([
      '1 searches',
      '                  current',
      'nDCG@10             0.500',
      'precision@10        0.500',
      'recall@100          1.000',
      'ERR@10              0.250',
      'judged@10           0.750',
    ]);
  });
});

describe('judging searches', () => {
  let service: ServiceUnderTest;
  const now = '2026-06-15T12:00:00Z';
  // She searches for both; her grades prefer members who do not smoke.
  const members = [
    somebody(1, {}),
    somebody(2, { smoking: 10, drinking: 40 }),
    somebody(3, { smoking: 30, drinking: 10 }),
    somebody(4, { smoking: 30, drinking: 40 }),
  ];
  const search = {
    name: 'anna',
    member: 1,
    criteria: { age: { from: 30, to: 45 }, smoking: { value: 10 }, drinking: { value: 10 } },
    grades: { 2: 3, 3: 1 },
  };
  const set = (facts = {}) => judgmentSetSchema.parse({ now, members, searches: [search], ...facts });

  beforeAll(async () => {
    service = await startService('workbench', { members });
  });
  afterAll(() => service?.close());

  const noAnalysis = compileAnalysis({ languages: {} });
  const unchanged = () => ({ analysis: noAnalysis, relevance: service.context.settings.active.ofFile });
  const variants = () => {
    const { index, settings } = service.context;
    const weighed = (smoking: number, drinking: number) => ({
      settings: {
        analysis: noAnalysis,
        relevance: { ...settings.active.ofFile, weights: { smoking, drinking } },
      },
      mapping: index.mapping,
    });
    return [weighed(1, 9), weighed(9, 1)];
  };
  const indices = async () =>
    Object.keys(await service.engine.indices.get({ index: `${service.namespace}-*`, features: 'aliases' }));

  it('ranks with each settings file in one temporary index', async () => {
    const before = await indices();
    const { index } = service.context;
    let made = 0;
    const temporary: typeof index.temporary = (mapping) => {
      made += 1;
      return index.temporary(mapping);
    };
    const counted = { ...service.context, index: { ...index, temporary } };
    const [judged] = await compareVariants(set(), variants(), counted);
    // The second one needs no index of its own.
    expect(made).toBe(1);
    // Best order 3, 1: 7 + 1/1.58496 = 7.63093; the wrong way round 1 + 7/1.58496 = 5.41651.
    expect(judged?.qualities[0]?.ndcg).toBeCloseTo(5.416508 / 7.63093, 6);
    expect(judged?.qualities[1]?.ndcg).toBe(1);
    expect(judged?.qualities.map(({ precision, recall }) => [precision, recall])).toEqual([
      [0.1, 1],
      [0.1, 1],
    ]);
    expect(await indices()).toEqual(before);
  });

  it('says which members moved, and why', async () => {
    const judged = await compareVariants(set(), variants(), service.context);
    expect(resultLines(judged, [search])).toEqual([
      '',
      'anna: nDCG@10 0.710 to 1.000, precision@10 0.100 to 0.100, recall@100 1.000 to 1.000, ERR@10 0.508 to 0.883, judged@10 0.667 to 0.667',
      '      rank       was    member     grade relevance  share of the relevance that changed',
      '         1         2         2         3     0.929  smoking 0.071 to 0.643',
      '         2         1         3         1     0.357  drinking 0.643 to 0.071',
      '         3         3         4         –     0.286',
    ]);
    const current = await compareVariants(set(), variants().slice(0, 1), service.context);
    expect(resultLines(current, [search]).slice(1, 4)).toEqual([
      'anna: nDCG@10 0.710, precision@10 0.100, recall@100 1.000, ERR@10 0.508, judged@10 0.667',
      '      rank    member     grade relevance  share of the relevance',
      '         1         3         1     0.929  age 0.286, smoking 0.000, drinking 0.643',
    ]);
    // A search of several whose metrics did not change is left out.
    const same = { name: 'ben', qualities: [quality(0.5), quality(0.5)], found: [[], []] };
    expect(resultLines([...judged, same], [search, search])).toHaveLength(6);
  });

  it('shows the effect of a change of text analysis', async () => {
    const { mapping } = service.context.index;
    const texts = {
      members: [
        somebody(1, {}),
        somebody(2, { about_me: 'I sail.' }),
        somebody(3, { about_me: 'My garden is half plan.' }),
      ],
      searches: [
        { ...search, criteria: { ...search.criteria, keywords: { value: 'gardening' } }, grades: { 3: 3 } },
      ],
    };
    const { fields: _, ...keywords } = mapping.properties['keywords'] as { fields: object };
    const plain = {
      ...mapping,
      properties: { ...mapping.properties, keywords } as typeof mapping.properties,
    };
    const columns = [mapping, plain].map((one) => ({ settings: unchanged(), mapping: one }));
    const [judged] = await compareVariants(set(texts), columns, service.context);
    expect(judged?.qualities.map(({ ndcg }) => ndcg)).toEqual([1, expect.closeTo(1 / Math.log2(3), 6)]);
  });

  it('shows the effect of synonyms and stems', async () => {
    const texts = {
      members: [
        somebody(1, {}),
        somebody(2, { about_me: 'I sail.' }),
        somebody(3, { about_me: 'My puppies and I.' }),
      ],
      searches: [
        { ...search, criteria: { ...search.criteria, keywords: { value: 'dog' } }, grades: { 3: 3 } },
      ],
    };
    const [plain] = variants();
    const languages = { en: { synonyms: ['dog, puppy'] } };
    const columns = [{}, { stemmer: 'English', protected: ['puppies'] }].map((stems) => {
      const content = analysisSchema.parse({ languages: { en: { ...languages.en, ...stems } } });
      return plain ? [{ ...plain, settings: { ...plain.settings, analysis: compileAnalysis(content) } }] : [];
    });
    const all = [...(plain ? [plain] : []), ...columns.flat()];
    const [judged] = await compareVariants(set(texts), all, service.context);
    const second = expect.closeTo(1 / Math.log2(3), 6);
    expect(judged?.qualities.map(({ ndcg }) => ndcg)).toEqual([second, 1, second]);
  });

  it('locates an unlisted postal code by the members of the set', async () => {
    const near = {
      members: [
        greek(1, '10431', 38),
        greek(2, '26221', 38.2),
        greek(3, '26221', 38.2),
        greek(4, '54621', 40.6),
      ],
      searches: [
        {
          name: 'anna',
          member: 1,
          criteria: { age: { from: 30, to: 45 }, location: { of: '262 21', within: 150 } },
          grades: { 2: 3, 3: 3 },
        },
      ],
    };
    const [judged] = await compareVariants(set(near), variants().slice(0, 1), service.context);
    expect(judged?.qualities).toMatchObject([{ ndcg: 1, precision: 0.2, recall: 1 }]);
  });

  it('accepts every spelling of criteria that POST /searches accepts', async () => {
    const { age, ...others } = search.criteria;
    const spelled = { AGE: age, maritalstatus: { value: 10 }, 'Ls-Dress': { value: 10 }, ...others };
    const judged = await compareVariants(
      set({ searches: [{ ...search, criteria: spelled }] }),
      variants().slice(0, 1),
      service.context,
    );
    expect(judged).toHaveLength(1);
  });

  it('leaves no index when it is interrupted', async () => {
    const before = await indices();
    const interruption = new AbortController();
    const { index } = service.context;
    const temporary: typeof index.temporary = (mapping) => {
      // While the first index is created.
      interruption.abort();
      return index.temporary(mapping);
    };
    const context = { ...service.context, index: { ...index, temporary } };
    await expect(compareVariants(set(), variants(), context, interruption.signal)).rejects.toThrow(
      'interrupted: nothing is left',
    );
    expect(await indices()).toEqual(before);
  });

  it('uses the live index for a set without members', async () => {
    const { members: _, ...live } = set();
    const [, better] = variants();
    const judged = await compareVariants(live, better ? [better] : [], service.context);
    expect(judged[0]?.qualities[0]?.ndcg).toBe(1);
    const other = { ...service.context.index.mapping, fingerprint: 'other' };
    const trial = [{ settings: unchanged(), mapping: other }];
    await expect(compareVariants(live, trial, service.context)).rejects.toThrow(/brings its own members/);
    const german = compileAnalysis(analysisSchema.parse({ languages: { de: { stemmer: 'German' } } }));
    const stemmed = variants().map((one) => ({ ...one, settings: { ...one.settings, analysis: german } }));
    await expect(compareVariants(live, stemmed, service.context)).rejects.toThrow(/brings its own members/);
    const { members: __, ...unknown } = set({ searches: [{ ...search, member: 77 }] });
    await expect(compareVariants(unknown, variants(), service.context)).rejects.toThrow(
      "search 'anna': member 77 cannot search: Deactivated",
    );
  });

  it('names the problems of a set', async () => {
    const bad = set({ searches: [{ ...search, criteria: { smoking: { value: 11 } } }] });
    await expect(compareVariants(bad, variants(), service.context)).rejects.toThrow(
      /^search 'anna' fails: 31012 \(age criterion missing.*\), 31009 \(criterion value\(s\) not legal/,
    );
    const nowhere = { ...search.criteria, location: { of: '00001', within: 150 } };
    const lost = set({ searches: [{ ...search, criteria: nowhere }] });
    await expect(compareVariants(lost, variants(), service.context)).rejects.toThrow(
      "search 'anna' fails: 31006 (geolocation criterion",
    );
    const unknown = set({ searches: [{ ...search, member: 77 }] });
    await expect(compareVariants(unknown, variants(), service.context)).rejects.toThrow(
      "search 'anna': member 77 cannot search: not in the judgment set",
    );
    expect(() => set({ searches: [search, search] })).toThrow(/same name/);
    expect(() => set({ searches: [{ ...search, grades: { 2: 1 } }] })).toThrow(/no member is good/);
    expect(await indices()).toHaveLength(1);
  });
});
