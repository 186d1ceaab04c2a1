import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { configSchema } from '../../src/config.ts';
import { memberDocument } from '../../src/index/member-document.ts';
import { createSearchCenterStore } from '../../src/searches/search-center-store.ts';
import { member, testNow } from '../population.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';

const age = { from: 18, to: 99 };
const searcher = (id: number) =>
  member(id, { visible: true, siteid: 1, group: 'heartland', position: { lat: 40.81, lon: -96.7 } });

const totalOf = (explanation: readonly { weight: number }[]) =>
  explanation.reduce((sum, { weight }) => sum + weight, 0);

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('centers of distance searches', () => {
  let service: ServiceUnderTest;

  beforeAll(async () => {
    service = await startService('origins', {
      members: [1, 2, 3, 4, 5, 6].map(searcher),
      environment: {
        SEARCH_CENTERS_PER_HOUR: '30',
      },
    });
  });
  afterAll(() => service?.close());

  const from = (viewer: number, index: number, control = {}) =>
    service.post(viewer, { age, location: { of: `${30 + index},-90.5` }, ...control });
  const statuses = async (viewer: number, indices: number[]) => {
    const found: number[] = [];
    for (const index of indices) found.push((await from(viewer, index)).status);
    return found;
  };

  it('are limited per hour, except the own position and repeats; then 429 until the oldest expires', async () => {
    expect((await service.post(1, { age })).status).toBe(200);
    expect(new Set(await statuses(1, upTo(30)))).toEqual(new Set([200]));
    const refused = await from(1, 30);
    expect([refused.status, refused.body]).toEqual([429, { fail: 'Too Many Requests' }]);
    expect(Number(refused.headers['retry-after'])).toBe(3_600);
    expect(await statuses(1, [0, 29, 7])).toEqual([200, 200, 200]);
    expect((await service.post(1, { age })).status).toBe(200);
    expect((await service.post(1, { age, sortby: 'relevance' })).status).toBe(200);

    service.setNow(new Date(testNow.getTime() + 3_600_001));
    expect((await from(1, 31)).status).toBe(200);
    service.setNow(testNow);
    // The database removes expired documents.
    const indexes = service.context.connection.model('Origins').schema.indexes();
    expect(indexes).toContainEqual([{ expires: 1 }, expect.objectContaining({ expireAfterSeconds: 0 })]);
  });

  it('are answered with the time when the next one is allowed', async () => {
    expect((await service.post(5, { age })).status).toBe(200);
    const later = new Date(testNow.getTime() + 600_000);
    service.setNow(later);
    expect(new Set(await statuses(5, upTo(30)))).toEqual(new Set([200]));
    service.setNow(new Date(later.getTime() + 1_200_000));
    const refused = await from(5, 30);
    expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([429, 2_400]);
    service.setNow(new Date(later.getTime() + 3_600_001));
    expect((await from(5, 30)).status).toBe(200);
    service.setNow(testNow);
  });

  it('are shared by all processes', async () => {
    expect(new Set(await statuses(6, upTo(30)))).toEqual(new Set([200]));
    const { connection, clock } = service.context;
    const another = createSearchCenterStore(connection, 30, clock);
    await expect(another.use(6, { lat: 37, lon: -90.5 }, false)).resolves.toBeUndefined();
    await expect(another.use(6, { lat: 99, lon: -90.5 }, false)).rejects.toMatchObject({ status: 429 });
  });

  it('are enough by default for a map that is dragged all hour', async () => {
    const limit = configSchema.shape.SEARCH_CENTERS_PER_HOUR.parse(undefined);
    expect(limit).toBe(3_600);
    const { connection, clock } = service.context;
    const origins = upTo(limit - 1).map((index) => ({ place: `${index}`, own: false, at: clock() }));
    const expires = new Date(testNow.getTime() + 3_600_000);
    await connection.model('Origins').create({ _id: 7, origins, revision: 1, expires });
    const store = createSearchCenterStore(connection, limit, clock);
    await expect(store.use(7, { lat: 37, lon: -90.5 }, false)).resolves.toBeUndefined();
    await expect(store.use(7, { lat: 38, lon: -90.5 }, false)).rejects.toMatchObject({ status: 429 });
    expect(await store.list(7)).toHaveLength(limit);
    service.setNow(new Date(testNow.getTime() + 3_600_001));
    await store.use(7, { lat: 38, lon: -90.5 }, false);
    expect((await store.list(7)).map(({ place }) => place)).toEqual(['38.0000,-90.5000']);
    service.setNow(testNow);
  });

  const moved = async (index: number) => {
    const position = { lat: 10 + index, lon: 10 };
    service.profile.members.set(2, { ...searcher(2), position });
    return (await service.post(2, { age })).status;
  };

  it("are the searcher's real position, not the displaced one", async () => {
    const [shown, home] = [
      { lat: 45.81, lon: -96.7 },
      { lat: 45.83, lon: -96.7 },
    ];
    const facts = { ...searcher(70), position: shown, gender: 'Male', gender_preference: 'Female' } as const;
    const seeker = { ...facts, id: 71, gender: 'Female', gender_preference: 'Male' } as const;
    const found = { ...facts, id: 72, position: { lat: 45.81 + 20 / 69.09, lon: -96.7 } };
    for (const one of [seeker, found]) service.profile.members.set(one.id, one);
    await service.context.index.members.write([memberDocument(found)]);
    await service.refresh();
    const distance = async () => {
      const { users } = await service.search(71, { age, location: { within: 50 } });
      return users.find(({ id }) => id === 72)?.distance;
    };
    service.profile.platinum.add(71);
    expect(await distance()).toBe(20);
    service.profile.settings.set(71, { position: home });
    expect(await distance()).toBe(19);
  });

  it('include the own position after it changes', async () => {
    for (const index of upTo(31)) expect(await moved(index)).toBe(200);
    expect(await moved(31)).toBe(429);
  });

  it('are limited also when searches arrive at once', async () => {
    const answers = await Promise.all(upTo(40).map((index) => from(3, index)));
    const allowed = answers.filter(({ status }) => status === 200).length;
    expect(allowed).toBeLessThanOrEqual(30);
    expect(answers.every(({ status }) => [200, 429, 503].includes(status))).toBe(true);
  });

  it('do not count if the search is rejected for another reason', async () => {
    for (const index of upTo(31)) await from(4, index, { smoking: {} });
    expect((await from(4, 99)).status).toBe(403);
    expect((await from(4, 40)).status).toBe(200);
  });

  it('reveal distances in whole miles only, also in relevance and explanation', async () => {
    const facts = {
      ...searcher(60),
      gender: 'Male',
      gender_preference: 'Female',
      date_of_birth: '1990-01-01',
    } as const;
    const seeker = { ...searcher(50), gender: 'Female', gender_preference: 'Male' } as const;
    // 0.01 degree of latitude is 0.69 miles: places in a row, some within the same mile, 300 miles away.
    const row = upTo(40).map((step) => ({
      ...facts,
      id: 60 + step,
      position: { lat: Math.round((45.2 + step / 100) * 100) / 100, lon: -96.7 },
    }));
    for (const one of [seeker, ...row]) service.profile.members.set(one.id, one);
    await service.context.index.members.write(row.map(memberDocument));
    await service.refresh();
    const search = { age, location: { within: -1 }, smoking: { value: 10 }, pagesize: 100, explain: true };
    const found = await service.search(50, search);
    const users = found.users.filter(({ id }) => id >= 60);
    expect(users).toHaveLength(row.length);
    const gave = new Map<number, Set<number>>();
    for (const { distance, relevance, explanation = [] } of users) {
      const [part] = explanation.filter(({ criterion }) => criterion === 'location');
      const miles = distance ?? 0;
      gave.set(miles, (gave.get(miles) ?? new Set()).add(part?.gave ?? NaN));
      expect(part?.gave).toBeCloseTo(
        ((part?.weight ?? 0) / totalOf(explanation)) * (1 - (miles - 25) / 475),
        9,
      );
      expect(relevance).toBeCloseTo(
        explanation.reduce((sum, one) => sum + one.gave, 0),
        5,
      );
    }
    expect(gave.size).toBeLessThan(row.length - 5);
    expect([...gave.values()].every((set) => set.size === 1)).toBe(true);
  });
});
