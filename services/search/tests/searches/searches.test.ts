import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerFields } from '@covalence/contract/catalogue/answers';
import { criteria as catalogue, type Criterion } from '@covalence/contract/catalogue/criteria';
import { population, testNow } from '../population.ts';
import { lincoln, person } from '../person.ts';
import { expectedResults, type PlainCriterion, type PlainSearch } from '../reference-search.ts';
import { startService, type FoundUser, type ServiceUnderTest } from '../harness.ts';

const subscriber = person(1001, 'Female');
const plain = person(1002, 'Female');
const placeless = person(1003, 'Female', { position: null });
/** Members of a site outside World Plus, with its own group. */
const islanders = [
  person(1004, 'Female', { siteid: 4, group: 'island', world_plus: false }),
  person(1005, 'Male', { siteid: 4, group: 'island', world_plus: false }),
] as const;
const before = (hours: number) => new Date(testNow.getTime() - hours * 3_600_000).toISOString();
/** Excluded by the second half of a rule only: active but set offline; the postal code of another country; a month and an hour old. */
const edges = [
  person(1006, 'Male', { last_seen: before(0.05), offline: true }),
  person(1007, 'Male', { zip: '68508', country: 'DE' }),
  person(1008, 'Male', { joined: before(30 * 24 + 1) }),
];
const members = [...population(400), subscriber, plain, placeless, ...islanders, ...edges];

const age = { from: 28, to: 45 };

/** A single value, so that its neighbors are only near. */
const oneOf = ({ form, text, bounds: [lowest, highest] = [0, 0], codes = [] }: Criterion): PlainCriterion => {
  if (form === 'geolocation') return { within: -1 };
  if (form === 'range') return { from: (lowest + highest) / 2, to: highest };
  return { value: text ? 'jazz' : (codes[1] ?? codes[0] ?? '') };
};

const everyCriterion = catalogue.filter(({ hard }) => !hard).map((one) => [one.name, oneOf(one)] as const);

const searches: Record<string, PlainSearch> = {
  'every criterion of the catalogue that does not limit': {
    criteria: { age, ...Object.fromEntries(everyCriterion) },
    sortby: 'newest',
  },
  'age alone': { criteria: { age } },
  'an open age range': { criteria: { age: { from: 40 } }, sortby: 'relevance' },
  'general criteria with neighbors': {
    criteria: {
      age,
      smoking: { values: [10, 20] },
      drinking: { value: 30 },
      education: { values: ['40', '50'] },
      religion: { value: 50 },
    },
    sortby: 'relevance',
  },
  'a range': { criteria: { age, height: { from: 170, to: 180 } }, sortby: 'relevance' },
  'several languages': { criteria: { age, language: { values: [10, 30] } }, sortby: 'relevance' },
  'distance with a limit': { criteria: { age, location: { within: 150 }, smoking: { value: 10 } } },
  'distance without a limit': {
    criteria: { age, location: { within: -1 }, build: { values: [10] } },
    sortby: 'relevance',
  },
  'many criteria of every form': {
    criteria: {
      age,
      location: { within: -1 },
      height: { from: 165, to: 172 },
      smoking: { value: 10 },
      keywords: { value: 'jazz' },
      income: { values: [40, 50] },
    },
    sortby: 'relevance',
  },
  'a postal code': { criteria: { age, zipcode: { values: ['68508', '68102'] } } },
  'a state': { criteria: { age, state: { value: 'Nebraska' } }, sortby: 'newest' },
  countries: { criteria: { age, country: { values: ['US', 'DE'] } }, sortby: 'lastactive' },
  preferences: {
    criteria: { age, online: { value: 'true' }, photo: { value: 'true' }, new: { value: 'false' } },
    sortby: 'relevance',
  },
  keywords: { criteria: { age, keywords: { values: ['sailing', 'jazz cinema'] } }, sortby: 'relevance' },
  'a favorite': { criteria: { age, f_book: { value: 'mountains' } }, sortby: 'relevance' },
  'mood, zodiac, activity': {
    criteria: {
      age,
      mood: { value: 30 },
      zodiac: { values: ['Leo', 'Virgo'] },
      last_active: { value: 7 },
      a_nato: { value: 20 },
      i_art: { values: [30, 40] },
    },
    sortby: 'relevance',
  },
  'platinum ascending': { criteria: { age }, sortby: 'platinum-asc' },
  'platinum descending': { criteria: { age }, sortby: 'platinum-desc' },
  'platinum ascending with relevance': {
    criteria: { age, smoking: { value: 10 } },
    sortby: 'platinum-score-asc',
  },
  'platinum descending with relevance': {
    criteria: { age, smoking: { value: 10 } },
    sortby: 'platinum-score-desc',
  },
};

