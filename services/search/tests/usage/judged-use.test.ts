import { weekMs } from '@covalence/contract/time';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { judgeUse, type UseJudgments } from '../../src/usage/judge-use.ts';
import type { RecordedAction, RecordedSearch } from '../../src/usage/usage-store.ts';
import { person } from '../person.ts';
import { randomOf } from './simulated-users.ts';
import { startUsage, type UsageUnderTest } from './usage-harness.ts';

const day = new Date('2026-06-15');
const names = ['liked', 'seldom', 'never', 'viewed', 'average'];
/** The chance of a like, and whether it is a view instead. */
const attraction: Readonly<Record<string, number>> = {
  liked: 0.9,
  average: 0.3,
  seldom: 0.15,
  never: 0,
  viewed: 0,
};
const looks = (place: number) => 1 / (1 + place);
const searchers = 800;
/** A day with few searches. */
const later = new Date('2026-07-01');

let usage: UsageUnderTest;
let byLike: UseJudgments;
let byView: UseJudgments;
let acted: RecordedAction[];
let lastSearch: RecordedSearch | undefined;

/** The best come last, unless chance moves them. */
function searchOf(searcher: string, random: () => number): RecordedSearch {
  const ranked = names
    .map((name) => ({ name, score: 2 * random() - (attraction[name] ?? 0) }))
    .sort((one, other) => other.score - one.score)
    .map(({ name }) => name);
  return {
    _id: randomUUID(),
    searcher,
    day,
    siteid: 1,
    sortby: 'relevance',
    pagesize: 20,
    criteria: { age: { from: 20, to: 50 }, smoking: { values: ['10'] } },
    versions: { settings: 3, file: 1, mapping: 1 },
    first: 1,
    shown: ranked,
  };
}

beforeAll(async () => {
  usage = await startUsage('judged', [person(1, 'Female')], 'a-usage-secret-that-only-these-tests-have');
  const { store } = usage.service.context.usage;
  const random = randomOf(7);
  const searches = Array.from({ length: searchers }, (_, index) => searchOf(`searcher-${index}`, random));
  // Four searchers saw this member, and five that one.
  for (const [index, { shown, ...search }] of searches.slice(0, 9).entries()) {
    const other = index < 4 ? 'rare' : 'five';
    searches[index] = { ...search, shown: shown.map((name) => (name === 'never' ? other : name)) };
  }
  await store.add(searches);
  lastSearch = searches.at(-1);
  acted = searches.flatMap(({ _id: search, searcher, siteid, shown }) =>
    shown.flatMap((name, place): RecordedAction[] => {
      const isLooked = random() < looks(place);
      const place_ = { search, searcher, siteid, shown: name, position: place + 1, expires: day, day };
      if (name === 'viewed') return isLooked ? [{ ...place_, action: 'view' }] : [];
      return isLooked && random() < (attraction[name] ?? 0) ? [{ ...place_, action: 'like' }] : [];
    }),
  );
  await Promise.all(acted.map((one) => store.addAction(one)));
  [byLike, byView] = [
    await judgeUse(store, { since: day }, 'like'),
    await judgeUse(store, { since: day }, 'view'),
  ];
});
afterAll(() => usage?.service.close());

const gradesIn = ({ judgments }: UseJudgments) =>
  Object.fromEntries(judgments.map(({ shown, grade }) => [shown, grade]));

