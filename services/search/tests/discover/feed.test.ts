import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { chanceOfPresence } from '../../src/discover/chances.ts';
import { lincoln } from '../person.ts';
import { testNow } from '../population.ts';
import { eight, startFeed, tomorrow, type FeedUnderTest } from './feed-harness.ts';

const dayMs = 86_400_000;
const omaha = { lat: 41.26, lon: -95.94 };
const berlin = { lat: 52.52, lon: 13.4 };

describe('GET /discover', () => {
  let feed: FeedUnderTest;

  beforeAll(async () => {
    feed = await startFeed('feed');
  });
  afterEach(() => feed.clear());
  afterAll(() => feed?.service.close());

  it('is 404 on a site without a feed', async () => {
    const anna = await feed.woman();
    await feed.enable(true, { 1: { discover: false } });
    expect((await feed.service.call(anna, 'get', '/discover')).status).toBe(404);
    await feed.enable(false, { 1: { discover: true } });
    expect((await feed.service.call(anna, 'get', '/discover')).status).toBe(200);
    await feed.enable(true);
  });

  it('lists members who are within the limits of the caller, and the caller within theirs', async () => {
    const anna = await feed.woman({ date_of_birth: '1986-01-01' });
    await feed.wish(anna, { age: { from: 30, to: 45 }, location: { within: 150 } });
    const [free, fitting, old, far, seeksYoung, seeksNear, seeksAbroad, seeksHere] = await feed.men(
      {},
      {},
      { date_of_birth: '1960-01-01' },
      { position: berlin },
      {},
      { position: omaha },
      {},
      {},
    );
    await feed.made('Male', { gender_preference: 'Male' });
    await feed.made('Female', { date_of_birth: '1950-01-01' });
    await feed.wish(fitting ?? 0, { age: { from: 38, to: 42 }, location: { within: 150 } });
    await feed.wish(seeksYoung ?? 0, { age: { from: 20, to: 30 } });
    feed.service.profile.platinum.add(seeksNear ?? 0);
    await feed.change(seeksNear ?? 0, { platinum_until: tomorrow.toISOString() });
    await feed.wish(seeksNear ?? 0, { location: { within: 30 } });
    await feed.wish(seeksAbroad ?? 0, { country: { value: 'DE' } });
    await feed.wish(seeksHere ?? 0, { country: { value: 'US' } });
    const found = await feed.list(anna);
    expect(found).not.toContain(old);
    expect(found).not.toContain(far);
    expect(new Set(found)).toEqual(new Set([free, fitting, seeksHere]));
    expect(await feed.list(fitting ?? 0)).toEqual([anna]);
    expect(await feed.list(seeksYoung ?? 0)).toEqual([]);
  });

  it('takes the ages of the profile where the match criteria have none', async () => {
    const anna = await feed.woman();
    const [young] = await feed.men({ date_of_birth: '2000-01-01' }, { date_of_birth: '1970-01-01' });
    feed.service.profile.settings.set(anna, { agefrom: 24, ageto: 30 });
    expect(await feed.list(anna)).toEqual([young]);
  });

  it('begins with members who are what the caller looks for, and who look for the caller', async () => {
    const traits = {
      smoking: 10,
      drinking: 30,
      education: 50,
      has_children: 10,
      want_children: 20,
      marital_status: 10,
      build: 30,
    };
    const anna = await feed.woman({ traits });
    // More than chance adds.
    const wishes = Object.entries(traits).map(([name, value]) => [name, { value }] as const);
    await feed.wish(anna, Object.fromEntries(wishes));
    const asked = { traits };
    const [neither, liked, likes, both] = await feed.men({}, asked, {}, asked);
    await feed.wish(neither ?? 0, { smoking: { value: 30 }, drinking: { value: 10 } });
    await feed.wish(liked ?? 0, { smoking: { value: 30 }, drinking: { value: 10 } });
    await feed.wish(likes ?? 0, { smoking: { value: 10 } });
    await feed.wish(both ?? 0, { smoking: { value: 10 } });
    const found = await feed.list(anna);
    expect([found[0], found.at(-1), found.length]).toEqual([both, neither, 4]);
  });

  it('prefers members who were active recently', async () => {
    const anna = await feed.woman();
    const away = new Date(testNow.getTime() - 90 * dayMs).toISOString();
    const [, present] = await feed.men({ last_seen: away }, {}, { last_seen: null });
    expect((await feed.list(anna))[0]).toBe(present);
  });

  it('shows members who ignore others later, and those who answer everybody no sooner', async () => {
    const anna = await feed.woman();
    await feed.men({}, {});
    const silent = await feed.men({ answer_rate: 0 }, { answer_rate: 0 });
    const found = await feed.list(anna);
    expect(new Set(found.slice(-2))).toEqual(new Set(silent));
    const chances = [0.5, 1].map((answer_rate) =>
      chanceOfPresence({ last_seen: null, answer_rate }, testNow),
    );
    expect(chances[0]).toBe(chances[1]);
  });

  it('has pages that neither repeat nor skip members, whatever is liked between them', async () => {
    const anna = await feed.woman();
    const all = await feed.men(...Array.from({ length: 25 }, () => ({})));
    const first = await feed.page(anna, 'pagesize=10');
    const ids = first.users.map(({ id }) => id);
    feed.relate(anna, ...ids.slice(0, 4).map((other) => ({ other, likes: true })));
    const second = await feed.page(anna, `pagesize=10&cursor=${first.next}`);
    const third = await feed.page(anna, `pagesize=10&cursor=${second.next}`);
    const found = [first, second, third].flatMap(({ users }) => users.map(({ id }) => id));
    expect([found.length, third.next]).toEqual([25, null]);
    expect(new Set(found)).toEqual(new Set(all));
    expect((await feed.service.call(anna, 'get', '/discover?cursor=x')).status).toBe(403);
  });

  it.each([
    ['the next day', async (_anna: number) => feed.service.setNow(tomorrow)],
    ['other match criteria', (anna: number) => feed.wish(anna, { age: { from: 30, to: 60 } })],
  ])('begins the list of %s at its first member for a cursor of the list before', async (_new, change) => {
    const anna = await feed.woman();
    await feed.men(...Array.from({ length: 30 }, (_, turn) => ({ date_of_birth: `${1960 + turn}-01-01` })));
    const { next } = await feed.page(anna, 'pagesize=10');
    await change(anna);
    const all = await feed.list(anna);
    const { users } = await feed.page(anna, `pagesize=10&cursor=${next}`);
    expect(users.map(({ id }) => id)).toEqual(all.slice(0, 10));
  });

  it('names a list by what does not follow from its members', async () => {
    const anna = await feed.woman();
    await feed.men({});
    await feed.men(...Array.from({ length: 2 }, () => ({ last_seen: '2025-06-01T00:00:00.000Z' })));
    const first = await feed.page(anna, 'pagesize=1');
    const whole = await feed.list(anna);
    await feed.wish(anna, { age: { from: 18, to: 99 } });
    const again = await feed.page(anna, 'pagesize=1');
    expect([await feed.list(anna), again.users]).toEqual([whole, first.users]);
    expect(again.next).not.toBe(first.next);
  });

  it('does not show members again who were liked, passed, declined or blocked, or who cannot be met any more', async () => {
    const anna = await feed.woman();
    const [liked, passed, declined, blocked, blocking, hidden, left] = await feed.men(
      {},
      {},
      {},
      {},
      {},
      {},
      {},
    );
    expect(await feed.list(anna)).toHaveLength(7);
    feed.relate(
      anna,
      { other: liked ?? 0, likes: true },
      { other: passed ?? 0, passed_until: tomorrow.toISOString() },
      { other: declined ?? 0, declines: true },
      { other: blocked ?? 0, blocks: true },
      { other: blocking ?? 0, blocked_by: true },
    );
    await feed.change(hidden ?? 0, { visible: false });
    expect(await feed.list(anna)).toEqual([left]);
  });

  it('gives as reasons only answers that both show everybody', async () => {
    const traits = { religion: 50, drinking: 30, smoking: 10, height: 170, i_art: 10, i_cooking: 40 };
    const anna = await feed.woman({ traits, world_plus: true });
    const greek = { siteid: 3, group: 'agora', world_plus: true };
    const helen = await feed.woman({ traits, ...greek });
    await feed.men({ traits, world_plus: true }, { traits, ...greek });
    const reasons = async (member: number) =>
      (await feed.page(member)).users.map((user) => user.reasons.toSorted());
    // Greeks show their religion and hide what they drink.
    const both = [
      ['drinking', 'i_cooking', 'smoking'],
      ['i_cooking', 'smoking'],
    ];
    expect((await reasons(anna)).toSorted((one, other) => other.length - one.length)).toEqual(both);
    expect((await reasons(helen)).toSorted((one, other) => other.length - one.length)).toEqual([
      ['i_cooking', 'religion', 'smoking'],
      ['i_cooking', 'smoking'],
    ]);
    await feed.wish(anna, { height: { from: 160, to: 180 } });
    expect((await reasons(anna)).every((some) => some.includes('height'))).toBe(true);
  });

  it('gives the same reasons whatever the other looks for', async () => {
    const anna = await feed.woman({ traits: { smoking: 10, drinking: 30 } });
    const traits = { smoking: 10, drinking: 10 };
    const [, picky] = await feed.men({ traits }, { traits });
    await feed.wish(picky ?? 0, { drinking: { value: 30 }, smoking: { value: 40 } });
    expect((await feed.page(anna)).users.map(({ reasons }) => reasons)).toEqual([['smoking'], ['smoking']]);
  });

  it('does not reveal what others look for to a member who changes answers and criteria', async () => {
    const anna = await feed.woman({ traits: { smoking: 30 } });
    const all = await feed.men(...Array.from({ length: 12 }, () => ({})));
    for (const [turn, id] of all.entries()) {
      await feed.wish(
        id,
        turn % 2 ? { smoking: { value: 10 } } : { age: { from: 18, to: 40 }, smoking: { value: 30 } },
      );
    }
    await feed.wish(anna, { age: { from: 30, to: 45 } });
    const before = await feed.list(anna);
    expect(before).toHaveLength(12);
    await feed.change(anna, { traits: { smoking: 10 }, date_of_birth: '1970-01-01', position: omaha });
    await feed.wish(anna, { age: { from: 30, to: 46 } });
    expect(await feed.list(anna)).toEqual(before);
    feed.service.setNow(tomorrow);
    expect(await feed.list(anna)).toHaveLength(6);
  });

  it('is drawn again at once for changed match criteria, and each day in another order', async () => {
    const anna = await feed.woman();
    await feed.men(...Array.from({ length: 12 }, (_, turn) => ({ date_of_birth: `${1985 + turn}-01-01` })));
    const first = await feed.list(anna);
    await feed.wish(anna, { age: { from: 30, to: 33 } });
    expect((await feed.list(anna)).length).toBeLessThan(first.length);
    await feed.wish(anna, { age: null });
    expect(await feed.list(anna)).toEqual(first);
    feed.service.setNow(tomorrow);
    const second = await feed.list(anna);
    expect(new Set(second)).toEqual(new Set(first));
    expect(second).not.toEqual(first);
  });

  it('looks further where many are found who look for others', async () => {
    const anna = await feed.woman({ date_of_birth: '1950-01-01' });
    const many = await feed.men(...Array.from({ length: 160 }, () => ({ photo: true })));
    const [only] = await feed.men({ photo: false, last_seen: null });
    for (const id of many) await feed.wish(id, { age: { from: 20, to: 40 } });
    expect(await feed.list(anna)).toEqual([only]);
  });

  it('shows answers as searches do, and refuses those that the site hides', async () => {
    const anna = await feed.woman();
    await feed.men({});
    expect((await feed.page(anna, 'fields=smoking')).users).toMatchObject([
      { answers: [{ name: 'smoking' }] },
    ]);
    expect((await feed.service.call(anna, 'get', '/discover?fields=religion')).status).toBe(403);
    expect((await feed.service.call(anna, 'get', '/discover?pagesize=101')).status).toBe(403);
  });

  it('is exported, and erased with the member', async () => {
    const anna = await feed.woman({ traits: { smoking: 10, f_book: 'Emma' } });
    feed.choose(anna, await feed.men(...eight(30)), await feed.men(...eight(10)));
    const [ben] = await feed.men({});
    expect(await feed.list(anna)).toEqual([ben]);
    const { body } = await feed.privacy('export', anna);
    expect(body.feed).toEqual({
      day: '2026-06-15',
      seen_as: expect.objectContaining({ position: lincoln, traits: { smoking: 10 } }),
      members: 1,
    });
    expect(body.tastes).toHaveLength(4);
    expect(body.tastes).toContainEqual({
      field: 'smoking',
      value: '30',
      weight: expect.closeTo(Math.log(9)),
    });
    await feed.privacy('erase', anna);
    expect((await feed.privacy('export', anna)).body).toMatchObject({ feed: null, tastes: [] });
    expect(await feed.service.context.discover.feeds.find(anna)).toBeUndefined();
  });
});
