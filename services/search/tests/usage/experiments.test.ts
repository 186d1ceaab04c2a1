import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { resultOf, settleExperiments } from '../../src/usage/judge-experiment.ts';
import { createPseudonyms, weekOf } from '../../src/usage/pseudonyms.ts';
import { startExperiment } from '../../src/workbench/start-experiment.ts';
import { relevanceSchema } from '../../src/relevance/relevance-settings.ts';
import { person } from '../person.ts';
import { testNow } from '../population.ts';
import { startUsage, type UsageUnderTest } from './usage-harness.ts';

const women = Array.from({ length: 24 }, (_, index) => person(1 + index, 'Female'));
const [nora = person(1, 'Female')] = women;
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
const secret = 'a-usage-secret-that-only-these-tests-have';
const days = (count: number) => new Date(testNow.getTime() + count * dayMs);

let usage: UsageUnderTest;
beforeAll(async () => {
  usage = await startUsage('experiments', [...women, ...men], secret);
});
beforeEach(async () => {
  await usage.clear();
  await usage.service.context.usage.running.refresh();
});
afterAll(() => usage?.service.close());

const settingsWith = (weights: object) =>
  relevanceSchema.parse({ ...usage.service.context.settings.active.ofFile, weights });
const start = async (weights: object, more: object = {}) => {
  const { experiments, running, inForce } = usage.service.context.usage;
  const isStarted = await experiments.start({
    name: 'drinkers',
    note: '',
    settings: settingsWith(weights),
    against: await inForce(),
    sites: [],
    ...more,
  });
  await running.refresh();
  return isStarted;
};
const page = (number: number, pagesize = 20, searcher = nora.id) =>
  usage.service.search(searcher, { ...asked, page: number, pagesize });
const idsOf = async (...pages: number[]) =>
  (await Promise.all(pages.map((number) => page(number)))).flatMap(({ users }) => users.map(({ id }) => id));
const settle = async (at: Date) => {
  usage.service.setNow(at);
  const { context } = usage.service;
  await settleExperiments({ ...context.usage, clock: context.clock, logger: context.logger });
  const found = await context.usage.experiments.find('drinkers');
  if (!found) throw new Error('no experiment');
  return found;
};
const all = [1, 2, 3, 4, 5, 6, 7];
const nameOf = (member: number, at: Date) => createPseudonyms([secret]).of('searcher', member, at);

