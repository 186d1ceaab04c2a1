import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { findTraces } from '@covalence/testing/find-traces';
import { createPseudonyms } from '../../src/usage/pseudonyms.ts';
import { z } from 'zod';
import { ubiEvent, ubiQuery } from '../../src/usage/ubi.ts';
import { person } from '../person.ts';
import { testNow } from '../population.ts';
import { startUsage, type UsageUnderTest } from './usage-harness.ts';

const secret = 'a-usage-secret-that-only-these-tests-have';
const [nora, iris] = [
  person(7_100_001, 'Female'),
  person(7_100_002, 'Female', { siteid: 4, group: 'island' }),
];
const men = [11, 12, 13, 14].map((id) => person(7_200_000 + id, 'Male', { traits: { smoking: 10 } }));
const islander = person(7_300_001, 'Male', { siteid: 4, group: 'island' });
const age = { from: 23, to: 44 };
const dayMs = 86_400_000;
const later = (ms: number) => new Date(testNow.getTime() + ms);

let usage: UsageUnderTest;

beforeAll(async () => {
  usage = await startUsage('usage', [nora, iris, ...men, islander], secret);
  usage.service.profile.platinum.add(nora.id);
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

describe('a recorded search', () => {
  it('has the versions, the coarse criteria and the results under pseudonyms', async () => {
    const ids = await idsOf({ page: 2, pagesize: 2, smoking: { values: [20, 10] } });
    const { searches } = await usage.recorded();
    const { of } = createPseudonyms(secret);
    expect(searches).toEqual([
      expect.objectContaining({
        searcher: of('searcher', nora.id, testNow),
        day: new Date(testNow.toISOString().slice(0, 10)),
        siteid: 1,
        sortby: 'relevance',
        pagesize: 2,
        first: 3,
        criteria: { age: { from: 20, to: 45 }, smoking: { values: ['10', '20'] } },
        versions: {
          settings: expect.any(Number),
          file: usage.service.context.settings.active.fileVersion,
          mapping: usage.service.context.index.mapping.version,
        },
        shown: ids.map((id) => of('shown', id, testNow)),
      }),
    ]);
    expect(ids).toHaveLength(2);
  });

  it('has sensitive, hidden, textual and local criteria by name only', async () => {
    const parameters = {
      religion: { values: [40] },
      a_abortion: { values: [10] },
      keywords: { value: 'my street 5' },
      location: { within: 50, of: '40.812345,-96.712345' },
      education: { values: [10, 20, 30, 40] },
    };
    const { status, body } = await usage.service.post(nora.id, { age, ...parameters });
    expect([status, body.failcode]).toEqual([200, undefined]);
    const [first] = (await usage.recorded()).searches;
    expect(first?.criteria).toEqual({
      a_abortion: true,
      age: { from: 20, to: 45 },
      education: true,
      keywords: true,
      location: { within: 50 },
      religion: true,
    });
    const site = usage.service.context.sites.get(1) ?? {};
    Object.assign(site, { answer_visibility: { smoking: 'owner' } });
    await search({ smoking: { values: [10] } });
    Object.assign(site, { answer_visibility: {} });
    const { searches } = await usage.recorded();
    expect(searches.map(({ criteria }) => criteria['smoking'])).toContain(true);
  });

  it('comes from every kind of search', async () => {
    await usage.service.get(nora.id, 'age[from]=20&age[to]=40');
    await usage.service.call(nora.id, 'post', '/search', { agefrom: 20, ageto: 40 });
    const { body } = await usage.service.call(nora.id, 'post', '/searches/saved', { name: 'Mine', age });
    await usage.service.call(nora.id, 'post', `/searches/saved/${body.id}/run`, {});
    await usage.service.call(nora.id, 'delete', `/searches/saved/${body.id}`);
    expect((await usage.recorded()).searches).toHaveLength(3);
  });

  it('is made only on sites with a sample, of the members in it', async () => {
    await usage.sample(0, { 4: { usage_sample: 1 } });
    await search();
    await search({}, iris.id);
    expect((await usage.recorded()).searches.map(({ siteid }) => siteid)).toEqual([4]);
    // The same members all week, and others in the next.
    const { lot } = createPseudonyms(secret);
    const lots = Array.from({ length: 2_000 }, (_, id) => lot(id, 5) < 0.25);
    expect(lots.filter(Boolean).length).toBeGreaterThan(420);
    expect(lots.filter(Boolean).length).toBeLessThan(580);
    expect(lots).not.toEqual(lots.map((_, id) => lot(id, 6) < 0.25));
  });

  it('is dropped and counted when MongoDB does not take it, and is never waited for', async () => {
    const { usage: parts, metrics } = usage.service.context;
    const dropped = async () => {
      const { values } = await metrics.usage.get();
      return values.find(({ labels }) => labels.outcome === 'dropped')?.value ?? 0;
    };
    const before = await dropped();
    const working = { ...parts.store };
    const never = Promise.withResolvers<void>();
    Object.assign(parts.store, { add: () => never.promise });
    await search();
    const flushing = parts.recorder.flush();
    await expect(search()).resolves.toMatchObject({ page: 1 });
    never.reject(new Error('MongoDB is down'));
    await flushing;
    Object.assign(parts.store, working);
    expect(await dropped()).toBe(before + 2);
  });
});

describe('what followed a search', () => {
  const first = men[0]?.id ?? 0;
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
    await usage.follow(viewed, liked);
    await usage.follow(liked, usage.event('pair.viewed', nora.id, iris.id, later(180_000)));
    const found = await actionsOf();
    expect(found).toHaveLength(2);
    expect(found).toEqual(
      expect.arrayContaining([
        { action: 'like', position: 2, search: last?._id },
        { action: 'view', position: 2, search: last?._id },
      ]),
    );
  });

  it('is not what a member does a day later, or did before', async () => {
    await search();
    await usage.follow(
      usage.event('pair.liked', nora.id, first, later(-1)),
      usage.event('pair.liked', nora.id, first, later(dayMs)),
    );
    expect(await actionsOf()).toEqual([]);
  });

  it('includes replies: a message or a like in return', async () => {
    await search();
    const [liked = 0, written = 0] = men.slice(1).map(({ id }) => id);
    await usage.follow(
      usage.event('pair.liked', nora.id, liked, later(1_000)),
      usage.event('message.sent', nora.id, written, later(1_000)),
    );
    await usage.follow(
      usage.event('pair.mutual', liked, nora.id, later(2 * dayMs)),
      usage.event('pair.mutual', nora.id, liked, later(2 * dayMs)),
      usage.event('message.sent', written, nora.id, later(3 * dayMs)),
    );
    const found = (await actionsOf()).map(({ action, position }) => `${action} ${position}`).sort();
    expect(found).toEqual(['like 2', 'message 3', 'reply 2', 'reply 3']);
  });

  it('finds a search of the week before by its pseudonyms', async () => {
    const weekEnd = new Date(Math.ceil(testNow.getTime() / (7 * dayMs)) * 7 * dayMs);
    usage.service.setNow(new Date(weekEnd.getTime() - 1_000));
    await search();
    await usage.follow(usage.event('pair.viewed', nora.id, first, new Date(weekEnd.getTime() + 1_000)));
    expect(await actionsOf()).toMatchObject([{ action: 'view', position: 1 }]);
  });
});

