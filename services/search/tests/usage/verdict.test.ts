import { describe, expect, it } from '@jest/globals';
import { coinsOf, draft } from '../../src/usage/team-draft.ts';
import { verdictOf, type Wins } from '../../src/usage/verdict.ts';
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

/** Wins of searchers by their scores, in parts that somebody looks at one after the other. */
function winsOf(scores: Iterable<number>, perLook: number): Wins[] {
  const parts: { a: number; b: number }[] = [];
  let count = 0;
  for (const score of scores) {
    const part = count % perLook ? parts.at(-1) : undefined;
    const into = part ?? { a: 0, b: 0 };
    if (!part) parts.push(into);
    if (score) into[score > 0 ? 'b' : 'a'] += 1;
    count += 1;
  }
  return parts;
}

/** The scores of searchers of the outcomes of their searches. */
const bySearcher = (run: number[][]) => run.map((own) => own.reduce((sum, each) => sum + each, 0));

const repeat = (count: number, wins: Wins) => Array.from({ length: count }, () => wins);

describe('a verdict', () => {
  const mostSearches = 2_000;
  // Two rankings that are equally good, a better and a worse one.
  const [one, other, good, poor] = [0, 1, 2, 3];
  const wishes = makeWishes(7, [0.1, 0.1, 0.01, 0.12]);
  const verdicts = (runs: number, teams: readonly [number, number], perSearcher: number) =>
    Array.from({ length: runs }, (_, seed) => {
      const searchers = simulate(seed, mostSearches / perSearcher, perSearcher, wishes, teams);
      return verdictOf(winsOf(searchers, 100 / perSearcher)).better;
    });

  it('is not reached by few wins, and stays once it is', () => {
    expect(verdictOf([{ a: 0, b: 3 }])).toMatchObject({ better: null, wins: { a: 0, b: 3 } });
    expect(verdictOf(repeat(4, { a: 0, b: 10 }))).toMatchObject({ better: 'b' });
    const turned = [...repeat(4, { a: 10, b: 0 }), ...repeat(6, { a: 0, b: 10 })];
    expect(verdictOf(turned)).toMatchObject({ better: 'a', wins: { a: 40, b: 60 } });
    expect(verdictOf([])).toEqual({ wins: { a: 0, b: 0 }, pValue: 1, better: null });
  });

  it('is a false alarm in at most 5 % of fair coins, although somebody looks every day', () => {
    const random = randomOf(1);
    const alarms = Array.from({ length: 1_000 }, () => {
      const coins = Array.from({ length: mostSearches }, () => (random() < 0.5 ? 1 : -1));
      return verdictOf(winsOf(coins, 25));
    }).filter(({ better }) => better !== null);
    expect(alarms.length).toBeLessThanOrEqual(50);
    // More than none: the bound is not met by never saying anything.
    expect(alarms.length).toBeGreaterThan(10);
  });

  it.each([
    ['200 searchers with 10 searches', 200, 10],
    ['100 with 20', 100, 20],
    ['50 with 40', 50, 40],
    ['30 with 60', 30, 60],
  ])(
    'is one in at most 5 % where each of %s strongly prefers either ranking',
    (_what, searchers, searches) => {
      const random = randomOf(searchers);
      const runs = 1_000;
      const scores = Array.from({ length: runs }, () =>
        Array.from({ length: searchers }, () => {
          const share = random() < 0.5 ? 0.7 : 0.3;
          return Array.from({ length: searches }, () => (random() < share ? 1 : -1));
        }),
      );
      const alarmsIn = (outcomes: (run: number[][]) => number[], perLook: number) =>
        scores.filter((run) => verdictOf(winsOf(outcomes(run), perLook)).better).length / runs;
      expect(alarmsIn(bySearcher, searchers / 10)).toBeLessThanOrEqual(0.05);
      // Their searches are no independent evidence.
      expect(alarmsIn((run) => run.flat(), searches)).toBeGreaterThan(0.06);
    },
  );

  it.each([
    ['a ranking with itself', [one, one], 1],
    ['a ranking with itself', [one, one], 4],
    ['two rankings that are equally good', [one, other], 1],
    ['two rankings that are equally good', [one, other], 4],
  ] as const)('on %s %j is a false alarm in at most 5 % with %i searches each', (_what, teams, each) => {
    const runs = 200;
    const alarms = verdicts(runs, teams, each).filter((better) => better !== null);
    expect(alarms.length).toBeLessThanOrEqual(0.05 * runs);
  });

  it.each([
    ['b', [poor, good], 1, 0.95],
    ['a', [good, poor], 1, 0.95],
    ['b', [poor, good], 4, 0.9],
    ['a', [good, poor], 4, 0.9],
  ] as const)(
    'finds within 2,000 searches that %s %j brings a quarter more likes, with %i by each searcher',
    (better, teams, each, share) => {
      const gain = likesOf(wishes, good) / likesOf(wishes, poor);
      expect(gain).toBeGreaterThan(1.2);
      expect(gain).toBeLessThan(1.3);
      const runs = 60;
      const found = verdicts(runs, teams, each).filter((one) => one === better);
      expect(found.length).toBeGreaterThanOrEqual(share * runs);
    },
  );
});
