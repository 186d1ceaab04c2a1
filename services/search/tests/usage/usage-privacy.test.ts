import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newEvent } from '@covalence/events/new-event';
import { findTraces } from '@covalence/testing/find-traces';
import { onMemberChanged } from '../../src/index/on-member-changed.ts';
import { createPseudonyms } from '../../src/usage/pseudonyms.ts';
import { person } from '../person.ts';
import { testNow } from '../population.ts';
import { startUsage, type UsageUnderTest } from './usage-harness.ts';

const secret = 'a-usage-secret-that-only-these-tests-have';
const another = 'another-usage-secret-of-these-tests-alone';
const [nora, iris] = [person(7_100_001, 'Female'), person(7_100_002, 'Female')];
const men = [11, 12, 13, 14, 15, 16].map((id) => person(7_200_000 + id, 'Male', { traits: { smoking: 10 } }));
const everybody = [nora, iris, ...men].map(({ id }) => id);
const age = { from: 23, to: 44 };
const dayMs = 86_400_000;
const later = (ms: number) => new Date(testNow.getTime() + ms);
const collections = ['usage_searches', 'usage_recent', 'usage_actions'];

let usage: UsageUnderTest;

beforeAll(async () => {
  usage = await startUsage('usage-privacy', [nora, iris, ...men], secret);
  usage.service.profile.platinum.add(nora.id);
});
beforeEach(() => usage.clear());
afterAll(() => usage?.service.close());

const search = (parameters: object = {}, viewer = nora.id) =>
  usage.service.search(viewer, { age, sortby: 'relevance', ...parameters });
const idsOf = async (parameters: object = {}) => (await search(parameters)).users.map(({ id }) => id);

/** The names of members that last for the days of these tests. */
const namesOf = (members: readonly number[]) => {
  const pseudonyms = createPseudonyms([secret]);
  return members.flatMap((member) => [
    ...pseudonyms.before(later(dayMs), 'searcher', member, 30 * dayMs),
    ...pseudonyms.before(later(dayMs), 'shown', member, 30 * dayMs),
  ]);
};
const tracesOf = (...members: readonly number[]) =>
  findTraces({ namespace: usage.service.namespace, of: namesOf(members) });