describe('the lines of an export', () => {
  const text = z.string().max(100);
  /** The published schema of UBI 1.3.0, as far as the lines use it. */
  const query = z.strictObject({
    application: text,
    query_id: z.uuid(),
    client_id: text,
    user_query: z.string(),
    query_attributes: z.looseObject({}),
    object_id_field: text,
    timestamp: z.iso.datetime(),
    query_response_id: z.string(),
    query_response_hit_ids: z.array(z.string()),
  });
  const event = z.strictObject({
    application: text,
    action_name: text,
    query_id: z.uuid(),
    client_id: text,
    timestamp: z.iso.datetime(),
    event_attributes: z.looseObject({
      object: z.looseObject({ object_id: z.string().max(256), object_id_type: text, object_id_field: text }),
      position: z.strictObject({ ordinal: z.int().positive() }),
    }),
  });

  it('are queries and events of User Behavior Insights that name each other', async () => {
    const [first = 0] = await idsOf({ smoking: { values: [10] }, religion: { values: [40] } });
    await usage.follow(usage.event('pair.viewed', nora.id, first));
    const { searches, actions } = await usage.recorded();
    const [asked] = searches.map((one) => query.parse(ubiQuery(one)));
    const [followed] = actions.map((one) => event.parse(ubiEvent(one)));
    expect(asked?.user_query).toBe('age=20-45 religion smoking=10 relevance');
    expect(followed).toMatchObject({
      action_name: 'view',
      query_id: asked?.query_id,
      client_id: asked?.client_id,
      event_attributes: { object: { object_id: asked?.query_response_hit_ids[0] }, position: { ordinal: 1 } },
    });
  });
});

