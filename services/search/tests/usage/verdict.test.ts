import { describe, expect, it } from '@jest/globals';
import { coinsOf, draft } from '../../src/usage/team-draft.ts';
import { verdictOf } from '../../src/usage/verdict.ts';
import { likesOf, makeWishes, randomOf, simulate } from './simulated-users.ts';

describe('a team draft', () => {
  const a = [1, 2, 3, 4, 5, 6];
  const b = [6, 2, 9, 8, 1, 7];

  it('has the results of both rankings once, in turns', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const drafted = draft(a, b, coinsOf(`seed ${seed}`), 20);
      expect(drafted.map(({ id }) => id).sort((one, other) => one - other)).toEqual([
        1, 2, 3, 4, 5, 6, 7, 8, 9,
      ]);
      const [first, second] = drafted;
      expect(new Set([first?.team, second?.team])).toEqual(new Set(['a', 'b']));
      for (const team of ['a', 'b'] as const) {
        const ranking = { a, b }[team];
        const places = drafted.filter((one) => one.team === team).map(({ id }) => ranking.indexOf(id));
        expect(places).toEqual(places.toSorted((one, other) => one - other));
      }
    }
  });

  it('begins the same whatever comes later', () => {
    const coin = coinsOf('one');
    const short = draft(a.slice(0, 3), b.slice(0, 3), coin, 3);
    expect(draft(a, b, coin, 9).slice(0, 3)).toEqual(short);
    expect(draft(a, b, coinsOf('one'), 9)).toEqual(draft(a, b, coin, 9));
  });

  it('is led by either team equally often', () => {
    const leads = Array.from({ length: 4_000 }, (_, seed) => draft(a, a, coinsOf(`${seed}`), 1)[0]?.team);
    expect(Math.abs(leads.filter((team) => team === 'a').length - 2_000)).toBeLessThan(150);
    const rounds = Array.from({ length: 4_000 }, (_, round) => coinsOf('a seed')(round));
    expect(Math.abs(rounds.filter(Boolean).length - 2_000)).toBeLessThan(150);
  });
});

describe('a verdict', () => {
  const mostSearches = 2_000;
  // Two rankings that are equally good, a better and a worse one.
  const [one, other, good, poor] = [0, 1, 2, 3];
  const wishes = makeWishes(7, [0.1, 0.1, 0.01, 0.12]);
  const verdicts = (runs: number, teams: readonly [number, number]) =>
    Array.from({ length: runs }, (_, seed) => verdictOf(simulate(seed, mostSearches, wishes, teams)).better);

  it('is not reached by few wins or by ties, and stays once it is', () => {
    expect(verdictOf([1, 1, 1, 0, 0, 0])).toMatchObject({ better: null, wins: { a: 0, b: 3 } });
    expect(verdictOf(Array<number>(40).fill(1))).toMatchObject({ better: 'b' });
    const turned = [...Array<number>(40).fill(-1), ...Array<number>(60).fill(1)];
    expect(verdictOf(turned)).toMatchObject({ better: 'a', wins: { a: 40, b: 60 } });
    expect(verdictOf([])).toEqual({ wins: { a: 0, b: 0 }, pValue: 1, better: null });
  });

  it('is a false alarm in at most 5 % of fair coins, although somebody looks after each', () => {
    const random = randomOf(1);
    const alarms = Array.from({ length: 1_000 }, () =>
      verdictOf(Array.from({ length: mostSearches }, () => (random() < 0.5 ? 1 : -1))),
    ).filter(({ better }) => better !== null);
    expect(alarms.length).toBeLessThanOrEqual(50);
    // More than none: the bound is not met by never saying anything.
    expect(alarms.length).toBeGreaterThan(10);
  });

  it.each([
    ['a ranking with itself', [one, one]],
    ['two rankings that are equally good', [one, other]],
  ] as const)('on %s is a false alarm in at most 5 %', (_what, teams) => {
    const runs = 200;
    const alarms = verdicts(runs, teams).filter((better) => better !== null);
    expect(alarms.length).toBeLessThanOrEqual(0.05 * runs);
  });

  it.each([
    ['b', [poor, good]],
    ['a', [good, poor]],
  ] as const)('finds within 2,000 searches that %s brings a quarter more likes', (better, teams) => {
    const gain = likesOf(wishes, good) / likesOf(wishes, poor);
    expect(gain).toBeGreaterThan(1.2);
    expect(gain).toBeLessThan(1.3);
    const runs = 60;
    const found = verdicts(runs, teams).filter((each) => each === better);
    expect(found.length).toBeGreaterThanOrEqual(0.95 * runs);
  });
});
