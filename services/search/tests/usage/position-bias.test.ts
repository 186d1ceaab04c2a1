import { describe, expect, it } from '@jest/globals';
import { examinedPlaces, type Shown } from '../../src/usage/position-bias.ts';
import { randomOf } from './simulated-users.ts';

const topics = 8;
const members = 20;
const searchers = 600;

/** The planted bias: how much a position is looked at. */
const looks = (place: number) => 1 / (1 + 0.8 * place);

interface Planted extends Shown {
  readonly attraction: number;
}

/** Simulated use of a ranking that puts the least attractive first, apart from chance; `moving` is the amount of chance. */
function simulate(seed: number, moving: number): Planted[] {
  const random = randomOf(seed);
  const counts = new Map<string, Planted & { times: number; acted: number }>();
  for (let topic = 0; topic < topics; topic += 1) {
    const attractions = Array.from({ length: members }, () => 0.05 + 0.5 * random() ** 2);
    for (let searcher = 0; searcher < searchers; searcher += 1) {
      const ranked = attractions
        .map((attraction, member) => ({ attraction, member, score: moving * random() - attraction }))
        .sort((one, other) => other.score - one.score);
      for (const [place, { attraction, member }] of ranked.entries()) {
        const pair = `${topic} ${member}`;
        const count = counts.get(`${pair} ${place}`) ?? { pair, place, attraction, times: 0, acted: 0 };
        count.times += 1;
        count.acted += random() < looks(place) * attraction ? 1 : 0;
        counts.set(`${pair} ${place}`, count);
      }
    }
  }
  return [...counts.values()];
}

/** Of the pairs of members of a topic, the share that the rates put in the planted order. */
function agreement(shown: readonly Planted[], weight: (place: number) => number): number {
  const rated = [...Map.groupBy(shown, ({ pair }) => pair)].map(([pair, counts]) => ({
    topic: pair.split(' ')[0],
    attraction: counts[0]?.attraction ?? 0,
    rate:
      counts.reduce((sum, { acted }) => sum + acted, 0) /
      counts.reduce((sum, { times, place }) => sum + times * weight(place), 0),
  }));
  const orders = rated.flatMap((one, index) =>
    rated
      .slice(index + 1)
      .filter(({ topic }) => topic === one.topic)
      .map((other) => (one.attraction - other.attraction) * (one.rate - other.rate) > 0),
  );
  return orders.filter(Boolean).length / orders.length;
}

/** A pair that was shown equally often at places of which each is looked at less. */
const pair = (name: string, places: readonly number[]): Shown[] =>
  places.map((place) => ({ pair: name, place, times: 1_000, acted: 400 / (place + 1) }));

describe('how much a position is looked at', () => {
  it.each(Array.from({ length: 20 }, (_, seed) => [seed]))(
    'is found from what moved, and corrects the order that rates alone have wrong (seed %i)',
    (seed) => {
      const shown = simulate(seed, 0.3);
      const examined = examinedPlaces(shown);
      expect(examined).toHaveLength(members);
      for (const [place, found] of examined.entries())
        expect(Math.abs((found ?? 0) - looks(place))).toBeLessThan(0.2);
      const naive = agreement(shown, () => 1);
      const corrected = agreement(shown, (place) => examined[place] ?? 0);
      expect([seed, naive < 0.7, corrected > 0.83]).toEqual([seed, true, true]);
    },
  );

  it('is unknown where nothing moved, or hardly anybody acted', () => {
    expect(examinedPlaces(simulate(1, 0))).toEqual([]);
    expect(examinedPlaces(simulate(1, 0.6).map((one) => ({ ...one, acted: 0 })))).toEqual([]);
    expect(examinedPlaces([])).toEqual([]);
    const few = [0, 1].map((place) => ({ pair: 'one', place, times: 100, acted: 49 }));
    expect(examinedPlaces(few)).toEqual([]);
  });

  it('is unknown at places that nothing connects with the others', () => {
    const found = examinedPlaces([...pair('one', [0, 1]), ...pair('other', [3, 4])]);
    expect(found.map((one) => one !== undefined)).toEqual([true, true]);
    expect(found[1]).toBeCloseTo(0.5, 5);
    // A pair that was at both joins them.
    const joined = examinedPlaces([
      ...pair('one', [0, 1]),
      ...pair('other', [3, 4]),
      ...pair('both', [1, 3]),
    ]);
    expect(joined[3]).toBeCloseTo(0.25, 5);
    expect(joined[2]).toBeUndefined();
  });
});
