import { createTcpProxy } from '@covalence/testing/tcp-proxy';
import { testStores } from '@covalence/testing/test-stores';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mostKept } from '../../src/judgments/judgment-set-store.ts';
import { keptRuns } from '../../src/judgments/run-store.ts';
import { mostPerHour } from '../../src/workbench/comparison-limit-store.ts';
import { staffId, startService } from '../harness.ts';
import {
  anna,
  criteria,
  drinker,
  everywhere,
  members,
  neither,
  other,
  root,
  smoker,
  startJudgments,
  type JudgmentsUnderTest,
} from './judgments-harness.ts';

let service: JudgmentsUnderTest;
beforeAll(async () => {
  service = await startJudgments('judgmentruns');
});
afterAll(() => service?.close());
afterEach(() => {
  jest.restoreAllMocks();
  service.profile.deactivated.clear();
  service.profile.relations.clear();
});

const gain = (grade: number) => 2 ** grade - 1;

describe('runs of a set', () => {
  it('are kept with their metrics, by version, and say who moved', async () => {
    const set = await service.newSet();
    await service.rate(set, { [smoker]: 3, [drinker]: 1 });
    const recorded = jest.spyOn(service.context.security, 'record');
    const first = await service.good(`/${set.id}/runs`, {});
    // Found 1, 3, 0: 1 + 7/1.58496 of 7 + 1/1.58496; stops at 1/8, then at 7/8.
    const found = {
      ndcg: expect.closeTo(5.416508 / 7.63093, 5),
      precision: 0.1,
      recall: 1,
      judged: expect.closeTo(2 / 3, 5),
    };
    expect(first).toMatchObject({
      by: staffId,
      note: '',
      version: 1,
      changed: false,
      index: 'live',
      weights: { age: 1, smoking: 1, drinking: 8 },
      measured: 1,
      mean: { ...found, err: expect.closeTo(1 / 8 + (7 / 8) * (7 / 8) * 0.5, 5) },
    });
    service.setNow(new Date(Date.parse(first.at) + 1_000));
    const settings = { relevance: service.relevance(8, 1) };
    const second = await service.good(`/${set.id}/runs`, { note: 'smoking 8', settings });
    expect(second).toMatchObject({ version: 1, changed: true, weights: { smoking: 8 }, mean: { ndcg: 1 } });
    expect(recorded.mock.calls).toEqual(
      [1, 2].map(() => ['staff_decision', { staff: staffId, memberNumber: anna, reason: 'judgments_run' }]),
    );
    expect((await service.good(`/${set.id}/runs`)).runs).toEqual([second, first]);
    const {
      searches,
      settings: kept,
      ...run
    } = await service.good(`/${set.id}/runs/${second.id}?against=${first.id}`);
    expect([run, kept]).toEqual([second, settings]);
    // The settings are those of every site.
    const { body } = await service.ask(`/${set.id}/runs/${second.id}`, undefined, { 1: ['search'] });
    expect([body.id, body.settings]).toEqual([second.id, null]);
    expect((await service.good(`/${set.id}/runs/${first.id}`)).settings).toBeNull();
    expect(searches).toEqual([
      {
        search: set.search,
        name: 'anna in June',
        problem: null,
        quality: second.mean,
        before: first.mean,
        moves: [
          { member: smoker, before: 2, after: 1 },
          { member: drinker, before: 1, after: 2 },
        ],
      },
    ]);
    expect((await service.good(`/${set.id}/runs/${second.id}`)).searches).toMatchObject([
      { before: null, moves: [] },
    ]);
    const file = await service.good(`/${set.id}/export?format=trec&run=${second.id}`);
    expect(file.content.split('\n')[0]).toBe('anna_in_June Q0 10 1 3 version_1');
    expect((await service.ask(`/${set.id}/runs/${other}`)).status).toBe(404);
    expect((await service.ask(`/${set.id}/runs/${second.id}?against=${other}`)).status).toBe(404);
  });

  it('show who blocks the searcher to nobody, as comparisons do', async () => {
    const set = await service.newSet();
    await service.rate(set, { [smoker]: 3 });
    service.profile.relations.set(anna, [
      { other: drinker, blocked_by: true },
      { other: smoker, likes: true },
    ]);
    const { id } = await service.good(`/${set.id}/runs`, {});
    const { content } = await service.good(`/${set.id}/export?format=trec&run=${id}`);
    const found = (content as string).trim().split('\n');
    expect(found.map((line) => Number(line.split(' ')[2]))).toEqual([smoker, neither]);
  });

  it('show nobody who blocks the searcher since, neither compared nor exported', async () => {
    const set = await service.newSet();
    const before = await service.good(`/${set.id}/runs`, {});
    service.profile.relations.set(anna, [{ other: drinker, blocked_by: true }]);
    const after = await service.good(`/${set.id}/runs`, {});
    for (const [run, against] of [
      [before, after],
      [after, before],
    ]) {
      const { searches } = await service.good(`/${set.id}/runs/${run.id}?against=${against.id}`);
      expect(searches).toMatchObject([{ search: set.search, moves: [] }]);
      const { content } = await service.good(`/${set.id}/export?format=trec&run=${run.id}`);
      const found = (content as string).trim().split('\n');
      expect(found.map((line) => line.split(' ').slice(2, 4).map(Number))).toEqual([
        [smoker, 1],
        [neither, 2],
      ]);
    }
    // Nor does a searcher who left show whom that leaves out.
    service.profile.deactivated.add(anna);
    const { searches } = await service.good(`/${set.id}/runs/${before.id}?against=${after.id}`);
    expect(searches).toMatchObject([{ moves: [] }]);
  });

  it('count each search against a limit of their own, and a refused run none', async () => {
    const { comparisons } = service.context;
    expect(mostPerHour.judgedSearches).toBeGreaterThanOrEqual(20 * mostKept.searches);
    const [one, two] = [await service.newSet(), await service.newSet()];
    const none = await service.newSet();
    await service.context.judgments.sets.removeSearch(none.id, none.search);
    await service.good(`/${two.id}/searches`, { name: 'anna in July', member: anna, criteria });
    service.setNow(new Date(service.context.clock().getTime() + 3_600_000));
    await comparisons.use(staffId, 'comparisons', mostPerHour.comparisons);
    await comparisons.use(staffId, 'judgedSearches', mostPerHour.judgedSearches - 3);
    const statuses = [];
    for (const { id } of [two, two, one, one, none])
      statuses.push((await service.ask(`/${id}/runs`, {})).status);
    // A run of a set without searches counts too.
    expect(statuses).toEqual([200, 429, 200, 429, 429]);
    service.setNow(new Date(service.context.clock().getTime() + 3_600_000));
  });

  it('are one at a time of a set, unless the process of one has died', async () => {
    const [set, another] = [await service.newSet(), await service.newSet()];
    const run = ({ id }: { id: string }) => service.ask(`/${id}/runs`, {});
    const { sets } = service.context.judgments;
    expect(await sets.beginRun(set.id)).toBe(true);
    expect([await run(set), await run(another)].map(({ status }) => status)).toEqual([409, 200]);
    await sets.endRun(set.id);
    const statuses = (await Promise.all([run(set), run(set), run(set)])).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 409]));
    expect((await run(set)).status).toBe(200);
    expect(await sets.beginRun(set.id)).toBe(true);
    service.setNow(new Date(service.context.clock().getTime() + 300_001));
    expect((await run(set)).status).toBe(200);
  });

  it('take the mean of the raters, and measure nothing without a good member', async () => {
    const set = await service.newSet();
    expect(await service.good(`/${set.id}/runs`, {})).toMatchObject({ measured: 0, mean: null });
    await service.rate(set, { [drinker]: 3, [smoker]: 0 });
    await service.rateAs(other, set, [
      [drinker, 0],
      [smoker, 3],
    ]);
    await service.rateAs('file 1', set, [[smoker, 3]]);
    // 1.5 and 2.
    const best = gain(2) + gain(1.5) / Math.log2(3);
    const { mean } = await service.good(`/${set.id}/runs`, {});
    expect(mean.ndcg).toBeCloseTo((gain(1.5) + gain(2) / Math.log2(3)) / best, 5);
  });

  it('go on without a searcher who left, and say so', async () => {
    const set = await service.newSet();
    await service.rate(set, { [smoker]: 3 });
    service.profile.deactivated.add(anna);
    const { id, measured } = await service.good(`/${set.id}/runs`, {});
    expect(measured).toBe(0);
    expect((await service.good(`/${set.id}/runs/${id}`)).searches).toMatchObject([
      { problem: expect.stringContaining('cannot search'), quality: null, moves: [] },
    ]);
  });

  it('keep the last fifty, and refuse bad settings with their parts', async () => {
    const set = await service.newSet();
    for (let at = 0; at < keptRuns + 2; at += 1) await service.good(`/${set.id}/runs`, { note: `run ${at}` });
    expect((await service.good(`/${set.id}/runs`)).runs).toHaveLength(keptRuns);
    const bad = { ...service.relevance(1, 1), weights: { dinosaur: 3 } };
    expect((await service.ask(`/${set.id}/runs`, { settings: { relevance: bad } })).body.problems).toEqual([
      { path: 'settings.relevance.weights.dinosaur', problem: 'is no criterion of the catalogue' },
    ]);
  });

  it('are 503 while Elasticsearch is down, and nothing is kept', async () => {
    const line = await createTcpProxy(testStores().ELASTICSEARCH_URL);
    const own = await startService('judgmentsaway', {
      members,
      environment: { ELASTICSEARCH_URL: line.url },
    });
    try {
      const { body: made } = await own.asStaff(everywhere, root, { siteid: 1, name: 'x' });
      await own.asStaff(everywhere, `${root}/${made.id}/searches`, { name: 'x', member: anna, criteria });
      line.cut();
      const { status } = await own.asStaff(everywhere, `${root}/${made.id}/runs`, { note: '' });
      expect([status, await own.context.judgments.runs.list(made.id)]).toEqual([503, []]);
    } finally {
      line.restore();
      await own.close();
      await line.close();
    }
  });
});

