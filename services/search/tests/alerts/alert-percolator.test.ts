import { describe, expect, it } from '@jest/globals';
import { createAlertPercolator } from '../../src/alerts/alert-percolator.ts';
import { memberDocument } from '../../src/index/member-document.ts';
import { factsOf } from '../../src/predicates/member-facts.ts';
import { readRelevance } from '../../src/relevance/relevance-settings.ts';
import type { AlertingSearch } from '../../src/saved/saved-search-store.ts';
import { compileSettings, noContent, ofFile } from '../../src/settings/search-settings.ts';
import { person } from '../person.ts';
import { testNow } from '../population.ts';

const file = readRelevance(new URL('../../settings/relevance.json', import.meta.url));
const settings = compileSettings(0, noContent, ofFile(file));
const mostFitting = 1_000;

/** Searches that every man of 36 fits. */
const searches = Array.from({ length: 1_500 }, (_, number): AlertingSearch => {
  const searcher = person(number + 1, 'Female');
  return {
    id: `search-${number}`,
    member: searcher.id,
    name: String(number),
    revision: 0,
    changedAt: number,
    notify: 'daily',
    controls: {},
    criteria: { age: { from: 30, to: 40 } },
    alert: { searcher, center: null },
  };
});

describe('a member who fits more alerts than one update may have', () => {
  it('matches a random part of them, the same with a repeated event', async () => {
    const percolator = createAlertPercolator({
      searches: {
        async *alertsSince() {
          yield* searches;
        },
      },
      active: { current: () => Promise.resolve(settings) },
      sites: new Map(),
      clock: () => testNow,
    });
    await percolator.refresh();
    const man = factsOf(memberDocument(person(5_000, 'Male', { traits: {} })).source);
    if (!man) throw new Error('the man is hidden');
    const matched = async (event: string) =>
      (await percolator.newlyFitting(event, man, undefined)).map(({ id }) => id);
    const told = new Map(searches.map(({ id }) => [id, 0]));
    const updates = 60;
    for (let version = 0; version < updates; version += 1) {
      const found = await matched(`5000:${version}`);
      expect([found.length, new Set(found).size]).toEqual([mostFitting, mostFitting]);
      for (const id of found) told.set(id, (told.get(id) ?? 0) + 1);
    }
    // Two of three, on average.
    expect(Math.min(...told.values())).toBeGreaterThan(updates / 3);
    expect(await matched('5000:7')).toEqual(await matched('5000:7'));
  });
});
