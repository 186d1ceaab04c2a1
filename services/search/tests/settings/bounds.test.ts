import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type ServiceUnderTest } from '../harness.ts';
import { person } from '../person.ts';

const anna = 1;
const members = [person(anna, 'Female'), person(2, 'Male', { traits: { about_me: 'I love to cook' } })];
const path = '/staff/search/settings';
const team = { '*': ['search'] };

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService('bounds', { members });
});
afterAll(() => service?.close());

const relevance = (change: object) => ({ ...service.context.settings.active.ofFile, ...change });
const publish = async (change: object) =>
  service.asStaff(team, path, {
    after: await service.context.settings.store.newest(),
    relevance: relevance(change),
  });
const among = (change: object) => ({
  among_equals: { weights: { activity: 1, newness: 1, answers: 1 }, ...change },
});
const text = { fuzziness: 'AUTO', prefix_length: 0, max_expansions: 50 };

describe('values of settings', () => {
  it.each([
    ['days that are no whole hours', among({ active_days: 10.3, new_days: 1 / 3 })],
    ['the fewest days and answers', among({ active_days: 0.1, new_days: 0.1, full_answers: 0.1 })],
    ['the most days and answers', among({ active_days: 3_650, new_days: 3_650, full_answers: 3_650 })],
    ['the shortest distances', { location: { full_miles: 0.1, zero_miles: 0.101 } }],
    ['the longest distances', { location: { full_miles: 24_999.9, zero_miles: 25_000 } }],
    ['the shortest reach', { range_reach: { height: 0.1 }, range_reach_share: 0.001 }],
    ['the longest reach', { range_reach: { height: 25_000 }, range_reach_share: 1 }],
    ['the most typos', { text: { ...text, fuzziness: '2', max_expansions: 200 } }],
    ['the longest beginning', { text: { ...text, fuzziness: 'AUTO:0,999', prefix_length: 255 } }],
    ['the largest weights', { weights: { age: 1_000, keywords: 1_000, height: 1 } }],
  ])('that are accepted are searched with: %s', async (_what, change) => {
    const { status, body } = await publish(change);
    expect([status, body.problems]).toEqual([200, undefined]);
    const { users } = await service.search(anna, {
      age: { from: 18, to: 99 },
      height: { from: 150, to: 160 },
      location: { within: -1, of: '40,-90' },
      keywords: { value: 'love cooking' },
      sortby: 'relevance',
      explain: true,
    });
    expect(users).toHaveLength(1);
  });

  it.each([
    ['among_equals.active_days', among({ active_days: 0.01 })],
    ['among_equals.new_days', among({ new_days: 5e-324 })],
    ['among_equals.full_answers', among({ full_answers: 5e-324 })],
    ['range_reach.height', { range_reach: { height: 5e-324 } }],
    ['range_reach_share', { range_reach_share: 1e-300 }],
    ['location.zero_miles', { location: { full_miles: 1, zero_miles: 1e50 } }],
    ['location.full_miles', { location: { full_miles: 1e-320, zero_miles: 5 } }],
  ])('of which Elasticsearch knows nothing are refused: %s', async (at, change) => {
    const { status, body } = await publish(change);
    expect([status, body.problems]).toMatchObject([403, [{ path: `relevance.${at}` }]]);
  });

  it('are tried with a search of each site before they are in force', async () => {
    const before = await service.context.settings.store.newest();
    const { index } = (await service.context.index.versions.live()) ?? { index: '' };
    // Elasticsearch refuses every search of a closed index with 400.
    await service.engine.indices.close({ index });
    try {
      const refused = await publish({ sites: { 2: { weights: { smoking: 4 } } } });
      expect([refused.status, refused.body.problems]).toEqual([
        403,
        [{ path: 'relevance', problem: expect.stringMatching(/^is refused by Elasticsearch on site 1: /) }],
      ]);
    } finally {
      await service.engine.indices.open({ index, wait_for_active_shards: 1 });
    }
    expect(await service.context.settings.store.newest()).toBe(before);
  });
});
