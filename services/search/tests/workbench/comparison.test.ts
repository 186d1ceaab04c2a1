import { createTcpProxy } from '@covalence/testing/tcp-proxy';
import { testStores } from '@covalence/testing/test-stores';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { staffId, startService, type ServiceUnderTest } from '../harness.ts';
import { person } from '../person.ts';
import { testNow } from '../population.ts';

const [anna, berta] = [1, 2];
const [smoker, drinker, neither, puppy] = [10, 11, 12, 13];
const members = [
  person(anna, 'Female'),
  person(berta, 'Female', { siteid: 2 }),
  person(smoker, 'Male', { traits: { smoking: 10, drinking: 40 } }),
  person(drinker, 'Male', { traits: { smoking: 40, drinking: 10 } }),
  person(neither, 'Male', { traits: { smoking: 40, drinking: 40 } }),
  person(puppy, 'Male', { siteid: 2, traits: { smoking: 40, drinking: 40, about_me: 'My puppy' } }),
];
const path = '/staff/search/comparisons';
const age = { from: 30, to: 45 };
const criteria = { age, smoking: { value: 10 }, drinking: { value: 10 } };

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService('comparison', { members });
});
afterAll(() => service?.close());
afterEach(() => {
  service.profile.relations.clear();
  service.profile.settings.clear();
  service.profile.deactivated.clear();
});

/** One result as the page sees it. */
interface Compared {
  readonly id: number;
  readonly username: string | null;
  readonly rank: number;
  readonly other_rank: number | null;
  readonly relevance: number;
  readonly exactmatch: boolean;
  readonly criteria: {
    criterion: string;
    outcome: string;
    weight: number;
    credit: number;
    points: number;
    synonyms: object[];
  }[];
  readonly among_equals: { part: string; gave: number }[];
}
interface Variant {
  readonly totalmatches: number;
  readonly total_weight: number;
  readonly users: Compared[];
  readonly query: { readonly index: string; readonly body: object };
}

const relevance = (smoking: number, drinking: number) => ({
  ...service.context.settings.active.ofFile,
  weights: { age: 1, smoking, drinking },
});
const ask = async (body: object, roles: Record<string, string[]> = { '*': ['search'] }) =>
  service.asStaff(roles, path, { member: anna, criteria, ...body });
const compare = async (body: object = {}) => {
  const { status, body: answer } = await ask(body);
  expect([status, answer.fail]).toEqual([200, undefined]);
  return answer as { version: number; siteid: number; current: Variant; changed: Variant | null };
};
const idsOf = (variant: Variant | null) => variant?.users.map(({ id }) => id);

