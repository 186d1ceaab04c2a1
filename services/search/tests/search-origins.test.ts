import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { member } from './support/population.ts';
import { startSearch, type SearchUnderTest } from './support/search-under-test.ts';

const age = { from: 18, to: 99 };
const searcher = (id: number) =>
  member(id, { visible: true, siteid: 1, group: 'heartland', position: { lat: 40.81, lon: -96.7 } });

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('places that a member measures from (D51)', () => {
  let service: SearchUnderTest;

  // The database removes what has expired by its own clock, so this suite lives today.
  const today = new Date();

  beforeAll(async () => {
    service = await startSearch('origins', [1, 2, 3, 4].map(searcher));
    service.setNow(today);
  });
  afterAll(() => service?.close());

  const from = (viewer: number, index: number, control = {}) =>
    service.post(viewer, { age, location: { of: `${30 + index},-90.5` }, ...control });
  const statuses = async (viewer: number, indices: number[]) => {
    const found: number[] = [];
    for (const index of indices) found.push((await from(viewer, index)).status);
    return found;
  };

  it('allows 30 an hour beside the own position, repeats free; then 429 until the first is an hour old', async () => {
    expect((await service.post(1, { age })).status).toBe(200);
    expect(new Set(await statuses(1, upTo(30)))).toEqual(new Set([200]));
    const refused = await from(1, 30);
    expect([refused.status, refused.body]).toEqual([429, { fail: 'Too Many Requests' }]);
    expect(Number(refused.headers['retry-after'])).toBe(3_600);
    expect(await statuses(1, [0, 29, 7])).toEqual([200, 200, 200]);
    expect((await service.post(1, { age })).status).toBe(200);
    expect((await service.post(1, { age, sortby: 'relevance' })).status).toBe(200);

    service.setNow(new Date(today.getTime() + 3_600_001));
    expect((await from(1, 31)).status).toBe(200);
    service.setNow(today);
  });

  const moved = async (index: number) => {
    const position = { lat: 10 + index, lon: 10 };
    service.profile.members.set(2, { ...searcher(2), position });
    return (await service.post(2, { age })).status;
  };

  it('counts a profile that moves about', async () => {
    for (const index of upTo(31)) expect(await moved(index)).toBe(200);
    expect(await moved(31)).toBe(429);
  });

  it('keeps the limit when searches come at once', async () => {
    const answers = await Promise.all(upTo(40).map((index) => from(3, index)));
    const allowed = answers.filter(({ status }) => status === 200).length;
    expect(allowed).toBeLessThanOrEqual(30);
    expect(answers.every(({ status }) => [200, 429, 503].includes(status))).toBe(true);
  });

  it('does not count what is refused for another reason', async () => {
    for (const index of upTo(31)) await from(4, index, { smoking: {} });
    expect((await from(4, 99)).status).toBe(403);
    expect((await from(4, 40)).status).toBe(200);
  });
});
