import { chanceOfPresence } from '@covalence/search/discover/chances';
import { randomOf } from '@covalence/seed/population/random/random';

/** The crowding of a market. */
export interface Crowding {
  readonly level: 'low' | 'medium' | 'high';
  /** The share of the variance of likes that all members have in common; the rest is their own taste. */
  readonly popularity: number;
  /** Members of the larger side for each of the smaller one. */
  readonly sides: number;
}

/** Levels by a rule: popularity explains a quarter, half and three quarters; the sides go from equal to 2 to 1. */
export const crowdings: readonly Crowding[] = [
  { level: 'low', popularity: 0.25, sides: 1 },
  { level: 'medium', popularity: 0.5, sides: 1.5 },
  { level: 'high', popularity: 0.75, sides: 2 },
];

const dimensions = 8;

const today = new Date('2026-06-15T12:00:00Z');
const dayMs = 86_400_000;

/** The log-odds of a like vary about these: 12 % for the ordinary pair, more than 70 % for one in forty. */
const ordinary = -2;
const spread = 1.5;

/** The share of taste that follows from vectors; the rest is chance, which nobody can estimate. */
const knowable = 0.8;

/** Median of the days since members were last seen. Their answer rates are uniform. */
const usualDays = 7;

/** After so many looks half of the variance of a member's vector is known. */
const halfKnown = 20;

/** A probability for each ordered pair. */
export type Likes = (viewer: number, shown: number) => number;

/** Looks of which the service knows the outcome, by member: given and received. */
export interface Looks {
  readonly given: Float64Array;
  readonly received: Float64Array;
}

/** Members with tastes that only the evaluation knows. */
export interface PlantedMarket {
  readonly members: number;
  /** The members that a member can see: those of the other side. */
  readonly facing: (member: number) => readonly number[];
  /** The chance that a member is there, which everybody knows. */
  readonly presence: Float64Array;
  readonly truth: Likes;
  /** The service's estimate after these looks. Without looks, every new member counts as average. */
  readonly estimate: (looks: Looks) => Likes;
}

/** The known share of the variance of a member's vectors. */
const reliability = (looks = 0) => looks / (looks + halfKnown);

/** Estimates of the vectors of all members: their means, given the looks. */
const knownOf = (vectors: Float64Array, noise: Float64Array, looks: Float64Array): Float64Array =>
  vectors.map((value, index) => {
    const known = reliability(looks[Math.floor((index * looks.length) / vectors.length)]);
    return known * value + Math.sqrt(known * (1 - known)) * (noise[index] ?? 0);
  });

/** Plants a market. The same seed gives the same one. */
export function plantMarket(seed: number, { popularity, sides }: Crowding, members = 1_000): PlantedMarket {
  const random = randomOf(seed, 'market');
  const normals = (count: number) => Float64Array.from({ length: count }, () => random.normal(0, 1));
  const [appeal, appealNoise] = [normals(members), normals(members)];
  const [wants, wantsNoise] = [normals(members * dimensions), normals(members * dimensions)];
  const [traits, traitsNoise] = [normals(members * dimensions), normals(members * dimensions)];
  const chance = normals(members * members);
  const presence = Float64Array.from({ length: members }, () => {
    const days = -usualDays * Math.log2(1 - random.real());
    const last_seen = new Date(today.getTime() - days * dayMs).toISOString();
    return chanceOfPresence({ last_seen, answer_rate: random.real() }, today);
  });
  const byChance = Math.sqrt((1 - popularity) * (1 - knowable));

  /** The likes of these vectors; `shift` adds to a pair what else is known of it, `unknown` is the variance that is left. */
  const likes = (
    appeal: Float64Array,
    wants: Float64Array,
    traits: Float64Array,
    shift: (pair: number) => number,
    unknown: (viewer: number, shown: number) => number,
  ): Likes => {
    const table = new Float64Array(members * members);
    for (let pair = 0; pair < table.length; pair++) {
      const [viewer, shown] = [Math.floor(pair / members), pair % members];
      let fit = 0;
      for (let at = 0; at < dimensions; at++) {
        fit += (wants[viewer * dimensions + at] ?? 0) * (traits[shown * dimensions + at] ?? 0);
      }
      const taste = Math.sqrt(((1 - popularity) * knowable) / dimensions) * fit;
      const odds = ordinary + spread * (Math.sqrt(popularity) * (appeal[shown] ?? 0) + taste + shift(pair));
      // The mean of a logistic function of a normal variable, nearly.
      table[pair] =
        1 / (1 + Math.exp(-odds / Math.sqrt(1 + (Math.PI / 8) * spread ** 2 * unknown(viewer, shown))));
    }
    return (viewer, shown) => table[viewer * members + shown] ?? 0;
  };

  const all = Array.from({ length: members }, (_, member) => member);
  const border = Math.round(members / (1 + sides));
  const [few, many] = [all.slice(0, border), all.slice(border)];
  const facing = (member: number) => (member < border ? many : few);
  return {
    members,
    facing,
    presence,
    truth: likes(
      appeal,
      wants,
      traits,
      (pair) => byChance * (chance[pair] ?? 0),
      () => 0,
    ),
    estimate: ({ given, received }) =>
      likes(
        knownOf(appeal, appealNoise, received),
        knownOf(wants, wantsNoise, given),
        knownOf(traits, traitsNoise, received),
        () => 0,
        (viewer, shown) => {
          const seen = reliability(received[shown]);
          return 1 - seen * (popularity + (1 - popularity) * knowable * reliability(given[viewer]));
        },
      ),
  };
}
