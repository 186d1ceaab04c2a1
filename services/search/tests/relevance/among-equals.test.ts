import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SearchProjection } from '@covalence/contract/search-projection';
import * as fc from 'fast-check';
import { relevanceSchema } from '../../src/relevance/relevance-settings.ts';
import { population, testNow } from '../population.ts';
import { person } from '../person.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';

const dayMs = 86_400_000;
const ago = (days: number) => new Date(testNow.getTime() - days * dayMs).toISOString();

/** A man whom no search distinguishes from the others: long registered, long away, without photo and answers. */
const plain = (id: number, facts: Partial<SearchProjection> = {}) =>
  person(id, 'Male', { last_seen: ago(500), joined: ago(900), photo: false, traits: {}, ...facts });
const answered = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`q_${index}`, 'yes']));

const plainIds = Array.from({ length: 40 }, (_, index) => 1_100 + index);
const [today, lastWeek, photographed, complete, half, young] = [1_190, 1_191, 1_192, 1_193, 1_194, 1_195];
const [silent, responsive, attentive] = [1_196, 1_197, 1_198];
const [searcher, other, foreigner] = [1_001, 1_002, 1_003];
const men = [
  ...plainIds.map((id) => plain(id)),
  plain(today, { last_seen: ago(0) }),
  plain(lastWeek, { last_seen: ago(30) }),
  plain(photographed, { photo: true }),
  plain(complete, { traits: answered(40) }),
  plain(half, { traits: answered(15) }),
  plain(young, { joined: ago(1) }),
  plain(silent, { answer_rate: 0 }),
  plain(responsive, { answer_rate: 0.75 }),
  plain(attentive, { answer_rate: 1 }),
];
const women = [
  person(searcher, 'Female'),
  person(other, 'Female'),
  person(foreigner, 'Female', { siteid: 2 }),
];

describe('the order of members of the same relevance', () => {
  let service: ServiceUnderTest;
  beforeAll(async () => {
    service = await startService('among-equals', { members: [...population(150), ...men, ...women] });
    service.profile.platinum.add(searcher);
  });
  afterAll(() => service?.close());

  /** Sets the weights of all sites, or of some. */
  const weigh = (weights: object, sites: object = {}) => {
    const { ofFile } = service.context.settings.active;
    const relevance = relevanceSchema.parse({ ...ofFile, among_equals: { weights }, sites });
    return service.publish({ relevance });
  };
  const search = (viewer: number, more: object = {}) =>
    service.search(viewer, {
      age: { from: 30, to: 45 },
      sortby: 'relevance',
      pagesize: 100,
      ...more,
    });
  /** Those of the men above whom a search finds, in order. */
  const order = async (viewer = searcher) => {
    const { users } = await search(viewer, { pagesize: 100 });
    return users.map(({ id }) => id).filter((id) => men.some((man) => man.id === id));
  };

  it('is that of their ids without weights', async () => {
    await weigh({});
    const found = await order();
    expect(found).toEqual(men.map(({ id }) => id));
    const { users } = await search(searcher, { explain: true });
    expect(users.every((user) => !('among_equals' in user))).toBe(true);
  });

  it.each([
    ['activity', [today, lastWeek]],
    ['photo', [photographed]],
    ['answers', [complete, half]],
    ['answer_rate', [attentive, responsive]],
    ['newness', [young]],
  ])('begins by %s with those who have most of it', async (part, first) => {
    await weigh({ [part]: 1 });
    expect((await order()).slice(0, first.length)).toEqual(first);
  });

  it('adds weights, which a site can have of its own', async () => {
    await weigh({ photo: 3, answers: 1 }, { 2: { among_equals: { answers: 1 } } });
    expect((await order()).slice(0, 3)).toEqual([photographed, complete, half]);
    expect((await order(foreigner)).slice(0, 2)).toEqual([complete, half]);
    const { users } = await search(searcher, { explain: true });
    expect(users.find(({ id }) => id === half)).toMatchObject({
      among_equals: [
        { part: 'photo', gave: 0 },
        { part: 'answers', gave: expect.closeTo(0.125, 1) },
      ],
    });
  });

  it('puts members who ignore others last, and does not reveal what that gave', async () => {
    await weigh({ photo: 1, answer_rate: 4 });
    expect((await order()).at(-1)).toBe(silent);
    const { users } = await search(searcher, { explain: true });
    expect(users.find(({ id }) => id === silent)).toMatchObject({
      among_equals: [{ part: 'photo', gave: 0 }, { part: 'answer_rate' }],
    });
    const unsaid = expect.objectContaining({ among_equals: [expect.anything(), { part: 'answer_rate' }] });
    expect(users).toEqual(users.map(() => unsaid));
  });

  it('is another one for each searcher and day, the same on all pages', async () => {
    await weigh({ exposure: 1 });
    const first = await order();
    expect(await order()).toEqual(first);
    const pages = await Promise.all([1, 2, 3].map((page) => search(searcher, { page, pagesize: 30 })));
    const paged = pages.flatMap(({ users }) => users.map(({ id }) => id));
    expect(new Set(paged).size).toBe(paged.length);
    expect(first.slice(0, 10)).not.toEqual((await order(other)).slice(0, 10));
    service.setNow(new Date(testNow.getTime() + dayMs));
    expect((await order()).slice(0, 10)).not.toEqual(first.slice(0, 10));
    service.setNow(testNow);
  });

  it('changes neither relevance nor exactmatch, nor who comes before less relevant members', async () => {
    const anySearch = fc.record({
      age: fc.integer({ min: 18, max: 60 }).map((from) => ({ from, to: from + 12 })),
      smoking: fc.subarray([10, 20, 30], { minLength: 1 }).map((values) => ({ values })),
      height: fc.integer({ min: 150, max: 190 }).map((from) => ({ from, to: from + 5 })),
      location: fc.constant({ within: -1 }),
      // As typed, with a typo, and in another form; three of them share the steps of their order.
      ...Object.fromEntries(
        ['keywords', 'f_author', 'f_city'].map((name) => [
          name,
          fc.constantFrom('jazz', 'sailing', 'gardning', 'mountain cinema').map((value) => ({ value })),
        ]),
      ),
    });
    await fc.assert(
      fc.asyncProperty(anySearch, async (criteria) => {
        const run = async (weights: object) => {
          await weigh(weights);
          const { users } = await search(searcher, criteria);
          return users;
        };
        const plainly = await run({});
        const weighed = await run({ activity: 3, photo: 2, answers: 2, newness: 1, exposure: 2 });
        expect(weighed.map(({ relevance }) => relevance)).toEqual(plainly.map(({ relevance }) => relevance));
        const facts = new Map(plainly.map(({ id, relevance, exactmatch }) => [id, [relevance, exactmatch]]));
        const least = plainly.at(-1)?.relevance ?? 0;
        const certain = weighed.filter(({ relevance }) => relevance > least);
        expect(certain.map(({ id, relevance, exactmatch }) => [id, relevance, exactmatch])).toEqual(
          certain.map(({ id }) => [id, ...(facts.get(id) ?? [])]),
        );
      }),
      { numRuns: 15, seed: 20260615 },
    );
  });
});