const wholeMiles = (miles: number) => (Number.isFinite(miles) ? Math.max(1, Math.round(miles)) : null);

describe('POST /searches finds the same as a reference search', () => {
  let service: ServiceUnderTest;

  beforeAll(async () => {
    service = await startService('searches', { members });
    service.profile.platinum.add(subscriber.id);
  });
  afterAll(() => service?.close());

  it.each(Object.entries(searches))('%s', async (_name, { criteria, sortby = 'distance' }) => {
    const expected = expectedResults(members, subscriber, lincoln, { criteria, sortby });
    expect(expected.length).toBeGreaterThan(3);
    const found = await service.search(subscriber.id, { ...criteria, sortby, pagesize: 100 });
    expect(found).toMatchObject({ page: 1, pagesize: 100, currentpagesize: found.users.length });
    expect(found.totalmatches).toBe(expected.length);
    const page = expected.slice(0, 100);
    expect(found.users.map(({ id }) => id)).toEqual(page.map(({ id }) => id));
    for (const [index, user] of found.users.entries()) {
      expect(Math.abs(user.relevance - (page[index]?.relevance ?? NaN))).toBeLessThan(1e-6);
    }
    expect(found.users.map(({ exactmatch }) => exactmatch)).toEqual(page.map(({ exactmatch }) => exactmatch));
    if (sortby !== 'distance') return;
    expect(found.users.map(({ distance }) => distance)).toEqual(page.map(({ miles }) => wholeMiles(miles)));
  });

  it('measures from a point, a listed postal code, and one that only members know', async () => {
    const omaha = { lat: 41.2589, lon: -95.9352 };
    const criteria = { age, location: { within: 150, of: `${omaha.lat}, ${omaha.lon}` } };
    const expected = expectedResults(members, subscriber, omaha, { criteria });
    const found = await service.search(subscriber.id, { ...criteria, pagesize: 100 });
    expect(found.users.map(({ id }) => id)).toEqual(expected.slice(0, 100).map(({ id }) => id));

    const byZip = await service.search(subscriber.id, { age, location: { of: '68102' }, pagesize: 5 });
    expect(byZip.users.every(({ distance }) => (distance ?? 99) <= 25)).toBe(true);
  });

  it.each([
    ['that the table has', '10115'],
    ['that only members have', '10198'],
  ])('measures from a postal code abroad %s', async (_name, of) => {
    const german = { ...subscriber, country: 'DE', version: subscriber.version + 1 };
    service.profile.members.set(subscriber.id, german);
    const inBerlin = await service.search(subscriber.id, { age, location: { within: 40, of } });
    service.profile.members.set(subscriber.id, subscriber);
    expect(inBerlin.totalmatches).toBeGreaterThan(0);
    const berliners = new Set(members.filter(({ state }) => state === 'Berlin').map(({ id }) => id));
    expect(inBerlin.users.every(({ id }) => berliners.has(id))).toBe(true);
  });

  it('orders by relevance, with distance null, if the searcher has no position', async () => {
    const criteria = { age, smoking: { value: 10 }, location: { within: -1 } };
    const expected = expectedResults(members, placeless, null, { criteria, sortby: 'relevance' });
    const found = await service.search(placeless.id, { ...criteria, pagesize: 100 });
    expect(found.users.map(({ id }) => id)).toEqual(expected.slice(0, 100).map(({ id }) => id));
    expect(found.users.every(({ distance }) => distance === null)).toBe(true);
    expect(found.users[0]?.relevance).toBe(1);
  });

  it('finds only the own group on a site outside World Plus, which others do not find', async () => {
    const [woman, man] = islanders;
    expect((await service.search(woman.id, { age })).users.map(({ id }) => id)).toEqual([man.id]);
    const { users } = await service.search(subscriber.id, { age, pagesize: 100 });
    expect(users.map(({ id }) => id)).not.toContain(man.id);
  });

  it('ignores platinum criteria of a member who is no subscriber', async () => {
    const withIt = { age, smoking: { value: 10 }, income: { value: 70 }, a_nato: 'ill-formed' };
    const criteria = { age, smoking: { value: 10 } };
    const [found, expected] = await Promise.all([
      service.search(plain.id, { ...withIt, sortby: 'relevance' }),
      service.search(plain.id, { ...criteria, sortby: 'relevance' }),
    ]);
    expect(found).toEqual(expected);
  });

  it('accepts nested query strings and forms, and returns distance only when sorting by it', async () => {
    const query =
      'age[from]=28&age[to]=45&smoking[values][]=10&smoking[values][]=20&pagesize=5&SortBy=relevance&platform=web';
    const { body, status } = await service.get(plain.id, query);
    expect(status).toBe(200);
    const sent = await service.call(plain.id, 'post', '/searches', query);
    expect([sent.status, sent.body]).toEqual([200, body]);
    const posted = await service.search(plain.id, {
      age,
      smoking: { values: [10, 20] },
      pagesize: 5,
      sortby: 'relevance',
    });
    expect(body).toEqual(posted);
    expect(posted.users[0]).not.toHaveProperty('distance');
    expect(posted.users[0]).toMatchObject({ gender: 'Male', covalence: 'none' });
  });

  it('excludes by kind of relation, by default every kind', async () => {
    const all = await service.search(plain.id, { age, pagesize: 100, exclude: 'none' });
    const [blocked = 0, declined = 0, liked = 0, passed = 0, ...others] = all.users.map(({ id }) => id);
    const [blockedBy = 0, passedOnce = 0] = others;
    service.profile.relations.set(plain.id, [
      { other: blocked, blocks: true },
      { other: declined, declines: true },
      { other: liked, likes: true },
      { other: passed, passed_until: '2026-07-01T00:00:00Z' },
      { other: blockedBy, blocked_by: true },
      { other: passedOnce, passed_until: testNow.toISOString() },
    ]);
    const without = async (exclude?: unknown) => {
      const page = await service.search(plain.id, {
        age,
        pagesize: 100,
        ...(exclude !== undefined && { exclude }),
      });
      const shown = new Set(page.users.map(({ id }) => id));
      expect([blockedBy, passedOnce].map((id) => shown.has(id))).toEqual([false, true]);
      return [blocked, declined, liked, passed].map((id) => shown.has(id));
    };
    expect(await without()).toEqual([false, false, false, false]);
    expect(await without('none')).toEqual([true, true, true, true]);
    expect(await without(['none'])).toEqual([true, true, true, true]);
    expect(await without(['likes', 'passes'])).toEqual([true, true, false, false]);
    expect(await without('blocks, declines')).toEqual([false, false, true, true]);
    service.profile.relations.delete(plain.id);
  });

  it('omits members who are no longer eligible when the page is rendered', async () => {
    const before = await service.search(plain.id, { age, pagesize: 10 });
    const gone = before.users[3]?.id ?? 0;
    service.profile.hidden.add(gone);
    const after = await service.search(plain.id, { age, pagesize: 10 });
    service.profile.hidden.delete(gone);
    expect(after).toMatchObject({ totalmatches: before.totalmatches, pagesize: 10, currentpagesize: 9 });
    expect(after.users).toEqual(before.users.filter(({ id }) => id !== gone));
  });

  it('renders a page in one call', async () => {
    const before = service.profile.calls.get('records') ?? 0;
    await service.search(plain.id, { age, pagesize: 100 });
    expect(service.profile.calls.get('records')).toBe(before + 1);
  });

  it('returns empty pages beyond the results and beyond 10,000', async () => {
    const first = await service.search(plain.id, { age });
    const empty = { totalmatches: first.totalmatches, currentpagesize: 0, users: [] };
    expect(await service.search(plain.id, { age, page: 50 })).toMatchObject({ ...empty, page: 50 });
    expect(await service.search(plain.id, { age, page: 101, pagesize: 100 })).toMatchObject(empty);
    expect(await service.search(plain.id, { age, page: 334, pagesize: 30 })).toMatchObject(empty);
    const far = 9_999_999_999;
    expect(await service.search(plain.id, { age, page: far })).toMatchObject(empty);
    const { body } = await service.get(plain.id, `age[from]=28&age[to]=45&page=${far}`);
    expect(body).toEqual({ ...empty, page: far, pagesize: 20 });
  });

  it('explains the contribution of each criterion', async () => {
    const found = await service.search(subscriber.id, {
      age,
      smoking: { value: 20 },
      height: { from: 170, to: 180 },
      sortby: 'relevance',
      explain: true,
      pagesize: 100,
    });
    const outcomes = new Set<string>();
    for (const { relevance, exactmatch, explanation = [] } of found.users) {
      const gave = explanation.reduce((sum, one) => sum + one.gave, 0);
      expect(Math.abs(gave - relevance)).toBeLessThan(1e-6);
      expect(explanation.map(({ criterion }) => criterion)).toEqual(['age', 'height', 'smoking']);
      expect(explanation.every(({ outcome }) => outcome === 'met')).toBe(exactmatch);
      for (const { outcome } of explanation) outcomes.add(outcome);
    }
    expect(outcomes).toEqual(new Set(['met', 'near', 'missed']));
  });

  it('omits from the explanation criteria of answers that only their owner may read', async () => {
    const criteria = { age, religion: { value: 10 }, drinking: { value: 10 }, politics: { value: 10 } };
    const found = await service.search(subscriber.id, { ...criteria, explain: true, pagesize: 100 });
    const explained = new Map<number, Set<string>>();
    for (const { site, explanation = [] } of found.users as (FoundUser & { site: number })[]) {
      const names = explanation.map(({ criterion }) => criterion).join();
      explained.set(site, (explained.get(site) ?? new Set<string>()).add(names));
    }
    expect([...explained].sort(([one], [other]) => one - other)).toEqual([
      [1, new Set(['age,drinking'])],
      [2, new Set(['age,drinking'])],
      [3, new Set(['age,religion'])],
    ]);
  });

  it('returns the requested answers, by any spelling of their names', async () => {
    const shownFor = async (fields: unknown) => {
      const { users } = await service.search(plain.id, { age, fields, pagesize: 1 });
      return (users[0] as FoundUser & { answers?: object[] }).answers;
    };
    expect(await shownFor(['Smoking', 'eye-color', 'smoking'])).toEqual([
      { name: 'smoking' },
      { name: 'eye_color' },
    ]);
    expect(await shownFor('height, i_art')).toEqual([{ name: 'height' }, { name: 'i_art' }]);
    expect(await shownFor([])).toBeUndefined();
    const { body } = await service.get(plain.id, 'age[from]=18&age[to]=99&pagesize=1&fields=height');
    expect(body.users[0].answers).toEqual([{ name: 'height' }]);
  });

  it.each<[string, unknown]>([
    ['that there is not', ['hight']],
    ['that is a setting', ['email']],
    ['that only its owner reads', ['smoking', 'religion']],
    ['without a name', ''],
    ['in no list', { name: 'height' }],
    ['too many', answerFields.slice(0, 11).map(({ name }) => name)],
  ])('refuses to show an answer %s', async (_case, fields) => {
    const { status, body } = await service.post(plain.id, { age, fields });
    expect([status, body]).toEqual([403, { fail: 'Invalid Argument' }]);
  });

  it('rejects a caller without a token and a deactivated one', async () => {
    service.profile.deactivated.add(plain.id);
    const { status, body } = await service.post(plain.id, { age });
    service.profile.deactivated.delete(plain.id);
    expect([status, body]).toEqual([403, { fail: 'Deactivated' }]);
  });
});
