import type { Likes, Looks, PlantedMarket } from './matching-market.ts';

/** Sessions of a day, and entries that a member looks through in each. Nobody is shown twice in a day. */
const sessions = 3;
const entries = 10;

/** Likes that a member answers in a day; of more, some at random. */
const answers = 5;

/** How sure it is that a member looks at an entry, by place: 1, then less, as nDCG discounts. */
const attention = Array.from({ length: entries }, (_, place) => 1 / Math.log2(place + 2));

/** The score of a shown member for a viewer; the feed shows the highest first. */
type Score = (viewer: number, shown: number) => number;

/** A ranking makes scores of what is known when a session begins. */
export type Ranking = (known: Likes, looks: Looks) => Score;

/** One day, by member. */
export interface Day {
  /** Expected matches. */
  readonly matches: Float64Array;
  /** Looks that the member gets. */
  readonly exposure: Float64Array;
  /** Expected matches from looks of the last session, which a member gives or gets. */
  readonly lateMatches: Float64Array;
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
  readonly session: number;
}

/** The looks of a day. What members do in a session is known in the next one. */
function looksOf(market: PlantedMarket, before: Looks, ranking: Ranking): Look[] {
  const known: Looks = { given: before.given.slice(), received: before.received.slice() };
  const left = Array.from({ length: market.members }, (_, member) => new Set(market.facing(member)));
  return Array.from({ length: sessions }, (_, session) => {
    const score = ranking(market.estimate(known), known);
    const looks = left.flatMap((candidates, viewer) =>
      [...candidates]
        .map((shown) => ({ shown, value: score(viewer, shown) }))
        .sort((one, other) => other.value - one.value)
        .slice(0, entries)
        .map(({ shown }, place) => ({ viewer, shown, chance: attention[place] ?? 0, session })),
    );
    for (const { viewer, shown, chance } of looks) {
      left[viewer]?.delete(shown);
      add(known.given, viewer, chance);
      add(known.received, shown, chance);
    }
    return looks;
  }).flat();
}

/** Simulates a day under a ranking, and evaluates it by the truth. */
export function simulateDay(market: PlantedMarket, before: Looks, ranking: Ranking): Day {
  const { members, truth } = market;
  const looks = looksOf(market, before, ranking);
  const byMember = () => new Float64Array(members);
  const [matches, exposure, lateMatches, likes] = [byMember(), byMember(), byMember(), byMember()];
  for (const { viewer, shown, chance } of looks) {
    add(exposure, shown, chance);
    add(likes, shown, chance * truth(viewer, shown));
  }
  const answered = likes.map(answeredShare);
  /** How sure it is that a like of the viewer would be sent and answered, by pair. */
  const met = new Map(
    looks.map(({ viewer, shown, chance }) => [viewer * members + shown, chance * (answered[shown] ?? 0)]),
  );
  for (const { viewer, shown, session } of looks) {
    const [there, back] = [met.get(viewer * members + shown) ?? 0, met.get(shown * members + viewer) ?? 0];
    const match = truth(viewer, shown) * truth(shown, viewer);
    // A pair that looks at one another has two entries, and one match: each entry counts what it adds, half of the overlap.
    const expected = match * (there - (there * back) / 2);
    for (const member of [viewer, shown]) {
      add(matches, member, expected);
      if (session === sessions - 1) add(lateMatches, member, expected);
    }
  }
  return { matches, exposure, lateMatches };
}

/** The Gini coefficient: 0 when all have the same, near 1 when one has all. */
export function gini(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort();
  const total = sorted.reduce((sum, value) => sum + value, 0);
  const weighted = sorted.reduce((sum, value, index) => sum + (2 * index + 1 - sorted.length) * value, 0);
  return weighted / (sorted.length * total);
}
