import { describe, expect, it } from '@jest/globals';
import { compareRankings } from '../matching.ts';
import { answeredShare, gini, simulateDay } from '../matching-day.ts';
import { crowdings, plantMarket, type Looks, type PlantedMarket } from '../matching-market.ts';

describe('the Gini coefficient', () => {
  // By hand: the mean absolute difference of all pairs, divided by twice the mean.
  const cases: [number[], number][] = [
    [[2, 2, 2], 0],
    [[0, 0, 0, 4], 0.75],
    [[3, 1], 0.25],
    [[1, 2, 3, 4], 0.25],
  ];
  it.each(cases)('of %j is %d', (values, expected) => {
    expect(gini(values)).toBeCloseTo(expected);
  });
});

describe('the share of likes that a member answers', () => {
  it('is all of few, and five of many', () => {
    expect(answeredShare(0)).toBe(1);
    expect(answeredShare(0.1)).toBeCloseTo(1, 5);
    expect(answeredShare(100)).toBeCloseTo(0.05);
  });

  it('counts that some days bring more likes than others', () => {
    // By hand: the mean of min(5, N) for N of a Poisson distribution of mean 5 is 5 - e^-5 (5 + 4·5 + 3·12.5 + 2·20.83 + 26.04).
    expect(answeredShare(5)).toBeCloseTo((5 - Math.exp(-5) * 130.208) / 5, 4);
  });
});

const members = 100;

const medium = crowdings.find(({ level }) => level === 'medium');
if (!medium) throw new Error('no medium crowding');

const looks = (count: number): Looks => {
  const each = new Float64Array(members).fill(count);
  return { given: each, received: each };
};

describe('a planted market', () => {
  it('is the same for a seed', () => {
    const [one, again, another] = [3, 3, 4].map((seed) => plantMarket(seed, medium, members).truth(1, 90));
    expect(again).toBe(one);
    expect(another).not.toBe(one);
  });

  it('is known as far as its members were looked at', () => {
    const { facing, truth, estimate } = plantMarket(3, medium, members);
    const error = (count: number) => {
      const known = estimate(looks(count));
      return facing(0).reduce((sum, shown) => sum + (known(0, shown) - truth(0, shown)) ** 2, 0);
    };
    const nothing = estimate(looks(0));
    expect(new Set(facing(0).map((shown) => nothing(0, shown))).size).toBe(1);
    expect(error(20)).toBeLessThan(error(0));
    expect(error(1_000)).toBeLessThan(error(20));
    expect(error(1_000)).toBeGreaterThan(0);
    expect(facing(0)).toHaveLength(members * 0.6);
  });
});

describe('a day', () => {
  /** Two members of whom each likes the other in half of all looks, and the second is there in half of all days. */
  const two: PlantedMarket = {
    members: 2,
    facing: (member) => [1 - member],
    presence: Float64Array.of(1, 0.5),
    truth: () => 0.5,
    estimate: () => () => 0.5,
  };

  it('shows a member once, and counts a pair that looks at one another as one match', () => {
    const { matches, exposure, given } = simulateDay(two, two.facing);
    expect([...exposure]).toEqual([0.5, 1]);
    // One looks, and is answered in half of all days, or the other looks: half of a quarter, and both by chance.
    expect(matches[0]).toBeCloseTo(0.25 * (0.5 + 0.5 - 0.5 * 0.5), 4);
    expect(matches[1]).toBeCloseTo(0.25 * (0.5 + 0.5 - 0.5 * 0.5), 4);
    expect([...given]).toEqual([1, 0.5]);
  });
});

describe('a feed by price', () => {
  it('brings more matches than one by the chance of a match, to more members, and to new ones soon', () => {
    const { price, product } = compareRankings(0, medium);
    expect(price.matches / product.matches).toBeGreaterThan(1.3);
    expect(price.gini).toBeLessThan(0.6);
    expect(price.without).toBeLessThan(product.without / 3);
    expect(price.new).toBeGreaterThan(85);
  });
});
