import type { PlantedMarket } from './matching-market.ts';

/** Sessions of a day, and entries that a member looks through in each. */
const sessions = 3;
const entries = 10;

/** Likes that a member answers in a day; of more, some at random. */
const answers = 5;

/** The chance that a member looks at an entry, by place: 1, then less, as nDCG discounts. */
const attention = Array.from({ length: entries }, (_, place) => 1 / Math.log2(place + 2));

/** The members whom a ranking shows a viewer today, the first ones first. */
export type Ranking = (viewer: number) => readonly number[];

/** One day, by member. */
export interface Day {
  /** Expected matches. */
  readonly matches: Float64Array;
  /** Looks that the member gets. */
  readonly exposure: Float64Array;
  /** Looks that the member gives. */
  readonly given: Float64Array;
}

/** The expected share of likes that are answered when this many are expected: their number is Poisson's. */
export function answeredShare(expected: number): number {
  if (!expected) return 1;
  let [probability, below, answered] = [Math.exp(-expected), 0, 0];
  for (let likes = 0; likes < answers; likes++) {
    below += probability;
    answered += likes * probability;
    probability *= expected / (likes + 1);
  }
  return (answered + answers * (1 - below)) / expected;
}

const add = (to: Float64Array, member: number, value: number) => {
  to[member] = (to[member] ?? 0) + value;
};

interface Look {
  readonly viewer: number;
  readonly shown: number;
  /** The probability that the viewer looks. */
  readonly chance: number;
}

/** The parameters of a day. */
type DayMarket = Pick<PlantedMarket, 'members' | 'presence' | 'truth'>;

/** The looks of a day. Each member has a list, which is drawn once a day, and goes on where the last session ended. */
const looksOf = ({ members, presence }: DayMarket, ranking: Ranking): Look[] =>
  Array.from({ length: members }, (_, viewer) =>
    ranking(viewer)
      .slice(0, sessions * entries)
      .map((shown, place) => ({
        viewer,
        shown,
        chance: (attention[place % entries] ?? 0) * (presence[viewer] ?? 0),
      })),
  ).flat();

/** Simulates a day under a ranking, and evaluates it by the truth. */
export function simulateDay(market: DayMarket, ranking: Ranking): Day {
  const { members, presence, truth } = market;
  const looks = looksOf(market, ranking);
  const byMember = () => new Float64Array(members);
  const [matches, exposure, given, likes] = [byMember(), byMember(), byMember(), byMember()];
  for (const { viewer, shown, chance } of looks) {
    add(given, viewer, chance);
    add(exposure, shown, chance);
    add(likes, shown, chance * truth(viewer, shown));
  }
  const answered = likes.map((expected, member) => answeredShare(expected) * (presence[member] ?? 0));
  /** The chance that a like of the viewer would be sent and answered, by pair. */
  const met = new Map(
    looks.map(({ viewer, shown, chance }) => [viewer * members + shown, chance * (answered[shown] ?? 0)]),
  );
  for (const { viewer, shown } of looks) {
    const [there, back] = [met.get(viewer * members + shown) ?? 0, met.get(shown * members + viewer) ?? 0];
    const match = truth(viewer, shown) * truth(shown, viewer);
    // A pair that looks at one another has two entries, and one match: each entry counts what it adds, half of the overlap.
    const expected = match * (there - (there * back) / 2);
    for (const member of [viewer, shown]) add(matches, member, expected);
  }
  return { matches, exposure, given };
}

/** The Gini coefficient: 0 when all have the same, near 1 when one has all. */
export function gini(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort();
  const total = sorted.reduce((sum, value) => sum + value, 0);
  const weighted = sorted.reduce((sum, value, index) => sum + (2 * index + 1 - sorted.length) * value, 0);
  return weighted / (sorted.length * total);
}
