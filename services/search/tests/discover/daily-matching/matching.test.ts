import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { SearchProjection } from '@covalence/contract/search-projection';
import { always } from '@covalence/events/periodic';
import { matchDay } from '../../../src/discover/daily-matching/match-day.ts';
import { testNow } from '../../population.ts';
import { startFeed, type FeedUnderTest } from '../feed-harness.ts';

const dayMs = 86_400_000;
const tomorrow = new Date(testNow.getTime() + dayMs);

describe('the daily matching', () => {
  let feed: FeedUnderTest;

  beforeAll(async () => {
    feed = await startFeed('matching');
  });
  afterEach(async () => {
    await feed.clear();
    await feed.service.context.connection.collection('standings').deleteMany({});
    await feed.service.context.connection.collection('markets').deleteMany({});
  });
  afterAll(() => feed?.service.close());

  const match = (mayGoOn?: () => Promise<boolean>) => matchDay(feed.service.context, mayGoOn);
  const resultOf = (member: number) => feed.service.context.discover.matchingResults.find(member);
  const price = async (member: number) => (await resultOf(member))?.price;
  const daily = async (member: number) => {
    const { status, body } = await feed.service.call(member, 'get', '/discover/daily');
    expect([status, body.fail]).toEqual([200, undefined]);
    return body as {
      day: string | null;
      users: { id: number; reasons: string[] }[];
    };
  };
  const pairOf = async (member: number) => (await daily(member)).users.map(({ id }) => id);
  it('makes feeds begin with members whom fewer others want, of those who fit as well', async () => {
    const [wanted = 0, free = 0] = await feed.men({}, { date_of_birth: '1976-01-01' });
    const others = await feed.made('Female', ...Array.from({ length: 20 }, () => ({})));
    for (const other of others) await feed.wish(other, { age: { from: 30, to: 40 } });
    const open = await feed.made('Female', {}, {}, {}, {}, {}, {});
    await match();
    expect(await price(wanted)).toBeGreaterThan((await price(free)) ?? Infinity);
    for (const woman of open) expect(await feed.list(woman)).toEqual([free, wanted]);
  });

  it('shows a member who joined later early, and first to some, even if others seem a little better', async () => {
    const women = await feed.made('Female', ...Array.from({ length: 20 }, () => ({})));
    await feed.men({}, {});
    await match();
    const last_seen = new Date(testNow.getTime() - 60 * dayMs).toISOString();
    const [late = 0] = await feed.made('Male', { last_seen, joined: testNow.toISOString() });
    const places = new Set<number>();
    for (const woman of women) places.add((await feed.list(woman)).indexOf(late));
    expect(await price(late)).toBeUndefined();
    expect(places).toEqual(new Set([0, 1]));
  });

  it('gives no head start to criteria that fit nobody while it runs', async () => {
    const women = await feed.made('Female', ...Array.from({ length: 12 }, () => ({})));
    const [usual = 0, hidden = 0] = await feed.men({}, {});
    await feed.wish(hidden, { age: { from: 98, to: 99 } });
    await match();
    expect([await price(usual), await price(hidden)]).toEqual([expect.any(Number), undefined]);
    await feed.wish(hidden, { age: { from: 18, to: 99 } });
    feed.service.setNow(new Date(testNow.getTime() + 3 * dayMs));
    const first: number[] = [];
    for (const woman of women) first.push((await feed.list(woman))[0] ?? 0);
    expect(new Set(first)).toEqual(new Set([usual, hidden]));
  });

  it('puts members who are owed a place at the beginning of a feed, also whom no search finds', async () => {
    const [anna = 0, mary = 0] = await feed.made('Female', {}, {});
    await feed.men(...Array.from({ length: 210 }, () => ({ traits: { smoking: 10 } })));
    const [owed = 0, limited = 0] = await feed.men({}, {});
    for (const woman of [anna, mary]) await feed.wish(woman, { smoking: { value: 10 } });
    await feed.wish(limited, { age: { from: 98, to: 99 } });
    const all = [owed, limited];
    const result = { member: anna, price: 0, suggested: all, owed: all };
    await feed.service.context.discover.matchingResults.put('2026-06-15', [result]);
    expect((await feed.list(mary)).filter((id) => all.includes(id))).toEqual([]);
    const list = await feed.list(anna);
    expect(list.filter((id) => all.includes(id))).toEqual([owed]);
    // A tenth of all candidates.
    expect(list.indexOf(owed)).toBeLessThan(22);
  });

  it('shows a pair only while it is that of both', async () => {
    const anna = await feed.woman();
    const [ben = 0] = await feed.men({});
    await match();
    expect([await pairOf(anna), await pairOf(ben)]).toEqual([[ben], [anna]]);
    await feed.service.context.discover.matchingResults.put('2026-06-16', [
      { member: ben, price: 1, suggested: [], owed: [] },
    ]);
    expect([await pairOf(anna), await pairOf(ben)]).toEqual([[], []]);
  });

  it('pairs members with one another, each at most once, within the limits of both', async () => {
    const women = await feed.made('Female', {}, {}, {});
    const men = await feed.made('Male', {}, { date_of_birth: '1960-01-01' }, { last_seen: null });
    const [anna = 0, mary = 0] = women;
    const [ben = 0, old = 0, absent = 0] = men;
    for (const woman of women) await feed.wish(woman, { age: { from: 30, to: 40 } });
    await feed.wish(ben, { smoking: { value: 10 } });
    await feed.change(anna, { traits: { smoking: 10, drinking: 30 } });
    await feed.change(ben, { traits: { drinking: 30 } });
    await match();
    expect(await daily(anna)).toEqual({
      day: '2026-06-15',
      users: [expect.objectContaining({ id: ben, reasons: ['drinking'] })],
    });
    expect(await pairOf(ben)).toEqual([anna]);
    for (const member of [mary, old, absent]) expect(await pairOf(member)).toEqual([]);
    expect((await daily(absent)).day).toBeNull();
  });

  it.each([
    ['likes', { likes: true }],
    ['passed', { passed_until: tomorrow.toISOString() }],
    ['blocks', { blocks: true }],
    ['is blocked by', { blocked_by: true }],
  ])('shows no pair to a member who %s the other', async (_what, relation) => {
    const anna = await feed.woman();
    const [ben = 0] = await feed.made('Male', {});
    await match();
    feed.service.profile.relations.set(anna, [{ other: ben, ...relation }]);
    expect(await pairOf(anna)).toEqual([]);
    expect(await pairOf(ben)).toEqual([anna]);
    await feed.change(anna, { visible: false });
    expect(await pairOf(ben)).toEqual([]);
  });

  it('runs once a day, and again where it was interrupted', async () => {
    const anna = await feed.woman();
    await feed.made('Male', {});
    await match(() => Promise.resolve(false));
    expect(await resultOf(anna)).toBeUndefined();
    await match();
    const first = await resultOf(anna);
    expect(first?.day).toBe('2026-06-15');
    await feed.made('Male', ...Array.from({ length: 10 }, () => ({})));
    await match();
    expect(await resultOf(anna)).toEqual(first);
    feed.service.setNow(tomorrow);
    await match();
    expect((await resultOf(anna))?.day).toBe('2026-06-16');
  });

  it('pairs others the next day, where there are others', async () => {
    const women = await feed.made('Female', {}, {});
    await feed.men({}, {});
    const pairs: number[][] = [];
    for (let day = 0; day < 6; day += 1) {
      feed.service.setNow(new Date(testNow.getTime() + day * dayMs));
      await match();
      pairs.push((await Promise.all(women.map(pairOf))).flat());
    }
    const [first, second] = pairs;
    expect(first).toHaveLength(2);
    expect(second).toEqual(first?.toReversed());
    expect(pairs).toEqual([first, second, first, second, first, second]);
  });

  it('divides many members into markets, with prices and pairs for all', async () => {
    const women = await feed.made('Female', ...Array.from({ length: 30 }, () => ({})));
    await feed.men(...Array.from({ length: 30 }, () => ({})));
    expect(await matchDay(feed.service.context, always, 20)).toBe(0);
    const found = await Promise.all(women.map(resultOf));
    expect(found.map((one) => one?.day)).toEqual(women.map(() => '2026-06-15'));
    const pairs = found.flatMap((one) => one?.pair ?? []);
    expect(pairs.length).toBeGreaterThan(10);
    expect(new Set(pairs).size).toBe(pairs.length);
  });

  it('goes on with other groups of sites where one fails, and does that one again', async () => {
    const [anna = 0, eleni = 0] = await feed.made('Female', {}, { siteid: 3, group: 'agora' });
    await feed.men({}, { siteid: 3, group: 'agora' });
    const { context } = feed.service;
    const { index } = context;
    const search: typeof index.members.search = (request) =>
      JSON.stringify(request).includes('[1,2]')
        ? Promise.reject(new Error('too large'))
        : index.members.search(request);
    const broken = { ...context, index: { ...index, members: { ...index.members, search } } };
    expect(await matchDay(broken)).toBe(1);
    expect([await resultOf(anna), await price(eleni)]).toEqual([undefined, expect.any(Number)]);
    expect(await match()).toBe(0);
    expect(await price(anna)).toEqual(expect.any(Number));
  });

  it('reads members whose criteria cannot be read as if they had none, here and in feeds', async () => {
    const anna = await feed.woman();
    const [ben = 0] = await feed.men({});
    await feed.wish(ben, { smoking: { value: 10 } });
    const $set = { criteria: { age: 'any', height: { from: 'tall' }, country: { value: 'DE' } } };
    const stored = feed.service.context.connection.collection<{ _id: number }>('match_criteria');
    await stored.updateOne({ _id: ben }, { $set });
    expect(await match()).toBe(0);
    // His limit to Germany can be read.
    expect([await price(ben), await feed.list(anna)]).toEqual([undefined, []]);
    await stored.updateOne({ _id: ben }, { $unset: { 'criteria.country': 1 } });
    feed.service.setNow(tomorrow);
    expect(await match()).toBe(0);
    expect([await price(ben), await feed.list(anna)]).toEqual([expect.any(Number), [ben]]);
  });

  it('compares members of different groups of sites by what is usual in theirs', async () => {
    const world = { world_plus: true };
    const agora = { siteid: 3, group: 'agora', ...world };
    await feed.made('Female', ...Array.from({ length: 12 }, () => ({})));
    await feed.made('Female', agora, agora);
    const men = await feed.men(world, world, agora, agora);
    await match();
    // Each man of the first group is wanted by many more.
    const prices = await Promise.all(men.map(price));
    for (const one of prices) expect(one).toBeCloseTo(0, 1);
    const anna = await feed.woman(world);
    const first = new Set<string>();
    for (let day = 0; day < 20; day += 1) {
      feed.service.setNow(new Date(testNow.getTime() + day * dayMs));
      first.add(men.indexOf((await feed.list(anna))[0] ?? 0) < 2 ? 'heartland' : 'agora');
    }
    expect(first).toEqual(new Set(['heartland', 'agora']));
  });

  it('leaves sites without a feed alone', async () => {
    const island: Partial<SearchProjection> = {
      siteid: 4,
      group: 'island',
      world_plus: false,
    };
    const anna = await feed.woman(island);
    await feed.made('Male', island);
    await feed.enable(true, { 4: { discover: false } });
    await match();
    expect(await price(anna)).toBeUndefined();
    expect((await feed.service.call(anna, 'get', '/discover/daily')).status).toBe(404);
  });

  it('is exported, and erased with the member, also from the pair', async () => {
    const anna = await feed.woman();
    const [ben = 0] = await feed.made('Male', {});
    await match();
    expect((await feed.privacy('export', anna)).body.matching).toEqual({
      day: '2026-06-15',
      price: await price(anna),
      has_pair: true,
      suggested: 1,
    });
    await feed.privacy('erase', anna);
    expect((await feed.privacy('export', anna)).body.matching).toBeNull();
    const result = await resultOf(ben);
    expect([result?.pair, result?.suggested]).toEqual([undefined, []]);
  });
});