describe('a search as a member, under two settings', () => {
  it('finds whom the member finds, and whom other weights would show, with the rank of both', async () => {
    await service.publish({ relevance: relevance(1, 8) });
    const { version, siteid, current, changed } = await compare({ settings: { relevance: relevance(8, 1) } });
    expect([version, siteid]).toEqual([1, 1]);
    const { users } = await service.search(anna, { ...criteria, sortby: 'relevance' });
    expect(idsOf(current)).toEqual(users.map(({ id }) => id));
    expect(idsOf(current)).toEqual([drinker, smoker, neither, puppy]);
    expect(idsOf(changed)).toEqual([smoker, drinker, neither, puppy]);
    expect(current.users.map(({ rank, other_rank }) => [rank, other_rank])).toEqual([
      [1, 2],
      [2, 1],
      [3, 3],
      [4, 4],
    ]);
    expect(current.totalmatches).toBe(4);
  });

  it('says what each criterion contributed, also in the sum', async () => {
    const { current } = await compare();
    const [first] = current.users;
    expect(first?.criteria).toEqual([
      { criterion: 'age', outcome: 'met', weight: 1, credit: 1, points: 1, synonyms: [] },
      { criterion: 'smoking', outcome: 'missed', weight: 1, credit: 0, points: 0, synonyms: [] },
      { criterion: 'drinking', outcome: 'met', weight: 8, credit: 1, points: 8, synonyms: [] },
    ]);
    expect(current.total_weight).toBe(10);
    for (const { relevance: whole, criteria: parts } of current.users) {
      const sum = parts.reduce((all, { points }) => all + points, 0);
      expect(whole * current.total_weight).toBeCloseTo(sum, 4);
    }
  });

  it('has one variant without other settings, and no rank in the other', async () => {
    const { changed, current } = await compare();
    expect(changed).toBeNull();
    expect(current.users.map(({ other_rank }) => other_rank)).toEqual([null, null, null, null]);
  });

  it('takes criteria for subscribers where it searches as a judgment set does', async () => {
    const near = { ...criteria, location: { within: 30 } };
    expect((await ask({ criteria: near })).body.failcode).toEqual([31_007]);
    expect(idsOf((await compare({ criteria: near, as_subscriber: true })).current)).toHaveLength(4);
  });

  it('ranks beyond the page in the other variant', async () => {
    const { changed } = await compare({ pagesize: 1, settings: { relevance: relevance(8, 1) } });
    expect(changed?.users.map(({ id, other_rank }) => [id, other_rank])).toEqual([[smoker, 2]]);
  });

  it('shows what orders equals, and the rule that found a word', async () => {
    const equal = { ...relevance(1, 1), among_equals: { weights: { photo: 1, answer_rate: 1 } } };
    const words = { age, keywords: { value: 'dog' } };
    const { current, changed } = await compare({
      criteria: words,
      settings: { relevance: equal, languages: { en: { synonyms: ['dog, puppy'] } } },
    });
    expect(current.users[0]?.exactmatch).toBe(false);
    const [found] = changed?.users ?? [];
    expect(found).toMatchObject({ id: puppy, exactmatch: true });
    expect(found?.criteria.find(({ criterion }) => criterion === 'keywords')?.synonyms).toEqual([
      { typed: 'dog', found: 'puppy', rule: 'dog, puppy' },
    ]);
    expect(found?.among_equals.map(({ part }) => part)).toEqual(['photo', 'answer_rate']);
    // Nothing of it is in force.
    expect((await compare({ criteria: words })).current.users[0]?.exactmatch).toBe(false);
  });

  it('shows who blocks the member to nobody, but not whom the member likes, blocks or has passed', async () => {
    service.profile.relations.set(anna, [
      { other: smoker, blocked_by: true },
      { other: drinker, likes: true },
      { other: neither, blocks: true },
    ]);
    const { current, changed } = await compare({ settings: { relevance: relevance(8, 1) } });
    expect([idsOf(current), idsOf(changed)]).toEqual([
      [drinker, neither, puppy],
      [drinker, neither, puppy],
    ]);
  });

  it('shows of members of other sites what every member reads', async () => {
    const asked = { ...criteria, religion: { value: 10 } };
    const criteriaOf = async (roles: Record<string, string[]>) => {
      const { status, body } = await ask({ criteria: asked }, roles);
      expect(status).toBe(200);
      const { users } = (body as { current: Variant }).current;
      return new Map(users.map(({ id, username, criteria: parts }) => [id, { username, parts }]));
    };
    const own = await criteriaOf({ 1: ['search'] });
    const both = await criteriaOf({ 1: ['search'], 2: ['search'] });
    const names = (shown: typeof own, id: number) => shown.get(id)?.parts.map(({ criterion }) => criterion);
    expect(names(own, smoker)).toEqual(['age', 'smoking', 'drinking', 'religion']);
    expect(names(own, puppy)).toEqual(['age', 'smoking', 'drinking']);
    expect(own.get(puppy)?.username).toBeNull();
    expect(own.get(smoker)?.username).toBe(`member-${smoker}`);
    expect(names(both, puppy)).toEqual(['age', 'smoking', 'drinking', 'religion']);
    expect(both.get(puppy)?.username).toBe(`member-${puppy}`);
  });

  it('shows the query, without whom the member blocks or likes and without where exactly they are', async () => {
    const exact = { lat: 40.7654321, lon: -96.6543219 };
    service.profile.settings.set(anna, { position: exact });
    service.profile.relations.set(anna, [{ other: smoker, blocks: true }]);
    const { current } = await compare({ criteria: { age, location: { within: -1 } }, sortby: 'distance' });
    const { index, body } = current.query;
    const text = JSON.stringify(body);
    expect(text).toContain('40.81');
    expect(text).not.toContain('40.765');
    expect(text).not.toContain(`[${smoker}]`);
    const { hits } = await service.engine.search({ index, ...body });
    expect(hits.hits).toHaveLength(4);
  });

  it('counts nothing as the member’s, and is recorded', async () => {
    const before = service.profile.calls.get('records') ?? 0;
    const recorded = jest.spyOn(service.context.security, 'record');
    await compare({ criteria: { age, location: { of: '10,10', within: 150 } } });
    await compare();
    expect(await service.context.searches.centers.list(anna)).toEqual([]);
    expect([
      service.profile.calls.get('records') ?? 0,
      service.profile.calls.has('records for staff'),
    ]).toEqual([before, true]);
    const facts = { staff: staffId, memberNumber: anna, reason: 'searched_as_member' };
    expect(recorded.mock.calls).toEqual([
      ['staff_decision', { ...facts, criteria: ['age', 'location'] }],
      ['staff_decision', { ...facts, criteria: ['age', 'smoking', 'drinking'] }],
    ]);
    recorded.mockRestore();
  });
});

