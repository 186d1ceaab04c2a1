import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createPseudonyms, weekOf } from '../../src/usage/pseudonyms.ts';
import { person } from '../person.ts';
import { testNow } from '../population.ts';
import { startUsage, type UsageUnderTest } from './usage-harness.ts';

const secret = 'a-usage-secret-that-only-these-tests-have';
const [nora, iris] = [person(7_100_001, 'Female'), person(7_100_002, 'Female')];
const men = [11, 12, 13, 14].map((id) => person(7_200_000 + id, 'Male', { traits: { smoking: 10 } }));
const first = men[0]?.id ?? 0;
const age = { from: 23, to: 44 };
const dayMs = 86_400_000;
const later = (ms: number) => new Date(testNow.getTime() + ms);

let usage: UsageUnderTest;

beforeAll(async () => {
  usage = await startUsage('attribution', [nora, iris, ...men], secret);
});
beforeEach(() => usage.clear());
afterAll(() => usage?.service.close());

const search = (parameters: object = {}, viewer = nora.id) =>
  usage.service.search(viewer, { age, sortby: 'relevance', ...parameters });
const idsOf = async (parameters: object = {}) => (await search(parameters)).users.map(({ id }) => id);

const actionsOf = async () =>
  (await usage.recorded()).actions.map(({ action, position, search: id }) => ({
    action,
    position,
    search: id,
  }));
const namesOf = async () => (await actionsOf()).map(({ action, position }) => `${action} ${position}`).sort();

describe('what followed a search', () => {
  it('is noted at the last search that showed the member, once, with the position', async () => {
    await search();
    usage.service.setNow(later(60_000));
    const ids = await idsOf({ page: 1, pagesize: 3 });
    usage.service.setNow(later(120_000));
    await idsOf({ page: 2, pagesize: 3 });
    const [, second] = (await usage.recorded()).searches.sort((one, other) => one.pagesize - other.pagesize);
    const last = (await usage.recorded()).searches.find(
      ({ pagesize, first: at }) => pagesize === 3 && at === 1,
    );
    expect(second).toBeDefined();
    const liked = usage.event('pair.liked', nora.id, ids[1] ?? 0, later(180_000));
    const viewed = usage.event('pair.viewed', nora.id, ids[1] ?? 0, later(150_000));
    await usage.attribute(viewed, liked);
    await usage.attribute(liked, usage.event('pair.viewed', nora.id, iris.id, later(180_000)));
    const found = await actionsOf();
    expect(found).toHaveLength(2);
    expect(found).toEqual(
      expect.arrayContaining([
        { action: 'like', position: 2, search: last?._id },
        { action: 'view', position: 2, search: last?._id },
      ]),
    );
  });

  it('comes on the day of the search or the next, not later, nor on a day before', async () => {
    await search();
    const [second = 0, third = 0] = men.slice(1).map(({ id }) => id);
    await usage.attribute(
      usage.event('pair.liked', nora.id, first, later(-dayMs)),
      usage.event('pair.liked', nora.id, second, later(dayMs)),
      usage.event('pair.liked', nora.id, third, later(2 * dayMs)),
    );
    expect(await namesOf()).toEqual(['like 2']);
  });

  it('includes replies: a message or a like in return', async () => {
    await search();
    const [liked = 0, written = 0] = men.slice(1).map(({ id }) => id);
    await usage.attribute(
      usage.event('pair.liked', nora.id, liked, later(1_000)),
      usage.event('message.sent', nora.id, written, later(1_000)),
    );
    await usage.attribute(
      usage.event('pair.mutual', liked, nora.id, later(2 * dayMs)),
      usage.event('pair.mutual', nora.id, liked, later(2 * dayMs)),
      usage.event('message.sent', written, nora.id, later(3 * dayMs)),
    );
    expect(await namesOf()).toEqual(['like 2', 'message 3', 'reply 2', 'reply 3']);
  });

  it('includes a reply in the week after a like of the next day, but not a later one', async () => {
    await search();
    const second = men[1]?.id ?? 0;
    await usage.attribute(
      usage.event('pair.liked', nora.id, first, later(dayMs)),
      usage.event('pair.liked', nora.id, second, later(dayMs)),
      usage.event('message.sent', first, nora.id, later(8 * dayMs)),
      usage.event('message.sent', second, nora.id, later(9 * dayMs)),
    );
    expect(await namesOf()).toEqual(['like 1', 'like 2', 'reply 1']);
  });

  it('is nothing of a connection for the member who made it, or whose like is not recorded', async () => {
    await search({}, first);
    await search();
    const connection = [
      usage.event('pair.mutual', nora.id, first, later(1_000)),
      usage.event('pair.mutual', first, nora.id, later(1_000)),
    ];
    await usage.attribute(...connection);
    await usage.attribute(...connection.toReversed());
    expect(await namesOf()).toEqual([]);
  });

  it('is nothing that the feed, the pair of the day or an alert may have led to', async () => {
    await search();
    const { alerts, discover } = usage.service.context;
    const { feeds, matchingResults } = discover;
    const [fed = 0, paired = 0, told = 0, searched = 0] = men.map(({ id }) => id);
    const day = testNow.toISOString().slice(0, 10);
    await feeds.put(nora.id, { list: 'list', day, basis: 'basis', members: [fed] });
    await matchingResults.put(day, [{ member: nora.id, price: 0, pair: paired, suggested: [], owed: [] }]);
    const match = { search: 'one', searcher: nora.id, due: testNow, held: false };
    await alerts.matches.add([told, searched].map((member) => ({ ...match, member })));
    await alerts.matches.settle(nora.id, [told], { notified: [told], leftOut: [] });
    await usage.attribute(
      ...[fed, paired, told, searched].map((other) =>
        usage.event('pair.viewed', nora.id, other, later(1_000)),
      ),
    );
    for (const store of [feeds, matchingResults, alerts.matches]) await store.forget([nora.id]);
    expect(await namesOf()).toEqual(['view 4']);
  });

  it('is not looked for where the member was in no sample of three weeks', async () => {
    await search();
    const { lot } = createPseudonyms([secret]);
    const lots = [0, 1, 2].map((weeks) => lot(nora.id, weekOf(testNow) - weeks));
    await usage.sample(Math.min(...lots));
    await usage.attribute(usage.event('pair.viewed', nora.id, first, later(1_000)));
    expect(await namesOf()).toEqual([]);
    await usage.sample(Math.min(...lots) + 0.001);
    await usage.attribute(usage.event('pair.viewed', nora.id, first, later(1_000)));
    expect(await namesOf()).toEqual(['view 1']);
  });

  it('finds a search of the week before by its pseudonyms', async () => {
    const weekEnd = new Date(Math.ceil(testNow.getTime() / (7 * dayMs)) * 7 * dayMs);
    usage.service.setNow(new Date(weekEnd.getTime() - 1_000));
    await search();
    await usage.attribute(usage.event('pair.viewed', nora.id, first, new Date(weekEnd.getTime() + 1_000)));
    expect(await actionsOf()).toMatchObject([{ action: 'view', position: 1 }]);
  });
});
