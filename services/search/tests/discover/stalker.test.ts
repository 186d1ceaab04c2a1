import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Position } from '@covalence/contract/position';
import { lincoln } from '../person.ts';
import { testNow } from '../population.ts';
import { startFeed, type FeedUnderTest } from './feed-harness.ts';

const dayMs = 86_400_000;
const onDay = (day: number) => new Date(testNow.getTime() + day * dayMs);
const chicago = { lat: 41.88, lon: -87.63 };
const denver = { lat: 39.74, lon: -104.99 };

/** Two places of one cell, 10 miles apart. */
const office = { lat: 40.77, lon: -96.73 };
const clinic = { lat: 40.9, lon: -96.6 };

describe('a stalker', () => {
  let feed: FeedUnderTest;

  beforeAll(async () => {
    feed = await startFeed('stalker');
  });
  afterEach(() => feed.clear());
  afterAll(() => feed?.service.close());

  /** A man who looks for others within some miles of a place. */
  const around = async ({ lat, lon }: Position, within = 30): Promise<number> => {
    const [id = 0] = await feed.men({ platinum_until: onDay(365).toISOString() });
    feed.service.profile.platinum.add(id);
    await feed.wish(id, { location: { within, of: `${lat},${lon}` } });
    return id;
  };
  /** The members of a stalker's feed who moved there before the first call of the day. */
  const seenFrom = async (stalker: number, day: number, position: Position): Promise<number[]> => {
    feed.service.setNow(onDay(day));
    await feed.change(stalker, { position });
    return feed.list(stalker);
  };

  it('tries two places in eight days, not one a day', async () => {
    const stalker = await feed.woman({ position: chicago });
    const target = await around(lincoln);
    const places = [chicago, lincoln, chicago, lincoln, denver, lincoln, chicago, lincoln, chicago, lincoln];
    const seen: boolean[] = [];
    for (const [day, place] of places.entries())
      seen.push((await seenFrom(stalker, day, place)).includes(target));
    // The second day is the one change of the week, which ends with the eighth.
    expect(seen).toEqual([false, true, true, true, true, true, true, true, false, true]);
  });

  it('does not get another try by changed criteria within the day', async () => {
    const stalker = await feed.woman({ position: chicago });
    const target = await around(lincoln);
    expect(await seenFrom(stalker, 0, chicago)).toEqual([]);
    expect(await seenFrom(stalker, 1, chicago)).toEqual([]);
    await feed.change(stalker, { position: lincoln });
    await feed.wish(stalker, { age: { from: 18, to: 98 } });
    expect(await feed.list(stalker)).toEqual([]);
    expect(await seenFrom(stalker, 2, lincoln)).toEqual([target]);
  });

  it('finds the edge of a coarse circle only, never the place that others search from', async () => {
    const [one, other] = [await around(office), await around(clinic)];
    const stalker = await feed.woman();
    const found: boolean[] = [];
    for (let step = 0; step <= 12; step += 1) {
      const seen = await seenFrom(stalker, 8 * step, { lat: 41 + step / 10, lon: -96.65 });
      expect(seen.includes(other)).toBe(seen.includes(one));
      found.push(seen.includes(one));
    }
    // There is an edge, beyond everybody who is within the limit of either.
    expect([found.indexOf(false), found.at(-1)]).toEqual([7, false]);
  });

  it('learns nothing from who is missing: others without limits are missing as well, all week', async () => {
    const men = await feed.men(...Array.from({ length: 60 }, () => ({})));
    const [stalker = 0, other = 0] = await feed.made('Female', {}, {});
    await feed.enable(true, {}, 0.2);
    const missing = async (member: number) => {
      const found = new Set(await feed.list(member));
      return men.filter((man) => !found.has(man));
    };
    const first = await missing(stalker);
    expect(first.length).toBeGreaterThan(1);
    expect(first.length).toBeLessThan(30);
    expect(await missing(other)).not.toEqual(first);
    feed.service.setNow(onDay(1));
    expect(await missing(stalker)).toEqual(first);
    await feed.wish(stalker, { age: { from: 18, to: 98 } });
    expect(await missing(stalker)).toEqual(first);
    // Another place has other members missing, too.
    feed.service.setNow(onDay(2));
    await feed.change(stalker, { position: { lat: 41.5, lon: -96 } });
    const moved = await missing(stalker);
    expect(moved).not.toEqual(first);
    feed.service.setNow(onDay(9));
    expect(await missing(stalker)).not.toEqual(moved);
  });

  it('meets nobody the less for small moves', async () => {
    const stalker = await feed.woman();
    const target = await around(lincoln);
    expect(await seenFrom(stalker, 0, lincoln)).toEqual([target]);
    await seenFrom(stalker, 1, { lat: 40.9, lon: -96.7 });
    // The change of the week is not used up.
    expect(await seenFrom(stalker, 2, chicago)).toEqual([]);
  });

  it('never learns the postal code that others search by, with any number of accounts', async () => {
    const [near = 0, far = 0, free = 0] = await feed.men({}, {}, {});
    await feed.wish(near, { zipcode: { value: '68508' } });
    await feed.wish(far, { zipcode: { value: '80202' } });
    const accounts = await feed.made(
      'Female',
      { zip: '68508' },
      { zip: '80202' },
      { zip: '60601' },
      { zip: null },
    );
    for (const account of accounts)
      expect(new Set(await feed.list(account))).toEqual(new Set([near, far, free]));
  });
});
