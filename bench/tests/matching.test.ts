import { describe, expect, it } from '@jest/globals';
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

const looks = (count: number): Looks => {
  const each = new Float64Array(members).fill(count);
  return { given: each, received: each };
};

describe('a planted market', () => {
  const medium = crowdings.find(({ level }) => level === 'medium');
  if (!medium) throw new Error('no medium crowding');
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
  /** Two members of whom each likes the other in half of all looks. */
  const two: PlantedMarket = {
    members: 2,
    facing: (member) => [1 - member],
    truth: () => 0.5,
    estimate: () => () => 0.5,
  };

  it('shows a member once, and counts a pair that looks at one another as one match', () => {
    const none = { given: new Float64Array(2), received: new Float64Array(2) };
    const { matches, exposure, lateMatches } = simulateDay(two, none, (known) => known);
    expect([...exposure]).toEqual([1, 1]);
    expect(matches[0]).toBeCloseTo(0.25, 4);
    expect(matches[1]).toBeCloseTo(0.25, 4);
    expect([...lateMatches]).toEqual([0, 0]);
  });
});
