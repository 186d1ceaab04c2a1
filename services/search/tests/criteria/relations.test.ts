import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRelations } from '../../src/criteria/relations.ts';
import type { PlainRelation } from '../fake-profile.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';
import { person } from '../person.ts';
import { testNow } from '../population.ts';

/** So much later a search no longer begins with what the last one read. */
const laterMs = 5_001;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const age = { from: 18, to: 99 };

/** Women 1 to 9 search, men 11 to 40 are found. */
const women = Array.from({ length: 9 }, (_, index) => person(index + 1, 'Female'));
const men = Array.from({ length: 30 }, (_, index) => person(index + 11, 'Male'));

/** Relations to members who are not in the index, with increasing versions from a day ago. */
const strangers = (count: number, facts: Partial<PlainRelation>): PlainRelation[] =>
  Array.from({ length: count }, (_, index) => ({
    other: 1_000_000 + index,
    version: testNow.getTime() - dayMs + index,
    ...facts,
  }));

describe('a searcher', () => {
  let service: ServiceUnderTest;
  let now = testNow.getTime();

  beforeAll(async () => {
    service = await startService('relations', { members: [...women, ...men] });
  });
  afterAll(() => service?.close());

  const set = (viewer: number, relations: PlainRelation[]) =>
    service.profile.relations.set(viewer, relations);
  const add = (viewer: number, ...relations: PlainRelation[]) => {
    const others = new Set(relations.map(({ other }) => other));
    const before = service.profile.relations.get(viewer) ?? [];
    set(viewer, [...before.filter(({ other }) => !others.has(other)), ...relations]);
  };
  const advance = (ms: number) => {
    now += ms;
    service.setNow(new Date(now));
  };
  const found = async (viewer: number, exclude?: unknown) => {
    const page = await service.search(viewer, {
      age,
      pagesize: 100,
      ...(exclude !== undefined && { exclude }),
    });
    expect(page.users).toHaveLength(page.totalmatches);
    return new Set(page.users.map(({ id }) => id));
  };
  const reads = () => service.profile.calls.get('viewers') ?? 0;
  const total = async (viewer: number, parameters: object = {}): Promise<unknown> => {
    const { status, body } = await service.post(viewer, { age, ...parameters });
    return status === 200 ? body.totalmatches : (body.failcode?.[0] ?? body.fail);
  };
  const calls = () => ['viewers', 'records'].map((path) => service.profile.calls.get(path) ?? 0);
  /** How often each path of profile is called meanwhile. */
  const callsOf = async (work: () => Promise<unknown>) => {
    const before = calls();
    await work();
    return calls().map((count, at) => count - (before[at] ?? 0));
  };

  it('has many relations read once, then only changes', async () => {
    set(1, [
      ...strangers(70_000, { declines: true }),
      { other: 11, declines: true, version: testNow.getTime() - hourMs },
    ]);
    const before = reads();
    expect((await found(1)).has(11)).toBe(false);
    expect(reads() - before).toBe(71);
    expect((await found(1)).has(11)).toBe(false);
    expect((await found(1, 'none')).has(11)).toBe(true);
    expect(reads() - before).toBe(71);
    advance(laterMs);
    expect((await found(1, 'likes')).has(11)).toBe(true);
    advance(laterMs);
    expect((await found(1, 'declines,blocks')).has(11)).toBe(false);
    expect(reads() - before).toBe(73);
  });

  it('sees its latest actions in the next search', async () => {
    add(1, { other: 12, likes: true, version: now + 5 });
    expect((await found(1)).has(12)).toBe(false);
    add(1, { other: 12, version: now + 6 }, { other: 11, version: now + 7 });
    const both = await found(1);
    expect([both.has(11), both.has(12)]).toEqual([true, true]);
    add(1, { other: 11, blocked_by: true, version: now + 8 });
    expect((await found(1, 'none')).has(11)).toBe(false);
  });

  it('has changes cached with the other relations', async () => {
    advance(2 * minuteMs);
    const more = strangers(600, { likes: true }).map((one, index) => ({ ...one, version: now - index }));
    add(1, ...more, { other: 13, passed_until: new Date(now + dayMs).toISOString(), version: now - 1_000 });
    const shown = await found(1);
    expect([11, 12, 13].map((id) => shown.has(id))).toEqual([false, true, false]);
    // Profile returns nothing: the relations come from the cache.
    set(1, []);
    const cached = await found(1);
    expect([11, 12, 13].map((id) => cached.has(id))).toEqual([false, true, false]);
    expect((await found(1, 'passes')).has(13)).toBe(false);
  });

  it('finds a passed member again in the second in which the pass ends', async () => {
    const until = new Date(now + 10 * minuteMs);
    set(2, strangers(500, { passed_until: until.toISOString() }));
    add(2, { other: 14, passed_until: until.toISOString(), version: now - hourMs });
    add(2, { other: 15, passed_until: until.toISOString(), likes: true, version: now - hourMs });
    expect((await found(2)).has(14)).toBe(false);
    advance(10 * minuteMs - 1_000);
    expect((await found(2)).has(14)).toBe(false);
    advance(1_000);
    const after = await found(2);
    expect([after.has(14), after.has(15)]).toEqual([true, false]);
    expect((await found(2, 'passes')).has(15)).toBe(true);
  });

  it('shares one first read between concurrent searches, with the same results', async () => {
    set(3, [...strangers(5_000, { declines: true }), { other: 16, declines: true, version: 5 }]);
    const before = reads();
    const all = await Promise.all(Array.from({ length: 8 }, () => found(3)));
    // 6 pages once, and the changes since for the other 7 searches.
    expect(reads() - before).toBe(13);
    expect(all.map((ids) => ids.has(16))).toEqual(all.map(() => false));
    advance(2 * minuteMs);
    set(3, []);
    expect((await found(3)).has(16)).toBe(false);
  });

  it('has all relations read again after 15 minutes, in case the database was restored from a backup', async () => {
    const backup = strangers(600, { declines: true });
    set(4, [...backup, { other: 19, declines: true, version: now - hourMs }]);
    expect((await found(4)).has(19)).toBe(false);
    set(4, backup);
    advance(14 * minuteMs);
    expect((await found(4)).has(19)).toBe(false);
    advance(2 * minuteMs);
    expect((await found(4)).has(19)).toBe(true);
  });

  it('keeps the newer of two states that arrive in the wrong order', async () => {
    const { profile, clock } = service.context;
    set(5, [...strangers(600, { declines: true }), { other: 17, version: now - hourMs }]);
    const held = Promise.withResolvers<void>();
    let isFirst = true;
    const slow: typeof profile = {
      ...profile,
      async readViewer(input) {
        const answer = await profile.readViewer(input);
        if (isFirst) {
          isFirst = false;
          await held.promise;
        }
        return answer;
      },
    };
    const relations = createRelations(profile, clock);
    await relations.read(5, ['declines']);
    const other = createRelations(slow, clock);
    isFirst = false;
    await other.read(5, ['declines']);
    isFirst = true;
    add(5, { other: 17, version: now });
    const late = other.read(5, ['declines']);
    add(5, { other: 17, declines: true, version: now + 1 });
    const early = await other.read(5, ['declines']);
    held.resolve();
    expect(early.excluded).toContain(17);
    expect((await late).excluded).toContain(17);
  });

  it('has few relations read with every search', async () => {
    service.profile.relations.set(6, strangers(499, { declines: true }));
    const before = await service.context.relations.read(6, ['declines']);
    service.profile.relations.set(6, []);
    const after = await service.context.relations.read(6, ['declines']);
    expect([before, after].map(({ excluded }) => excluded.length)).toEqual([499, 0]);
  });

  it('searches again within seconds with one call of profile, also where nobody is found', async () => {
    const none = { state: { value: 'Atlantis' } };
    expect(await callsOf(() => total(7))).toEqual([1, 1]);
    expect(await callsOf(() => total(7))).toEqual([0, 1]);
    expect(await callsOf(() => total(7, none))).toEqual([0, 1]);
    advance(laterMs);
    expect(await callsOf(() => total(7))).toEqual([1, 1]);
  });

  it('is read again within seconds where profile says that they changed', async () => {
    const { members, relations, platinum, deactivated } = service.profile;
    const near = { location: { within: 50 } };
    const everybody = men.map(({ id: other }) => ({ other, declines: true, version: now }));
    const lookingFor = (gender_preference: 'Male' | 'Female', version: number) =>
      members.set(8, person(8, 'Female', { gender_preference, version }));
    expect(await total(8)).toBe(30);
    relations.set(8, [{ other: 20, blocked_by: true, version: now + 1 }]);
    expect(await callsOf(async () => expect(await total(8)).toBe(29))).toEqual([1, 2]);
    relations.set(8, everybody);
    expect(await total(8)).toBe(0);
    relations.delete(8);
    expect(await total(8)).toBe(30);
    expect(await total(8, near)).toBe(31_007);
    platinum.add(8);
    expect(await total(8, near)).toBe(30);
    platinum.delete(8);
    expect(await total(8, near)).toBe(31_007);
    lookingFor('Female', 2_000);
    expect(await total(8)).toBe(0);
    const searchesV1 = async () =>
      (await service.call(8, 'post', '/search', { lookingfor: 'Male' })).body.totalmatches;
    expect(await searchesV1()).toBe(0);
    lookingFor('Male', 2_001);
    expect(await searchesV1()).toBe(30);
    deactivated.add(8);
    expect(await total(8)).toBe('Deactivated');
  });
});