describe('judgments from recorded searches', () => {
  // Few looks say little, so that `five` is drawn to the mean.
  it('grade members by what searchers did, and not by the position where they saw them', () => {
    expect(gradesIn(byLike)).toEqual({ liked: 3, average: 2, seldom: 1, viewed: 0, never: 0, five: 1 });
    expect(new Set(byLike.judgments.map(({ topic }) => topic))).toEqual(
      new Set(['1/2026-06-15/age=20-50_smoking=10_relevance']),
    );
  });

  it('count views where they are asked for', () => {
    expect(gradesIn(byView)).toMatchObject({ viewed: 3, never: 0 });
  });

  it('say nothing of members whom fewer than five searchers saw, nor who searched', () => {
    const text = JSON.stringify(byLike);
    expect(text).not.toContain('rare');
    expect(text).not.toContain('searcher-');
  });

  it('say how much positions are looked at', () => {
    expect(byLike.examined.map(({ upTo }) => upTo)).toEqual([1, 2, 3, 4, 5]);
    for (const [place, { looks: found }] of byLike.examined.entries())
      expect(Math.abs((found ?? 0) - looks(place))).toBeLessThan(0.2);
  });

  it('have the rate of searches by version, as if every result was looked at', () => {
    const [version, ...others] = byLike.versions;
    expect(others).toEqual([]);
    expect(version).toMatchObject({
      criteria: 'age=20-50 smoking=10 relevance',
      settings: 3,
      searchers,
      results: searchers * names.length,
      acted: acted.filter(({ action }) => action === 'like').length,
    });
    const mean = names.reduce((sum, name) => sum + (attraction[name] ?? 0), 0) / names.length;
    expect(Math.abs((version?.rate ?? 0) / 100 - mean)).toBeLessThan(0.1);
  });

  it('are answered to the search team of all sites, of complete days', async () => {
    const { service } = usage;
    const ask = (query: string, roles: Record<string, string[]> = { '*': ['search'] }) =>
      service.asStaff(roles, `/staff/search/usage?${query}`);
    const good = async (query: string) => {
      const { status, body } = await ask(query);
      expect([query, status]).toEqual([query, 200]);
      return body;
    };
    service.setNow(new Date('2026-06-15T23:00:00Z'));
    expect(await good('days=1')).toMatchObject({ since: '2026-06-14', searches: 0, kinds: [], examined: [] });
    service.setNow(new Date('2026-06-16T01:00:00Z'));
    const yesterday = await good('days=1');
    expect(yesterday).toMatchObject({
      since: '2026-06-15',
      searches: searchers,
      complete: true,
      kinds: [{ criteria: 'age=20-50 smoking=10 relevance', version: 3, searchers }],
      judgments: byLike.judgments,
    });
    expect(yesterday.examined).toEqual(
      byLike.examined.map(({ upTo, looks: found }) => ({ up_to: upTo, looks: found })),
    );
    expect((await good('days=1&by=view')).judgments).toEqual(byView.judgments);
    expect(await good('')).toMatchObject({ since: '2026-06-09', searches: searchers });
    // An action of today on a search of yesterday.
    await service.context.usage.store.addAction({
      search: lastSearch?._id ?? '',
      searcher: `searcher-${searchers - 1}`,
      siteid: 1,
      shown: 'never',
      position: 1,
      action: 'like',
      day: new Date('2026-06-16'),
      expires: later,
    });
    expect(await good('days=1')).toEqual(yesterday);
    service.setNow(new Date('2026-06-17T01:00:00Z'));
    expect((await good('days=2')).kinds).toMatchObject([{ acted: yesterday.kinds[0].acted + 1 }]);
    expect((await ask('days=91')).status).toBe(403);
    expect((await ask('', { 1: ['search'] })).status).toBe(403);
  });

  it('name kinds of searches before it is known how much positions are looked at', async () => {
    const { store } = usage.service.context.usage;
    const few = Array.from({ length: 6 }, (_, index) => searchOf(`later-${index}`, randomOf(index)));
    await store.add(few.map((search) => ({ ...search, day: later })));
    expect(await judgeUse(store, { since: later }, 'like')).toMatchObject({
      searches: 6,
      complete: true,
      examined: [],
      judgments: [],
      versions: [{ searchers: 6, results: 30, acted: 0, rate: null }],
    });
    expect(await judgeUse(store, { since: later, most: 4 }, 'like')).toMatchObject({
      searches: 4,
      versions: [],
    });
  });

  it('read so many searches, and the actions on the results of no others', async () => {
    const { store } = usage.service.context.usage;
    const asked: string[] = [];
    const read = (most: number) =>
      judgeUse(
        {
          ...store,
          actedOn: (made, how, before) => {
            asked.push(...made);
            return store.actedOn(made, how, before);
          },
        },
        { since: later, most },
        'like',
      );
    expect(await read(5)).toMatchObject({ searches: 5, complete: false });
    expect([asked.length, new Set(asked).size]).toEqual([5, 5]);
    expect(await read(6)).toMatchObject({ searches: 6, complete: true });
  });

  it('name no kind of searches that fewer than five searchers made in the same week', async () => {
    const { store } = usage.service.context.usage;
    const first = new Date('2026-09-03');
    const weekly = (week: number, from: number) => ({
      ...searchOf(`week-${week}-${from}`, randomOf(week)),
      day: new Date(first.getTime() + week * weekMs),
    });
    // One member, who has another pseudonym each week.
    await store.add(Array.from({ length: 6 }, (_, week) => weekly(week, 0)));
    expect(await judgeUse(store, { since: first }, 'like')).toMatchObject({ searches: 6, versions: [] });
    await store.add(Array.from({ length: 4 }, (_, index) => weekly(2, index + 1)));
    expect(await judgeUse(store, { since: first }, 'like')).toMatchObject({
      searches: 10,
      versions: [{ searchers: 10, results: 50 }],
    });
  });

  it('are none where nothing is recorded', async () => {
    const none = await judgeUse(usage.service.context.usage.store, { since: new Date('2026-12-01') }, 'like');
    expect(none).toEqual({ searches: 0, complete: true, examined: [], judgments: [], versions: [] });
  });
});
