import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { placeOf } from '../../src/index/draws.ts';
import { idOf } from '../../src/relevance/read-hits.ts';
import { relevanceSchema } from '../../src/relevance/relevance-settings.ts';
import { sortOf } from '../../src/relevance/sort.ts';
import { person } from '../person.ts';
import { testNow } from '../population.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';

const dayMs = 86_400_000;
const searcher = 1;
/** Men whom nothing distinguishes: so many that few of them are on a first page. */
const men = Array.from({ length: 1_500 }, (_, index) =>
  person(1_000 + index, 'Male', {
    last_seen: testNow.toISOString(),
    joined: '2025-01-01T00:00:00.000Z',
    photo: true,
    traits: {},
  }),
);
/** The example of docs/search.md, and weights by which all of these men have the same score. */
const documented = { activity: 4, photo: 2, answers: 2, newness: 1, exposure: 2 };
const alike = { activity: 1, photo: 1 };

const days = 200;
const firstPage = 20;

describe('exposure among many members of the same relevance', () => {
  let service: ServiceUnderTest;
  beforeAll(async () => {
    service = await startService('fair-exposure', { members: [...men, person(searcher, 'Female')] });
  });
  afterAll(() => service?.close());

  const weigh = (weights: object) =>
    service.publish({
      relevance: relevanceSchema.parse({
        ...service.context.settings.active.ofFile,
        among_equals: { weights },
      }),
    });
  const found = async (page: number, pagesize: number) => {
    const asked = { age: { from: 30, to: 45 }, sortby: 'relevance', page, pagesize };
    const { users } = await service.search(searcher, asked);
    return users.map(({ id }) => id);
  };

  it.each([
    ['the documented weights', documented],
    ['weights by which they tie', alike],
  ])('reaches nearly everyone on the first pages of 200 days with %s', async (_weights, weights) => {
    await weigh(weights);
    const shown = new Map(men.map(({ id }) => [id, 0]));
    for (let day = 0; day < days; day += 1) {
      service.setNow(new Date(testNow.getTime() + day * dayMs));
      for (const id of await found(1, firstPage)) shown.set(id, (shown.get(id) ?? 0) + 1);
    }
    service.setNow(testNow);
    const counts = [...shown.values()].toSorted((one, other) => one - other);
    const places = days * firstPage;
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(places);
    const gini =
      counts.reduce((total, count, rank) => total + (2 * (rank + 1) - counts.length - 1) * count, 0) /
      (counts.length * places);
    // Places that are drawn by chance reach 93 %, with a Gini coefficient of 0.33.
    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(0.85 * men.length);
    expect(gini).toBeLessThan(0.45);
  });

  it('has the order of ids in an index without the column', async () => {
    const index = `${service.namespace}-old`;
    await service.engine.indices.create({ index, mappings: { properties: { id: { type: 'integer' } } } });
    for (const id of [3, 1, 2]) await service.engine.index({ index, document: { id }, refresh: true });
    const sort = sortOf('relevance', null, placeOf(7));
    const { hits } = await service.engine.search({ index, sort });
    expect(hits.hits.map((hit) => idOf(hit))).toEqual([1, 2, 3]);
  });

  it.each([documented, alike])('keeps its order over the pages of a day with %j', async (weights) => {
    await weigh(weights);
    const whole = [...(await found(1, 100)), ...(await found(2, 100))];
    const pages = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((page) => found(page, 25)));
    expect(pages.flat()).toEqual(whole);
    expect(new Set(whole).size).toBe(200);
  });
});
