import { fuzzing } from '@covalence/testing/fuzzing';
import { notListedScript, idsOfPage, listedAtMost, wholePage } from '@covalence/contract/not-listed-script';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { Client } from '@elastic/elasticsearch';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { packIds, unpackIds, withoutIds } from '../../src/relations/packed-ids.ts';

const largest = 2 ** 31 - 1;

const inOrder = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((one, other) => one - other);

/** Ids as the members of a place where ids are given out: anywhere among the first, or around some number. */
const someIds = fc.oneof(
  fc.array(fc.nat(3 * idsOfPage), { maxLength: 600, size: 'max' }),
  fc
    .record({ from: fc.nat(5_000_000), steps: fc.array(fc.nat(300), { maxLength: 400, size: 'max' }) })
    .map(({ from, steps }) =>
      steps.map((_, index) => from + steps.slice(0, index).reduce((a, b) => a + b, 0)),
    ),
);

describe('packing ids', () => {
  it('keeps every set, whatever its order and however often an id comes', () => {
    fc.assert(
      fc.property(someIds, (ids) => {
        expect(unpackIds(packIds([...ids, ...ids.slice(0, 9)]))).toEqual(inOrder(ids));
      }),
      fuzzing(),
    );
  });

  it('keeps all but those who are taken out', () => {
    const both = fc.tuple(someIds, someIds, fc.nat(600)).map(([ids, others, count]) => ({
      ids,
      gone: [...others, -1, ...ids.slice(0, count)],
    }));
    fc.assert(
      fc.property(both, ({ ids, gone }) => {
        const left = ids.filter((id) => !gone.includes(id));
        expect(unpackIds(withoutIds(packIds(ids), gone))).toEqual(inOrder(left));
      }),
      fuzzing(),
    );
  });

  it('has place for the smallest and the largest id, and leaves out what no member of the index can have', () => {
    expect(unpackIds(packIds([largest]))).toEqual([largest]);
    expect(unpackIds(packIds([7, 0, -1, 2 ** 31, 2 ** 53, Number.NaN, 0.5]))).toEqual([0, 7]);
    expect(packIds([])).toEqual({ first: 0, pages: [] });
  });

  it('takes two characters for each id of a page of few, and a bit for each of a page of many', () => {
    const few = packIds(Array.from({ length: listedAtMost }, (_, index) => 5 * idsOfPage + 60 * index));
    expect([few.first, few.pages.map(({ length }) => length)]).toEqual([5, [2 * listedAtMost]]);
    const many = packIds(Array.from({ length: 40_000 }, (_, index) => 10_000_000 + 2 * index));
    expect(new Set(many.pages.map(({ length }) => length))).toEqual(new Set([wholePage]));
    expect(many.pages.length).toBeLessThanOrEqual(21);
    const [page = ''] = packIds(
      [0, 1, 2, 3, 4, 5].flatMap((at) => Array.from({ length: 99 }, (_, i) => at + 6 * i)),
    ).pages;
    expect(page).toMatch(/^~{99}\?{584}$/);
  });
});

describe('the script that leaves them out', () => {
  const { ELASTICSEARCH_URL: node } = testStores();
  const engine = new Client({ node });
  const index = testNamespace('packed');
  /** Around the borders of pages, at both ends, and some between. */
  const there = [
    ...Array.from({ length: 40 }, (_, at) => at),
    ...[1, 2, 2_441].flatMap((page) => Array.from({ length: 40 }, (_, at) => page * idsOfPage - 20 + at)),
    ...Array.from({ length: 200 }, (_, at) => 10_000_000 + 37 * at),
    largest,
  ];

  beforeAll(async () => {
    const mappings = { properties: { id: { type: 'integer' as const } } };
    await engine.indices.create({ index, settings: { number_of_replicas: 0 }, mappings });
    const operations = [...there.map((id) => ({ id })), {}].flatMap((document) => [{ index: {} }, document]);
    await engine.bulk({ index, operations, refresh: true });
  });
  afterAll(async () => {
    await engine.indices.delete({ index });
    await engine.close();
  });

  const found = async (ids: readonly number[]) => {
    const { first, pages } = packIds(ids);
    const script = { source: notListedScript, params: { first, pages } };
    const query = { bool: { filter: { script: { script } } } };
    const { hits } = await engine.search({ index, query, size: 1_000, sort: ['id'], _source: false });
    return hits.hits.map(({ sort }) => Number(sort?.[0]));
  };

  it('finds exactly who is not on a list, long or short, of any place', async () => {
    // Some of those there, so that there is whom to leave out, and others, so that pages are of both kinds.
    const chosen = fc.record({ some: fc.subarray(there.slice(0, -1)), others: someIds });
    await fc.assert(
      fc.asyncProperty(chosen, async ({ some, others }) => {
        const ids = new Set([...some, ...others]);
        expect(await found([...ids])).toEqual(inOrder(there.filter((id) => !ids.has(id))));
      }),
      fuzzing(40),
    );
  });

  it('leaves out each of a page at the limit between both kinds, and nobody for an empty list', async () => {
    for (const count of [listedAtMost, listedAtMost + 1]) {
      const ids = Array.from({ length: count }, (_, at) => idsOfPage - 1 - at);
      expect(await found(ids)).toEqual(inOrder(there.filter((id) => !ids.includes(id))));
    }
    expect(await found([])).toEqual(inOrder(there));
    expect(await found([largest])).toEqual(inOrder(there.slice(0, -1)));
  });
});
