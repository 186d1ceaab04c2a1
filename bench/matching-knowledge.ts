import { chanceOfLike } from '@covalence/search/discover/chances';
import { shareMet } from '@covalence/search/discover/preferences';
import { affinityOf, inSteps, learnTastes } from '@covalence/search/discover/tastes';
import { randomOf } from '@covalence/seed/population/random';
import type { Likes, PlantedMarket } from './matching-market.ts';

/** Members at whom each member looked, all of whom they liked or passed; new members, every tenth, have not looked and were not looked at. */
const history = 100;
const newEvery = 10;

/** Whether a member is new. */
export const isNew = (member: number): boolean => member % newEvery === 0;

/** The share of likes of a member counts as much as this many looks at all members. */
const neutralLooks = 16;

/** Knowledge of the service about a market. */
export interface Knowledge {
  /** How well a member meets the criteria of a viewer. */
  readonly met: Likes;
  /** The chance that the reader of a feed likes a member, and that a member would like the reader. */
  readonly likes: Likes;
  readonly answers: Likes;
  /** A count that the service could keep, and does not: how many times as high as usual the odds of a like are for a member. */
  readonly popularity: Float64Array;
}

/** The likes and passes of the past, by the truth. */
function choicesIn(market: PlantedMarket, seed: number) {
  const random = randomOf(seed, 'history');
  return Array.from({ length: market.members }, (_, viewer) => {
    const known = market.facing(viewer).filter((shown) => !isNew(shown));
    const seen = isNew(viewer) ? [] : random.sample(known, history);
    const { liked = [], passed = [] } = Object.groupBy(seen, (shown) =>
      random.chance(market.truth(viewer, shown)) ? 'liked' : 'passed',
    );
    return { liked, passed };
  });
}

const total = (counts: Float64Array) => counts.reduce((sum, count) => sum + count, 0);

/** The odds of a probability. */
export const oddsOf = (chance: number): number => chance / (1 - chance);

function popularityIn(choices: ReturnType<typeof choicesIn>): Float64Array {
  const [likes, looks] = [new Float64Array(choices.length), new Float64Array(choices.length)];
  for (const { liked, passed } of choices) {
    for (const shown of liked) likes[shown] = (likes[shown] ?? 0) + 1;
    for (const shown of [...liked, ...passed]) looks[shown] = (looks[shown] ?? 0) + 1;
  }
  const usual = total(likes) / total(looks);
  return likes.map((count, member) => {
    const share = (count + neutralLooks * usual) / ((looks[member] ?? 0) + neutralLooks);
    return oddsOf(share) / oddsOf(usual);
  });
}

/** A value of each pair that faces one another, computed once. */
function tableOf({ members, facing }: PlantedMarket, valueOf: Likes): Likes {
  const table = new Float64Array(members * members);
  for (let viewer = 0; viewer < members; viewer++)
    for (const shown of facing(viewer)) table[viewer * members + shown] = valueOf(viewer, shown);
  return (viewer, shown) => table[viewer * members + shown] ?? 0;
}

/** Makes the knowledge of the service after members looked at others: criteria, and tastes that it learned from their likes and passes. */
export function knowledgeOf(market: PlantedMarket, seed: number): Knowledge {
  const choices = choicesIn(market, seed);
  const traits = market.participants.map(({ candidate }) => candidate.facts.traits);
  const traitsOf = (members: readonly number[]) => members.map((member) => traits[member] ?? {});
  const tastes = choices.map(({ liked, passed }) => learnTastes(traitsOf(liked), traitsOf(passed)));
  const affinity = tableOf(market, (viewer, shown) => affinityOf(traits[shown] ?? {}, tastes[viewer] ?? []));
  const met = tableOf(market, (viewer, shown) => {
    const [reader, other] = [market.participants[viewer], market.participants[shown]];
    return reader && other ? shareMet(reader.preferences, other.candidate) : 0;
  });
  const chance = (affinityIn: (affinity: number) => number) =>
    tableOf(market, (viewer, shown) => chanceOfLike(met(viewer, shown), affinityIn(affinity(viewer, shown))));
  const likesBack = chance(inSteps);
  return {
    met,
    likes: chance((exactly) => exactly),
    answers: (viewer, shown) => likesBack(shown, viewer) * (market.presence[shown] ?? 0),
    popularity: popularityIn(choices),
  };
}
