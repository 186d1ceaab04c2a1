import { describe, expect, it } from '@jest/globals';
import { compareRankings } from '../matching.ts';
import { answeredShare, gini, simulateDay } from '../matching-day.ts';
import { isNew, knowledgeOf } from '../matching-knowledge.ts';
import { crowdings, plantMarket } from '../matching-market.ts';

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

const medium = crowdings.find(({ level }) => level === 'medium');
if (!medium) throw new Error('no medium crowding');

const members = 300;
const planted = plantMarket(3, medium, members);
const known = knowledgeOf(planted, 3);

const all = Array.from({ length: members }, (_, member) => member);
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The mean of the true chances of likes for those of a ranking who come first, and for those who come last. */
function truthAtEnds(viewer: number, scoreOf: (viewer: number, shown: number) => number): [number, number] {
  const ranked = planted
    .facing(viewer)
    .toSorted((one, other) => scoreOf(viewer, other) - scoreOf(viewer, one))
    .map((shown) => planted.truth(viewer, shown));
  return [meanOf(ranked.slice(0, 30)), meanOf(ranked.slice(-30))];
}

function meanTruthAtEnds(viewers: readonly number[], scoreOf: (viewer: number, shown: number) => number) {
  const ends = viewers.map((viewer) => truthAtEnds(viewer, scoreOf));
  return [meanOf(ends.map(([first]) => first)), meanOf(ends.map(([, last]) => last))] as const;
}

describe('a planted market', () => {
  it('is the same for a seed', () => {
    const [one, again, another] = [3, 3, 4].map((seed) => plantMarket(seed, medium, members).truth(1, 290));
    expect(again).toBe(one);
    expect(another).not.toBe(one);
    expect(planted.facing(0)).toHaveLength(members * 0.6);
  });

  it('has members of whom half say what they look for, and like those more who meet it', () => {
    const stating = all.filter((member) => planted.participants[member]?.preferences.wanted.length);
    expect(stating.length / members).toBeCloseTo(0.5, 1);
    const [most, least] = meanTruthAtEnds(stating, known.met);
    expect(most).toBeGreaterThan(1.4 * least);
  });
});

describe('the knowledge of the service', () => {
  it('has tastes of members who liked and passed others, and none of new ones', () => {
    const silent = all.filter((member) => !planted.participants[member]?.preferences.wanted.length);
    const [most, least] = meanTruthAtEnds(
      silent.filter((member) => !isNew(member)),
      known.likes,
    );
    expect(most).toBeGreaterThan(1.4 * least);
    for (const viewer of silent.filter(isNew))
      expect(new Set(planted.facing(viewer).map((shown) => known.likes(viewer, shown))).size).toBe(1);
  });

  it('counts who is popular, but not of new members, only for a reference', () => {
    const [most, least] = meanTruthAtEnds(all, (_, shown) => known.popularity[shown] ?? 0);
    expect(most).toBeGreaterThan(3 * least);
    for (const member of all.filter(isNew)) expect(known.popularity[member]).toBeCloseTo(1);
  });
});

describe('a day', () => {
  /** Two members of whom each likes the other in half of all looks, and the second is there in half of all days. */
  const two = {
    members: 2,
    presence: Float64Array.of(1, 0.5),
    truth: () => 0.5,
  };

  it('shows a member once, and counts a pair that looks at one another as one match', () => {
    const { matches, exposure, given } = simulateDay(two, (member) => [1 - member]);
    expect([...exposure]).toEqual([0.5, 1]);
    // One looks, and is answered in half of all days, or the other looks: half of a quarter, and both by chance.
    expect(matches[0]).toBeCloseTo(0.25 * (0.5 + 0.5 - 0.5 * 0.5), 4);
    expect(matches[1]).toBeCloseTo(0.25 * (0.5 + 0.5 - 0.5 * 0.5), 4);
    expect([...given]).toEqual([1, 0.5]);
  });
});

describe('a feed by price', () => {
  it('brings more matches than one by the chance of a match, shared better, and to new members soon', async () => {
    const { price, product, popular } = await compareRankings(0, medium);
    expect(price.matches / product.matches).toBeGreaterThan(1);
    expect(price.matches / popular.matches).toBeGreaterThan(1.2);
    expect(price.gini).toBeLessThan(Math.min(0.6, product.gini));
    expect(price.without).toBeLessThan(5);
    expect(price.new).toBeGreaterThan(90);
  });
});