describe('what judgments keep of a member', () => {
  it('is counted in the export, and erased with them', async () => {
    const set = await service.newSet();
    await service.rate(set, { [smoker]: 3, [drinker]: 1 });
    const { id: run } = await service.good(`/${set.id}/runs`, {});
    const { sets, runs } = service.context.judgments;
    const of = async (member: number) => ({
      ...(await sets.countOf(member)),
      runs: await runs.countOf(member),
    });
    expect((await service.internal('export', smoker)).judged).toEqual(await of(smoker));
    expect((await of(smoker)).grades).toBeGreaterThan(0);
    await service.internal('erase', smoker);
    expect(await of(smoker)).toEqual({ searches: 0, grades: 0, runs: 0 });
    expect(
      (await service.good(`/${set.id}`)).searches[0].results.map((one: { member: number }) => one.member),
    ).toEqual([drinker]);
    const grade = { search: set.search, member: smoker, grade: 3 };
    expect((await service.ask(`/${set.id}/ratings`, { ratings: [grade] })).status).toBe(404);
    await service.rate(set, { [smoker]: null });
    expect(await of(smoker)).toEqual({ searches: 0, grades: 0, runs: 0 });
    const [{ quality, moves }] = (await service.good(`/${set.id}/runs/${run}?against=${run}`)).searches;
    expect([quality.recall, moves]).toEqual([1, []]);
    // The searcher takes the search, its grades and its results along.
    await service.internal('erase', anna);
    expect(await of(anna)).toEqual({ searches: 0, grades: 0, runs: 0 });
    expect([(await service.good(`/${set.id}`)).searches, await sets.ratings(set.id)]).toEqual([[], []]);
    expect((await service.good(`/${set.id}/runs/${run}`)).searches).toEqual([]);
  });
});