/** A woman likes results of a team, and another one views one of the other team. */
const like = async (searcher: number, team: 'a' | 'b', at: Date, times = 1) => {
  const { users } = await page(1, 20, searcher);
  await usage.service.context.usage.recorder.flush();
  const { searches } = await usage.recorded();
  const teams = searches.find(({ searcher: name, day }) => name === nameOf(searcher, at) && day <= at)?.draft
    ?.teams;
  const of = (wanted: string) =>
    users.filter((_user, index) => teams?.[index] === wanted).map(({ id }) => id);
  await usage.attribute(
    ...of(team)
      .slice(0, times)
      .map((id) => usage.event('pair.liked', searcher, id, at)),
    usage.event('pair.viewed', searcher, of(team === 'a' ? 'b' : 'a')[0] ?? 0, at),
  );
  return of(team);
};

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
    await usage.service.context.usage.recorder.flush();
    const exported = await usage.privacy('export', nora.id);
    expect(exported.body.recorded_searches).toContainEqual(
      expect.objectContaining({
        draft: { experiment: 'drinkers', teams: expect.stringMatching(/^[ab]{20}$/) },
      }),
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

  it('ends when a version is published or rolled back, and the answer says so', async () => {
    await start({ smoking: 1 });
    const publish = async (path: string, body: object) => {
      const { store } = usage.service.context.settings;
      const roles = { '*': ['search'] };
      return usage.service.asStaff(roles, `/staff/search/settings${path}`, {
        after: await store.newest(),
        ...body,
      });
    };
    const languages = { en: { synonyms: ['dog, puppy'], protected: [] } };
    expect((await publish('', { languages })).body).toMatchObject({ ended: 'drinkers' });
    await page(1);
    expect((await usage.recorded()).searches.map(({ draft }) => draft)).toEqual([undefined]);
    expect((await publish('/rollback', { version: 1 })).body).toMatchObject({ ended: 'drinkers' });
    await usage.service.context.usage.experiments.stop('drinkers');
    expect((await publish('', { languages: {} })).body).toMatchObject({ ended: null });
  });

  it('takes a member for one week, the first in which they are in the sample', async () => {
    const { lot, key } = createPseudonyms([secret]);
    expect((await usage.service.context.usage.inForce()).secret).toBe(key);
    const week = weekOf(testNow);
    // Some of them are in the sample again in the second week.
    await usage.sample(0.5);
    await start({ smoking: 1, drinking: 9 });
    for (const at of [testNow, days(7), days(14)]) {
      usage.service.setNow(at);
      for (const { id } of women) await page(1, 20, id);
    }
    const inSample = (id: number, from: number) => lot(id, from) < 0.5;
    const firsts = [0, 1, 2].map(
      (after) =>
        women.filter(
          ({ id }) =>
            inSample(id, week + after) &&
            Array.from({ length: after }, (_, before) => week + before).every((one) => !inSample(id, one)),
        ).length,
    );
    const { searches } = await usage.recorded();
    const drafted = (at: Date) =>
      searches.filter(({ day, draft }) => draft && weekOf(day) === weekOf(at)).length;
    expect([testNow, days(7), days(14)].map(drafted)).toEqual(firsts);
    expect(firsts[1]).toBeGreaterThan(0);
    expect(searches.filter(({ draft }) => !draft).length).toBeGreaterThan(0);
  });

  describe('that is complete', () => {
    const end = new Date((weekOf(testNow) + 1) * 7 * dayMs);
    const others = women.slice(1);
    const prepare = async () => {
      await usage.service.publish({ relevance: settingsWith({ smoking: 9, drinking: 1 }) });
      await usage.sample(1);
      await start({ smoking: 1, drinking: 9 });
      await like(nora.id, 'a', testNow, 9);
      for (const { id } of others) await like(id, 'b', testNow);
    };

    it('has one win for each searcher, who may do much, and ends with the verdict', async () => {
      await prepare();
      const { store, experiments, running } = usage.service.context.usage;
      const early = await settle(new Date(end.getTime() + dayMs - 1));
      expect(early).toMatchObject({ weeks: [], better: null, stopped: null });
      expect(await resultOf(early, store)).toMatchObject({ searches: 0, waiting: women.length });
      const settled = await settle(new Date(end.getTime() + dayMs));
      const counted = { searches: 24, searchers: 24, a: 1, b: 23 };
      expect(settled.weeks).toEqual([{ week: weekOf(testNow), ...counted }]);
      expect(settled).toMatchObject({
        better: 'b',
        ended: 'decided',
        stopped: new Date(end.getTime() + dayMs),
      });
      expect(await resultOf(settled, store)).toMatchObject({
        searches: 24,
        searchers: 24,
        waiting: 0,
        wins: { a: 1, b: 23 },
      });
      await running.refresh();
      expect(running.current()).toBeUndefined();
      expect(await experiments.running()).toBeUndefined();
    });

    it('keeps its verdict when members are erased, events come late and everything has expired', async () => {
      await prepare();
      const { store, attribute } = usage.service.context.usage;
      const before = await settle(new Date(end.getTime() + dayMs));
      await usage.attribute(...others.map(({ id }) => usage.event('pair.liked', id, 100, testNow)));
      await attribute([usage.event('message.sent', nora.id, 101, testNow)]);
      expect((await settle(days(20))).weeks.slice(0, 1)).toEqual(before.weeks);
      await store.forget(women.map(({ id }) => id));
      const after = await settle(days(200));
      expect(after.weeks.slice(0, 1)).toEqual(before.weeks);
      expect(after).toMatchObject({ better: 'b', ended: 'decided', stopped: before.stopped });
    });
  });

  it('starts only where it can say something', async () => {
    const { context } = usage.service;
    const relevance = settingsWith({ smoking: 1 });
    const { version, content } = await context.settings.active.refresh();
    const begin = (file: object, sites: number[] = [], process = context) =>
      startExperiment({ name: 'drinkers', note: 'why', sites, relevance, ...file }, process);
    await expect(begin({ relevance: null })).rejects.toThrow('relevance is needed');
    await expect(begin({ version: version - 1 })).rejects.toThrow(`made from version ${version - 1}`);
    const languages = { en: { synonyms: ['dog, puppy'], protected: [] } };
    await expect(begin({ languages })).rejects.toThrow('languages cannot be changed');
    await expect(begin({}, [1, 99])).rejects.toThrow('sites.99 is no site of SITES_FILE');
    const elsewhere = relevanceSchema.parse({ ...relevance, sites: { 99: {} } });
    await expect(begin({ relevance: elsewhere })).rejects.toThrow('relevance.sites.99 is no site');
    const silent = await usage.another({});
    try {
      await expect(begin({}, [], silent)).rejects.toThrow('USAGE_SECRET is not set');
    } finally {
      await silent.close();
    }
    await usage.sample(0, { 2: { usage_sample: 1 } });
    await expect(begin({}, [1])).rejects.toThrow('usage_sample is 0 on these sites');
    expect(await context.usage.experiments.list()).toEqual([]);
    const against = await begin({ version: version + 1, languages: content.languages }, [1, 2]);
    expect(against).toEqual(await context.usage.inForce());
    expect(await context.usage.experiments.running()).toMatchObject({ sites: [1, 2], note: 'why', against });
  });

  it('ends by itself after eight weeks, without a verdict', async () => {
    await start({ smoking: 1, drinking: 9 });
    await page(1);
    await usage.service.context.usage.recorder.flush();
    const last = await settle(days(7 * 7));
    expect(last.stopped).toBeNull();
    expect(last.weeks.map(({ searchers }) => searchers).slice(0, 3)).toEqual([1, 0, 0]);
    expect(await settle(days(8 * 7))).toMatchObject({ ended: 'time', better: null });
  });

  it('ends when other settings come in force', async () => {
    await start({ smoking: 1, drinking: 9 });
    expect(await settle(days(1))).toMatchObject({ stopped: null, ended: null });
    await usage.sample(1);
    expect(await settle(days(1))).toMatchObject({ stopped: days(1), ended: 'settings' });
  });

  it('is skipped if another release wrote it', async () => {
    const { experiments, running } = usage.service.context.usage;
    await start({ smoking: 1, drinking: 9 });
    const [model] = Object.values(usage.service.context.connection.models).filter(
      ({ collection }) => collection.name === 'usage_experiments',
    );
    await model?.updateOne({ _id: 'drinkers' }, { $set: { settings: '{"unknown":1}' } });
    await running.refresh();
    expect(running.current()).toBeUndefined();
    expect(await experiments.list()).toEqual([]);
  });
});