describe('the store', () => {
  it('has no number of a member, text, place or time of day, and other pseudonyms each week and day', async () => {
    const [first = 0] = men.map(({ id }) => id);
    await search({ keywords: { value: 'violet harbour' }, location: { within: 50 } });
    await usage.attribute(usage.event('pair.liked', nora.id, first));
    usage.service.setNow(later(dayMs));
    await search();
    usage.service.setNow(later(7 * dayMs));
    await search();
    await usage.recorded();
    const stored = await usage.stored(...collections);
    expect(stored).toHaveLength(3 + 3 + 1);
    const text = JSON.stringify(stored);
    for (const trace of [...everybody.map(String), 'violet', '40.8', '96.7', nora.date_of_birth]) {
      expect(text).not.toContain(trace);
    }
    const names = (form: RegExp) => new Set(text.match(form)).size;
    expect(names(/"[\w-]{6}\.[\w-]{22}"/g)).toBe(2);
    expect(names(/"[\w-]{22}"/g)).toBe(3 * men.length);
    const times = stored.flatMap((document) => Object.values(document).filter((one) => one instanceof Date));
    expect(times).toHaveLength(2 * stored.length);
    for (const time of times) expect(time.getTime() % dayMs).toBe(0);
  });

  it('has the searches of a batch in an order of chance', async () => {
    for (let page = 1; page <= 6; page += 1) await search({ page, pagesize: 1 });
    await usage.recorded();
    const ids = (await usage.stored('usage_searches')).map(({ _id }) => String(_id));
    expect(ids).toEqual(ids.toSorted());
  });

  it('deletes everything 90 days after the day of the search, and the order of searches after two', async () => {
    const [first = 0] = await idsOf();
    await usage.attribute(
      usage.event('pair.liked', nora.id, first, later(dayMs)),
      usage.event('message.sent', first, nora.id, later(7 * dayMs)),
    );
    const expiring = async (...names: string[]) =>
      (await usage.stored(...names)).map(({ expires }) => (expires as Date).toISOString().slice(0, 10));
    expect(await expiring('usage_searches', 'usage_actions')).toEqual([
      '2026-09-13',
      '2026-09-13',
      '2026-09-13',
    ]);
    expect(await expiring('usage_recent')).toEqual(['2026-06-17']);
    const models = Object.values(usage.service.context.connection.models);
    for (const { collection, schema } of models.filter(({ collection: { name } }) =>
      collections.includes(name),
    )) {
      expect([collection.name, schema.indexes()]).toEqual([
        collection.name,
        expect.arrayContaining([[{ expires: 1 }, expect.objectContaining({ expireAfterSeconds: 0 })]]),
      ]);
    }
  });

  it('cannot be searched for a member without the secret', () => {
    const own = createPseudonyms([secret]).of('shown', 5, testNow);
    expect(createPseudonyms([another]).of('shown', 5, testNow)).not.toBe(own);
    // Members who find themselves among the results cannot find their own searches.
    expect(createPseudonyms([secret]).of('searcher', 5, testNow)).not.toContain(own);
  });

  it('is exported with the data of the searcher, and not with that of the members shown', async () => {
    const [first = 0] = men.map(({ id }) => id);
    await search({ smoking: { values: [10] } });
    await usage.attribute(usage.event('pair.viewed', nora.id, first));
    const exported = await usage.privacy('export', nora.id);
    expect(exported.body.recorded_searches).toEqual([
      {
        day: testNow.toISOString().slice(0, 10),
        siteid: 1,
        sortby: 'relevance',
        criteria: { age: { from: 20, to: 50 }, smoking: { values: ['10'] } },
        versions: {
          settings: (await usage.service.context.settings.active.current()).version,
          file: usage.service.context.settings.active.fileVersion,
          mapping: usage.service.context.index.mapping.version,
        },
        pagesize: 20,
        results: 6,
        first: 1,
        actions: [{ action: 'view', position: 1, day: testNow.toISOString().slice(0, 10) }],
      },
    ]);
    expect((await usage.privacy('export', first)).body.recorded_searches).toEqual([]);
  });

  it('forgets an erased member as searcher and as shown, also on the last day', async () => {
    const ids = await idsOf();
    const [first = 0, second = 0] = ids;
    await search({}, iris.id);
    await usage.attribute(
      usage.event('pair.liked', nora.id, first, later(dayMs)),
      usage.event('pair.liked', nora.id, second, later(dayMs)),
      usage.event('message.sent', first, nora.id, later(8 * dayMs)),
    );
    expect(await tracesOf(first)).toHaveLength(4);
    usage.service.setNow(later(91 * dayMs));
    expect((await usage.privacy('erase', first)).status).toBe(200);
    expect(await tracesOf(first)).toEqual([]);
    const { searches, actions } = await usage.recorded();
    expect(actions.map(({ position }) => position)).toEqual([2]);
    expect(searches.map(({ shown }) => shown.findIndex((name) => name === ''))).toEqual([0, 0]);
    expect(await tracesOf(nora.id)).toHaveLength(3);
    expect((await usage.privacy('erase', nora.id)).status).toBe(200);
    expect(await tracesOf(nora.id)).toEqual([]);
    expect(await usage.stored(...collections)).toHaveLength(2);
  });

  it('has no search or reply of a member who turned it off, from before or after', async () => {
    const { profile, context } = usage.service;
    const { index, usage: stores } = context;
    const [first = 0, second = 0] = await idsOf();
    await search({}, iris.id);
    await usage.attribute(
      usage.event('pair.liked', nora.id, first),
      usage.event('pair.liked', iris.id, second),
    );
    const former = [nora.id, second].flatMap((id) => profile.members.get(id) ?? []);
    for (const member of former) {
      const { id, version } = member;
      profile.members.set(id, { ...member, version: version + 1, recorded: false });
      const event = newEvent({ type: 'member.updated', member: id, version: version + 1, at: testNow });
      await onMemberChanged({
        profile: context.profile,
        members: index.members,
        stores: [],
        usage: stores.store,
      })([event]);
    }
    expect(await tracesOf(nora.id, second)).toEqual([]);
    expect((await usage.recorded()).searches).toHaveLength(1);
    await search();
    await search({}, iris.id);
    await usage.attribute(
      usage.event('pair.viewed', nora.id, first),
      usage.event('pair.liked', iris.id, first),
      usage.event('pair.liked', iris.id, second),
      usage.event('message.sent', first, iris.id),
      usage.event('message.sent', second, iris.id),
    );
    expect(await tracesOf(nora.id)).toEqual([]);
    const { actions } = await usage.recorded();
    expect(actions.map(({ action, position }) => `${action} ${position}`).sort()).toEqual([
      'like 1',
      'like 2',
      'reply 1',
    ]);
    for (const member of former) profile.members.set(member.id, member);
    await search();
    expect((await usage.recorded()).searches).toHaveLength(3);
  });

  it('is emptied by an erasure without the secret that made it', async () => {
    await search();
    await usage.recorded();
    expect(await usage.stored(...collections)).toHaveLength(2);
    const process = await usage.another({});
    const [, , third = 0] = men.map(({ id }) => id);
    expect((await usage.privacy('erase', third, process)).status).toBe(200);
    await process.close();
    expect(await usage.stored(...collections)).toEqual([]);
  });

  it('is searched under all secrets in use, and loses what none of them made', async () => {
    await search();
    await usage.recorded();
    const both = await usage.another({ USAGE_SECRET: `${another},${secret}` });
    expect(await both.usage.store.forgetUnknown()).toBe(0);
    expect(await both.usage.store.list(nora.id)).toHaveLength(1);
    expect(await both.usage.store.list(iris.id)).toEqual([]);
    await both.close();
    const changed = await usage.another({ USAGE_SECRET: another });
    expect(await changed.usage.store.forgetUnknown()).toBe(1);
    await changed.close();
    expect(await usage.stored(...collections)).toEqual([]);
  });
});
