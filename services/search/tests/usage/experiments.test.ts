import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { judgeExperiment } from '../../src/usage/judge-experiment.ts';
import { relevanceSchema } from '../../src/relevance/relevance-settings.ts';
import { person } from '../person.ts';
import { testNow } from '../population.ts';
import { startUsage, type UsageUnderTest } from './usage-harness.ts';

const nora = person(1, 'Female');
// Half of the men smoke, the others drink: two weights order them in opposite ways.
const men = Array.from({ length: 130 }, (_, index) =>
  person(100 + index, 'Male', { traits: index % 2 ? { smoking: 10 } : { drinking: 10 } }),
);
const asked = {
  age: { from: 18, to: 60 },
  smoking: { values: [10] },
  drinking: { values: [10] },
  sortby: 'relevance',
};
const dayMs = 86_400_000;
const days = (count: number) => new Date(testNow.getTime() + count * dayMs);

let usage: UsageUnderTest;
beforeAll(async () => {
  usage = await startUsage('experiments', [nora, ...men], 'a-usage-secret-that-only-these-tests-have');
});
beforeEach(async () => {
  await usage.clear();
  await usage.service.context.usage.running.refresh();
});
afterAll(() => usage?.service.close());

const settingsWith = (weights: object) =>
  relevanceSchema.parse({ ...usage.service.context.settings.active.ofFile, weights });
const start = async (weights: object, more: object = {}) => {
  const { experiments, running } = usage.service.context.usage;
  const against = (await usage.service.context.settings.active.refresh()).version;
  const isStarted = await experiments.start({
    name: 'drinkers',
    settings: settingsWith(weights),
    against,
    sites: [],
    ...more,
  });
  await running.refresh();
  return isStarted;
};
const page = (number: number, pagesize = 20) =>
  usage.service.search(nora.id, { ...asked, page: number, pagesize });
const idsOf = async (...pages: number[]) =>
  (await Promise.all(pages.map((number) => page(number)))).flatMap(({ users }) => users.map(({ id }) => id));
const all = [1, 2, 3, 4, 5, 6, 7];

describe('an experiment', () => {
  it('interleaves two orders of the same members, who keep relevance and exactmatch', async () => {
    await usage.service.publish({ relevance: settingsWith({ smoking: 9, drinking: 1 }) });
    await usage.sample(1);
    const before = await Promise.all(all.map((number) => page(number)));
    const known = new Map(before.flatMap(({ users }) => users.map((user) => [user.id, user])));
    expect(await start({ smoking: 1, drinking: 9 })).toBe(true);
    const during = await Promise.all(all.map((number) => page(number)));
    const shown = during.flatMap(({ users }) => users);
    expect(shown.map(({ id }) => id)).not.toEqual([...known.keys()]);
    expect(new Set(shown.map(({ id }) => id))).toEqual(new Set(known.keys()));
    expect(shown).toHaveLength(men.length);
    for (const user of shown) expect(user).toEqual(known.get(user.id));
    expect(during.map(({ totalmatches }) => totalmatches)).toEqual(
      before.map(({ totalmatches }) => totalmatches),
    );
    // About half of the first page is of either team.
    const smokers = shown.slice(0, 20).filter(({ id }) => id % 2 === 1);
    expect(smokers.length).toBeGreaterThan(8);
    expect(smokers.length).toBeLessThan(12);
  });

  it('has the same pages all day, for each size of them', async () => {
    await start({ smoking: 1, drinking: 9 });
    const first = await idsOf(...all);
    usage.service.setNow(new Date(testNow.getTime() + 3_600_000));
    expect(await idsOf(...all)).toEqual(first);
    expect(new Set(first).size).toBe(men.length);
    const large = await Promise.all([1, 2].map((number) => page(number, 100)));
    expect(large.flatMap(({ users }) => users.map(({ id }) => id)).slice(0, 100)).toEqual(
      first.slice(0, 100),
    );
  });

  it('leaves other orders, members, sites and settings alone', async () => {
    await start({ smoking: 1, drinking: 9 });
    const { searches } = await usage.recorded();
    expect(searches).toEqual([]);
    await usage.service.search(nora.id, { ...asked, sortby: 'newest' });
    await usage.sample(0);
    await page(1);
    // Another version.
    await usage.sample(1);
    await page(1);
    await usage.clear();
    await start({ smoking: 1, drinking: 9 }, { name: 'elsewhere', sites: [4] });
    await page(1);
    expect((await usage.recorded()).searches.map(({ draft }) => draft)).toEqual([undefined]);
  });

  it('runs alone, and stops', async () => {
    const { experiments, running } = usage.service.context.usage;
    expect(await start({ smoking: 1 })).toBe(true);
    expect(await start({ smoking: 2 }, { name: 'other' })).toBe(false);
    expect(await experiments.stop('other')).toBe(false);
    expect(await experiments.stop('drinkers')).toBe(true);
    await running.refresh();
    await page(1);
    const { searches } = await usage.recorded();
    expect(searches.map(({ draft }) => draft)).toEqual([undefined]);
    expect(await start({ smoking: 2 })).toBe(false);
    expect(await experiments.list()).toMatchObject([{ name: 'drinkers', stopped: testNow }]);
  });

  it('counts likes and replies for the team that drafted, once all of a day is known', async () => {
    await usage.service.publish({ relevance: settingsWith({ smoking: 9, drinking: 1 }) });
    await usage.sample(1);
    await start({ smoking: 1, drinking: 9 });
    const { experiments, store } = usage.service.context.usage;
    const judge = async (at: Date) => {
      const experiment = await experiments.find('drinkers');
      if (!experiment) throw new Error('no experiment');
      return judgeExperiment(experiment, store, at);
    };
    // She likes two drinkers each day, on two pages, and views a smoker.
    for (let day = 0; day < 25; day += 1) {
      usage.service.setNow(days(day));
      const ids = await idsOf(1, 2);
      await usage.service.context.usage.recorder.flush();
      const { searches } = await usage.recorded();
      const teams = searches
        .filter(({ day: made }) => made.getTime() === Math.floor(days(day).getTime() / dayMs) * dayMs)
        .sort((one, other) => one.first - other.first)
        .map(({ draft }) => draft?.teams ?? '')
        .join('');
      const ofB = ids.filter((_id, index) => teams[index] === 'b');
      const ofA = ids.filter((_id, index) => teams[index] === 'a');
      await usage.follow(
        usage.event('pair.liked', nora.id, ofB[0] ?? 0, days(day)),
        usage.event('pair.liked', nora.id, ofB.at(-1) ?? 0, days(day)),
        usage.event('pair.viewed', nora.id, ofA[0] ?? 0, days(day)),
      );
    }
    const early = await judge(days(1));
    expect(early).toMatchObject({ searches: 25, settled: 0, better: null, wins: { a: 0, b: 0 } });
    expect(await judge(days(40))).toMatchObject({
      searches: 25,
      settled: 25,
      better: 'b',
      wins: { a: 0, b: 25 },
    });
  });
});