describe('the store', () => {
  const everybody = [nora, iris, ...men, islander].map(({ id }) => id);

  it('tells a thief no member, place, text or time, and joins no searcher over weeks, and nobody shown over days', async () => {
    const first = men[0]?.id ?? 0;
    await search({ keywords: { value: 'violet harbour' }, location: { within: 50 } });
    await usage.follow(usage.event('pair.liked', nora.id, first));
    usage.service.setNow(later(dayMs));
    await search();
    usage.service.setNow(later(7 * dayMs));
    await search();
    const { searches, actions } = await usage.recorded();
    expect([searches.length, actions.length]).toEqual([3, 1]);
    const text = JSON.stringify([searches, actions]);
    for (const trace of [...everybody.map(String), 'violet', '40.8', '96.7', nora.date_of_birth]) {
      expect(text).not.toContain(trace);
    }
    const pseudonyms = [...new Set(text.match(/"[\w-]{22}"/g))];
    // Three searches with four results each, and nobody has one name in two of them but the searcher within a week.
    expect(pseudonyms).toHaveLength(2 + 3 * men.length);
    for (const { day } of [...searches, ...actions]) expect(day.getTime() % dayMs).toBe(0);
    for (const document of await usage.stored('usage_searches', 'usage_actions')) {
      expect((document['expires'] as Date).getTime() % dayMs).toBe(0);
    }
    // The exact time is kept in one place, for a day.
    for (const document of await usage.stored('usage_recent')) {
      const { at, expires } = document as unknown as { at: Date; expires: Date };
      expect(expires.getTime() - at.getTime()).toBe(dayMs);
    }
  });

  it('cannot be searched for a member without the secret', () => {
    const own = createPseudonyms(secret).of('shown', 5, testNow);
    expect(createPseudonyms(`${secret}!`).of('shown', 5, testNow)).not.toBe(own);
    // Who finds themselves among the results does not find their own searches.
    expect(createPseudonyms(secret).of('searcher', 5, testNow)).not.toBe(own);
  });

  it('is exported with the data of the searcher, and not with that of who was shown', async () => {
    const first = men[0]?.id ?? 0;
    await search({ smoking: { values: [10] } });
    await usage.follow(usage.event('pair.viewed', nora.id, first));
    const exported = await usage.privacy('export', nora.id);
    expect(exported.body.recorded_searches).toEqual([
      {
        day: testNow.toISOString().slice(0, 10),
        siteid: 1,
        sortby: 'relevance',
        criteria: { age: { from: 20, to: 45 }, smoking: { values: ['10'] } },
        results: 4,
        first: 1,
        actions: [{ action: 'view', position: 1 }],
      },
    ]);
    expect((await usage.privacy('export', first)).body.recorded_searches).toEqual([]);
  });

  it('forgets an erased member as searcher and as shown, also after 89 days', async () => {
    const [first = 0, second = 0] = men.map(({ id }) => id);
    await search();
    await search({}, iris.id);
    await usage.follow(
      usage.event('pair.viewed', nora.id, first),
      usage.event('pair.viewed', nora.id, second),
    );
    usage.service.setNow(later(89 * dayMs));
    expect((await usage.privacy('erase', first)).status).toBe(200);
    const { searches, actions } = await usage.recorded();
    expect(actions.map(({ position }) => position)).toEqual([2]);
    const own = searches.find(({ siteid }) => siteid === 1);
    expect(own?.shown.map((name) => name.length)).toEqual([0, 22, 22, 22]);
    expect((await usage.privacy('erase', nora.id)).status).toBe(200);
    const left = await usage.recorded();
    expect([left.searches.map(({ siteid }) => siteid), left.actions]).toEqual([[4], []]);
    expect(await usage.stored('usage_recent')).toHaveLength(1);
    const { namespace } = usage.service;
    expect(await findTraces({ namespace, of: [nora.id] })).toEqual([]);
  });
});