describe('a comparison is refused', () => {
  it.each([
    [{ 2: ['search'] }, anna, [403, 'Forbidden']],
    [{ 1: ['support', 'moderator', 'operator'] }, anna, [403, 'Forbidden']],
    [{ 1: ['search'] }, anna, [200, undefined]],
    [{ 1: ['search'] }, berta, [403, 'Forbidden']],
    [{ 1: ['search'] }, 999, [403, 'Forbidden']],
    [{ '*': ['search'] }, 999, [404, 'Not Found']],
  ])('to %j about member %i: %j', async (roles, member, expected) => {
    const { status, body } = await ask({ member }, roles);
    expect([status, body.fail]).toEqual(expected);
  });

  it('for a member who cannot search', async () => {
    service.profile.deactivated.add(anna);
    expect((await ask({})).status).toBe(404);
    expect((await ask({}, { 1: ['search'] })).body).toEqual({ fail: 'Forbidden' });
  });

  it('with codes of bad criteria, as a search is', async () => {
    const { status, body } = await ask({ criteria: { smoking: { value: 11 } } });
    expect([status, body]).toEqual([403, { fail: 'Invalid Argument', failcode: [31_012, 31_009] }]);
    const constructor = await ask({ criteria: { age, constructor: { value: 1 } } });
    expect(constructor.status).toBe(200);
  });

  it.each([
    ['a page beyond 50', { pagesize: 51 }],
    ['another order', { sortby: 'random' }],
    ['criteria that are no map', { criteria: [] }],
    ['what it does not know', { page: 2 }],
    ['settings that it does not know', { settings: { relevance: null, mapping: {} } }],
    ['a text as member', { member: 'anna' }],
  ])('with %s', async (_title, body) => {
    expect((await ask(body)).status).toBe(403);
  });

  it('beyond 600 of an account in an hour, over all processes', async () => {
    const start = testNow.getTime() + 24 * 3_600_000;
    service.setNow(new Date(start));
    const other = await service.another({});
    const processes = [service.context.comparisons, other.comparisons];
    for (let count = 0; count < 599; count += 1) await processes[count % 2]?.use(staffId, 'comparisons');
    await other.close();
    expect((await ask({})).status).toBe(200);
    const { status, headers } = await ask({});
    expect([status, headers['retry-after']]).toEqual([429, '3600']);
    // MongoDB deletes the count by a clock of its own, which may be ahead.
    const counts = service.context.connection.collection('staff_comparisons');
    expect(await counts.distinct('expires')).toContainEqual(new Date(start + 2 * 3_600_000));
    await service.context.comparisons.use('01890a5d-ac96-774b-bcce-b302099a8058', 'comparisons');
    service.setNow(new Date(start + 3_600_000));
    expect((await ask({})).status).toBe(200);
    service.setNow(testNow);
  });

  it('with the problems of settings by path, and where they need another index', async () => {
    const bad = { ...relevance(1, 1), weights: { dinosaur: 3 } };
    expect((await ask({ settings: { relevance: bad } })).body.problems).toEqual([
      { path: 'settings.relevance.weights.dinosaur', problem: 'is no criterion of the catalogue' },
    ]);
    expect((await ask({ settings: {} })).status).toBe(403);
    const stems = await ask({ settings: { languages: { en: { stemmer: 'English' } } } });
    expect(stems.body.problems).toEqual([
      { path: 'settings.languages', problem: expect.stringContaining('other stems') },
    ]);
  });

  it('with 503 while Elasticsearch is down', async () => {
    const line = await createTcpProxy(testStores().ELASTICSEARCH_URL);
    const own = await startService('comparisonaway', {
      members,
      environment: { ELASTICSEARCH_URL: line.url },
    });
    try {
      line.cut();
      const { status, headers } = await own.asStaff({ '*': ['search'] }, path, { member: anna, criteria });
      expect([status, headers['retry-after']]).toEqual([503, '2']);
    } finally {
      line.restore();
      await own.close();
      await line.close();
    }
  });
});
