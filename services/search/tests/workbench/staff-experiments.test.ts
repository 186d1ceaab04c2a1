import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { staffId } from '../harness.ts';
import { person } from '../person.ts';
import { testNow } from '../population.ts';
import { startUsage, type UsageUnderTest } from '../usage/usage-harness.ts';

const path = '/staff/search/experiments';
const nora = person(1, 'Female');
const men = [2, 3, 4].map((id) => person(id, 'Male'));
const weekMs = 7 * 86_400_000;

let usage: UsageUnderTest;
beforeAll(async () => {
  const secret = 'a-usage-secret-that-only-these-tests-have';
  usage = await startUsage('staffexperiments', [nora, ...men], secret);
});
beforeEach(() => usage.clear());
afterAll(() => usage?.service.close());

const ask = async (at = '', body?: object, roles: Record<string, string[]> = { '*': ['search'] }) =>
  usage.service.asStaff(roles, path + at, body);
const newest = () => usage.service.context.settings.store.newest();
const tried = (change: object = { weights: { smoking: 9 } }) => ({
  ...usage.service.context.settings.active.ofFile,
  ...change,
});
const begin = async (more: object = {}) =>
  ask('', { name: 'smokers', after: await newest(), relevance: tried(), ...more });

/** The status, and the path of the first problem. */
const problemsOf = async (answer: ReturnType<typeof ask>) => {
  const { status, body } = await answer;
  return [status, body.problems?.[0].path];
};

describe('experiments of the search team', () => {
  it('start, say what they found so far, and stop', async () => {
    const recorded = jest.spyOn(usage.service.context.security, 'record');
    expect((await ask()).body).toEqual({ experiments: [] });
    expect((await begin({ note: 'smoking 9', sites: [1] })).body).toEqual({});
    await usage.service.context.usage.running.refresh();
    await usage.service.search(nora.id, { age: { from: 18, to: 99 }, sortby: 'relevance' });
    await usage.service.context.usage.recorder.flush();
    const found = {
      name: 'smokers',
      note: 'smoking 9',
      started: testNow.toISOString(),
      stopped: null,
      ended: null,
      sites: [1],
      version: await newest(),
      relevance: expect.objectContaining({ weights: { smoking: 9 } }),
      weeks: 0,
      searches: 0,
      searchers: 0,
      waiting: 1,
      preferred: { a: 0, b: 0 },
      chance: 1,
      better: null,
    };
    expect((await ask()).body).toEqual({ experiments: [found] });
    usage.service.setNow(new Date(testNow.getTime() + weekMs));
    expect((await ask('/smokers/stop', {})).body).toEqual({});
    expect((await ask()).body.experiments).toMatchObject([
      { name: 'smokers', stopped: new Date(testNow.getTime() + weekMs).toISOString(), ended: 'stopped' },
    ]);
    expect([(await ask('/smokers/stop', {})).status, (await ask('/none/stop', {})).status]).toEqual([
      404, 404,
    ]);
    expect(recorded.mock.calls).toEqual(
      ['experiment_started', 'experiment_stopped'].map((reason) => [
        'staff_decision',
        { staff: staffId, reason },
      ]),
    );
    recorded.mockRestore();
  });

  it.each([
    ['an unknown site', { sites: [99] }, 'sites.99'],
    ['no settings', { relevance: null }, 'relevance'],
    [
      'settings that are not valid',
      { relevance: { weights: { dinosaur: 3 } } },
      'relevance.weights.dinosaur',
    ],
  ])('are refused with %s, by its path', async (_what, more, wrong) => {
    const { status, body } = await begin(more);
    expect([status, body.problems.map((one: { path: string }) => one.path)]).toEqual([
      403,
      expect.arrayContaining([wrong]),
    ]);
    expect((await ask()).body).toEqual({ experiments: [] });
  });

  it('are refused while no search is recorded, beside another one, and after somebody else published', async () => {
    expect(await problemsOf(begin({ name: 'Not a name' }))).toEqual([403, undefined]);
    expect((await begin({ after: (await newest()) - 1 })).status).toBe(409);
    expect((await begin()).status).toBe(200);
    expect(await problemsOf(begin({ name: 'another' }))).toEqual([403, 'name']);
    await usage.service.context.usage.experiments.stop('smokers');
    await usage.sample(0);
    expect(await problemsOf(begin({ name: 'another' }))).toEqual([403, 'usage_sample']);
  });

  it('are for the search team of all sites', async () => {
    const others: Record<string, string[]>[] = [
      { 1: ['search'] },
      { '*': ['moderator', 'support', 'operator'] },
    ];
    for (const roles of others) expect((await ask('', undefined, roles)).status).toBe(403);
  });
});
