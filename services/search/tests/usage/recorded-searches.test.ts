import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createTcpProxy } from '@covalence/testing/tcp-proxy';
import { testStores } from '@covalence/testing/test-stores';
import { createApp } from '../../src/app.ts';
import type { Context } from '../../src/context.ts';
import { describeCriteria } from '../../src/usage/describe-search.ts';
import { siteRelevance } from '../../src/relevance/relevance-settings.ts';
import { createPseudonyms, weekOf } from '../../src/usage/pseudonyms.ts';
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
const { lot } = createPseudonyms([secret]);
const criteriaOf = async () => (await usage.recorded()).searches.map(({ criteria }) => criteria);

describe('a recorded search', () => {
  it('has the versions, the coarse criteria and the results under pseudonyms', async () => {
    const ids = await idsOf({ page: 2, pagesize: 2, smoking: { values: [20, 10] } });
    const { searches } = await usage.recorded();
    const { of } = createPseudonyms([secret]);
    expect(searches).toEqual([
      expect.objectContaining({
        searcher: of('searcher', nora.id, testNow),
        day: new Date(testNow.toISOString().slice(0, 10)),
        siteid: 1,
        sortby: 'relevance',
        pagesize: 2,
        first: 3,
        criteria: { age: { from: 20, to: 50 }, smoking: { values: ['10', '20'] } },
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

  it('has an empty place for a member whom profile does not show, so that positions stay', async () => {
    const [first, second] = men.map(({ id }) => id);
    usage.service.profile.hidden.add(first ?? 0);
    const ids = await idsOf({ pagesize: 2 });
    usage.service.profile.hidden.clear();
    expect(ids).toEqual([second]);
    const { of } = createPseudonyms([secret]);
    const { searches } = await usage.recorded();
    expect(searches.map(({ shown }) => shown)).toEqual([['', of('shown', second ?? 0, testNow)]]);
    await usage.attribute(usage.event('pair.viewed', nora.id, second ?? 0));
    expect((await usage.recorded()).actions.map(({ position }) => position)).toEqual([2]);
  });

  it('has texts, places and criteria with many answers by name, and counts sensitive and hidden ones', async () => {
    await search({
      keywords: { value: 'my street 5' },
      location: { within: 30, of: '40.812345,-96.712345' },
    });
    await search({
      religion: { values: [40] },
      a_abortion: { values: [10] },
      education: { values: [10, 20] },
    });
    await search({ language: { values: [10] }, country: { value: 'US' }, smoking: { values: [10, 20, 30] } });
    const site = usage.service.context.sites.get(1) ?? {};
    Object.assign(site, { answer_visibility: { smoking: 'owner' } });
    await search({ smoking: { values: [10] } });
    Object.assign(site, { answer_visibility: {} });
    const classes = { from: 20, to: 50 };
    expect(await criteriaOf()).toEqual(
      expect.arrayContaining([
        { age: classes, keywords: true, location: { within: 50 } },
        { age: classes, education: { values: ['10', '20'] }, others: { count: 2 } },
        { age: classes, language: true, country: true, smoking: true },
        { age: classes, others: { count: 1 } },
      ]),
    );
  });

  it('names four criteria, three with classes or values, and counts the others', async () => {
    const many = Object.fromEntries(
      ['smoking', 'drinking', 'exercise', 'build', 'has_children'].map((name) => [name, { values: [10] }]),
    );
    await search({ ...many, height: { from: 171, to: 188 }, location: { within: 1000 } });
    expect(await criteriaOf()).toEqual([
      {
        age: { from: 20, to: 50 },
        location: { within: -1 },
        height: { from: 170, to: 190 },
        build: true,
        others: { count: 4 },
      },
    ]);
  });

  it('widens a range that has no bounds, too', () => {
    const criterion = { name: 'steps', form: 'range', tier: 'basic', weight: 1 } as const;
    const site = usage.service.context.sites.get(1);
    if (!site) throw new Error('no site');
    const range = { form: 'range', criterion, from: 11, to: 23 } as const;
    expect(describeCriteria([range], site)).toEqual({ steps: { from: 10, to: 30 } });
  });

  it('comes from every kind of search by relevance, and from no other', async () => {
    await usage.service.get(nora.id, 'age[from]=20&age[to]=40&sortby=relevance');
    await usage.service.call(nora.id, 'post', '/search', { agefrom: 20, ageto: 40, sortby: 'relevance' });
    const { body } = await usage.service.call(nora.id, 'post', '/searches/saved', {
      name: 'Mine',
      age,
      sortby: 'relevance',
    });
    await usage.service.call(nora.id, 'post', `/searches/saved/${body.id}/run`, {});
    await usage.service.call(nora.id, 'delete', `/searches/saved/${body.id}`);
    for (const sortby of ['distance', 'newest']) await search({ sortby });
    expect((await usage.recorded()).searches).toHaveLength(3);
  });

  it('is made only on sites with a sample, of the members in it', async () => {
    await usage.sample(0, { 4: { usage_sample: 1 } });
    await search();
    await search({}, iris.id);
    expect((await usage.recorded()).searches.map(({ siteid }) => siteid)).toEqual([4]);
    await usage.clear();
    const [low = 0, high = 0] = [nora.id, iris.id]
      .map((id) => lot(id, weekOf(testNow)))
      .toSorted((one, other) => one - other);
    await usage.sample((low + high) / 2);
    await search();
    await search({}, iris.id);
    const [inside] = [nora, iris].filter(({ id }) => lot(id, weekOf(testNow)) === low);
    expect((await usage.recorded()).searches.map(({ siteid }) => siteid)).toEqual([inside?.siteid]);
  });

  it('is made of the share of members that the sample says, of others each week', () => {
    const lots = Array.from({ length: 2_000 }, (_, id) => lot(id, 5) < 0.25);
    expect(lots.filter(Boolean).length).toBeGreaterThan(420);
    expect(lots.filter(Boolean).length).toBeLessThan(580);
    expect(lots).not.toEqual(lots.map((_, id) => lot(id, 6) < 0.25));
  });
});

const outcomes = async ({ metrics }: Context) => {
  const { values } = await metrics.usage.get();
  return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]));
};

/** Records so many searches in a process, without searching. */
function record({ usage: { recorder }, settings }: Context, count: number): void {
  const relevance = siteRelevance({ ...settings.active.ofFile, usage_sample: 1 }, 1);
  const versions = { settings: 1, file: 1, mapping: 1 };
  const begun = {
    member: nora.id,
    recorded: true,
    siteid: 1,
    criteria: [],
    sortby: 'relevance',
    page: 1,
    pagesize: 20,
  } as const;
  for (let each = 0; each < count; each += 1)
    recorder.begin({ ...begun, relevance, versions, at: testNow })?.end([], undefined);
}

describe('the buffer of a process', () => {
  it('is stored at the shutdown', async () => {
    const process = await usage.another({ USAGE_SECRET: secret });
    await usage.service.post(nora.id, { age, sortby: 'relevance' }, createApp(process));
    expect((await usage.recorded()).searches).toEqual([]);
    await process.close();
    expect((await usage.recorded()).searches).toHaveLength(1);
  });

  it('is dropped and counted while there is no connection to MongoDB', async () => {
    const process = await usage.another({ USAGE_SECRET: secret });
    const app = createApp(process);
    for (const page of [1, 2]) await usage.service.post(nora.id, { age, sortby: 'relevance', page }, app);
    await process.connection.close();
    await process.usage.recorder.flush();
    expect(await outcomes(process)).toEqual({ dropped: 2 });
    await process.close();
    expect((await usage.recorded()).searches).toEqual([]);
  });

  it('takes 5,000 searches, and drops and counts the others', async () => {
    const process = await usage.another({ USAGE_SECRET: secret });
    record(process, 5_002);
    expect(await outcomes(process)).toEqual({ dropped: 2 });
    await process.usage.recorder.flush();
    expect(await outcomes(process)).toEqual({ dropped: 2, stored: 5_000 });
    await process.close();
  });

  it('holds up no shutdown while MongoDB does not answer', async () => {
    const line = await createTcpProxy(testStores().MONGODB_URL);
    const process = await usage.another({ USAGE_SECRET: secret, MONGODB_URL: line.url });
    record(process, 251);
    line.slow(600_000);
    await process.usage.recorder.close();
    // The others are on their way.
    expect(await outcomes(process)).toEqual({ dropped: 1 });
    await line.close();
    await process.close();
  });
});

describe('the lines of an export', () => {
  const text = z.string().max(100);
  /**
   * The fields that the lines have, by the published schemas (https://o19s.github.io/ubi/schema/1.3.0).
   * Alternatives that include each other stand there as `oneOf`, which refuses every UUID and the schemas'
   * own examples: they are meant as `anyOf`.
   */
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
    await usage.attribute(usage.event('pair.viewed', nora.id, first));
    const { searches, actions } = await usage.recorded();
    const [asked] = searches.map((one) => query.parse(ubiQuery(one)));
    const [followed] = actions.map((one) => event.parse(ubiEvent(one)));
    expect(asked?.user_query).toBe('age=20-50 smoking=10 others=1 relevance');
    expect(followed).toMatchObject({
      action_name: 'view',
      query_id: asked?.query_id,
      client_id: asked?.client_id,
      event_attributes: { object: { object_id: asked?.query_response_hit_ids[0] }, position: { ordinal: 1 } },
    });
  });
});
