import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { criteria as allCriteria, type Criterion } from '@covalence/contract/catalogue/criteria';
import * as fc from 'fast-check';
import { parseSearch } from '../../src/criteria/parse-search.ts';
import { searcherOf } from '../../src/criteria/searcher.ts';
import { findMembers } from '../../src/searches/find-members.ts';
import { sortBys } from '../../src/relevance/sort.ts';
import { population } from '../population.ts';
import { person } from '../person.ts';
import type { PlainCriterion } from '../reference-search.ts';
import { startService, type FoundUser, type ServiceUnderTest } from '../harness.ts';

const subscriber = person(1001, 'Female');
const members = [...population(200), subscriber];

const range = (low: number, high: number) =>
  fc.tuple(fc.integer({ min: low, max: high }), fc.integer({ min: low, max: high })).map(([one, other]) => ({
    from: Math.min(one, other),
    to: Math.max(one, other),
  }));

const coded = allCriteria.filter(({ form, codes, hard }) => form === 'general' && codes && !hard);

const codedCriterion = ({ codes = [] }: Criterion): fc.Arbitrary<PlainCriterion> =>
  fc.uniqueArray(fc.constantFrom(...codes), { minLength: 1, maxLength: 3 }).map((values) => ({ values }));

/** Scored criteria beside age: up to six coded ones, height, and distance without a limit. */
const anySearch = fc
  .tuple(
    range(18, 80),
    fc.option(range(120, 230), { nil: undefined }),
    fc.boolean(),
    fc
      .uniqueArray(fc.constantFrom(...coded), { maxLength: 6 })
      .chain((some) =>
        fc.tuple(...some.map((one) => codedCriterion(one).map((plain) => [one.name, plain] as const))),
      ),
  )
  .map(([age, height, location, others]): Record<string, PlainCriterion> => ({
    age,
    ...(height && { height }),
    ...(location && { location: { within: -1 } }),
    ...Object.fromEntries(others),
  }));

const runs = { numRuns: 15, seed: 20260615 };

describe('properties of relevance', () => {
  let service: ServiceUnderTest;

  beforeAll(async () => {
    service = await startService('properties', { members });
    service.profile.platinum.add(subscriber.id);
  });
  afterAll(() => service?.close());

  const find = async (parameters: object): Promise<FoundUser[]> => {
    const { users } = await service.search(subscriber.id, {
      ...parameters,
      sortby: 'relevance',
      explain: true,
      pagesize: 100,
    });
    return users;
  };

  it('lies between 0 and 1, is 1 only if every criterion is met, and decreases along the results', async () => {
    await fc.assert(
      fc.asyncProperty(anySearch, async (criteria) => {
        const users = await find(criteria);
        for (const { relevance, explanation = [] } of users) {
          expect(relevance).toBeGreaterThanOrEqual(0);
          expect(relevance).toBeLessThanOrEqual(1);
          // Criteria on answers that only their owner reads are not explained, so all explained ones can be met below 1.
          const isWhole = explanation.length === Object.keys(criteria).length;
          const areMet = explanation.every(({ outcome }) => outcome === 'met');
          expect(relevance === 1).toBe(areMet && (isWhole || relevance === 1));
        }
        const relevances = users.map(({ relevance }) => relevance);
        expect(relevances).toEqual(relevances.toSorted((one, other) => other - one));
      }),
      runs,
    );
  });

  it('is the same for a search without outcomes, as the order', async () => {
    const { context } = service;
    const { viewer } = await context.relations.read(subscriber.id, []);
    await fc.assert(
      fc.asyncProperty(anySearch, async (criteria) => {
        const parsed = parseSearch(criteria, searcherOf(viewer, context));
        const asked = { ...parsed, excluded: [], sortby: 'relevance', page: 1, pagesize: 100 } as const;
        const all = await findMembers(asked, viewer, context);
        const bare = await findMembers({ ...asked, outcomes: false }, viewer, context);
        expect(bare.matches.map(({ id }) => id)).toEqual(all.matches.map(({ id }) => id));
        for (const [at, { relevance, explanation }] of bare.matches.entries()) {
          expect(relevance).toBeCloseTo(all.matches[at]?.relevance ?? NaN, 5);
          expect(explanation).toEqual([]);
        }
      }),
      runs,
    );
  });

  it('orders results at equal relevance by id, whichever criteria add up to it', async () => {
    const equal: number[] = [];
    await fc.assert(
      fc.asyncProperty(anySearch, async (criteria) => {
        const users = await find(criteria);
        const places = users.map(({ id, relevance }) => ({ id, relevance }));
        const ordered = places.toSorted((one, other) => other.relevance - one.relevance || one.id - other.id);
        expect(places).toEqual(ordered);
        equal.push(places.length - new Set(places.map(({ relevance }) => relevance)).size);
      }),
      { ...runs, numRuns: 60 },
    );
    expect(Math.max(...equal)).toBeGreaterThan(10);
  });

  it('does not decrease when a member meets one more criterion', async () => {
    await fc.assert(
      fc.asyncProperty(anySearch, fc.nat(), async (criteria, choice) => {
        const before = await find(criteria);
        const names = coded.map(({ name }) => name).filter((name) => name in criteria);
        const name = names[choice % Math.max(1, names.length)];
        if (!name) return;
        const codes = coded.find((one) => one.name === name)?.codes ?? [];
        // With every value wanted, each member who has one meets the criterion, and nothing else changes.
        const after = await find({ ...criteria, [name]: { values: codes } });
        const relevanceAfter = new Map(after.map(({ id, relevance }) => [id, relevance]));
        for (const { id, relevance } of before) {
          expect(relevanceAfter.get(id) ?? 1).toBeGreaterThanOrEqual(relevance - 1e-6);
        }
      }),
      runs,
    );
  });

  it('does not depend on the order of criteria or of their values', async () => {
    await fc.assert(
      fc.asyncProperty(anySearch, async (criteria) => {
        const turned = Object.entries(criteria)
          .toReversed()
          .map(([name, plain]) => [name, plain.values ? { values: [...plain.values].toReversed() } : plain]);
        expect(await find(Object.fromEntries(turned))).toEqual(await find(criteria));
      }),
      runs,
    );
  });

  it('returns each member once over all pages, in every order', async () => {
    await fc.assert(
      fc.asyncProperty(
        anySearch,
        fc.constantFrom(...sortBys),
        fc.integer({ min: 7, max: 40 }),
        async (criteria, sortby, pagesize) => {
          const ids: number[] = [];
          let total = 0;
          for (let page = 1, more = true; more; page += 1) {
            const found = await service.search(subscriber.id, { ...criteria, sortby, page, pagesize });
            ids.push(...found.users.map(({ id }) => id));
            total = found.totalmatches;
            more = found.users.length > 0;
          }
          expect(ids).toHaveLength(total);
          expect(new Set(ids).size).toBe(ids.length);
        },
      ),
      runs,
    );
  });
});
