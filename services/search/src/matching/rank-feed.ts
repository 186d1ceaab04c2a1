import { exploration, feedScore, usualPrice } from './prices.ts';

/** Members whom one query finds for a feed, members of a feed at most, and those of one that needs no further query. */
export const feedSize = { candidates: 150, members: 100, enough: 50 };

/** The part of a score that is chance, another one each day: as much as a step of wishes, so that an order tells little of them. */
const chance = 0.6;

/** How much less than usual a member's price may be: criteria that fit nobody for a night make nobody the first in every feed. */
const mostDiscount = 1;

/** A candidate with the chances that the viewer likes them, and that they answer with a like. */
export interface FeedCandidate {
  readonly id: number;
  readonly likes: number;
  readonly answers: number;
  /** Whether no matching has seen the member for a day. */
  readonly isNew: boolean;
}

/**
 * Members in the order of a feed: by the chance that both like one another, less the price of showing the member, and a little chance.
 * `draw` gives a number from 0 to 1, another for each viewer, candidate and day.
 */
export function rankFeed(
  candidates: readonly FeedCandidate[],
  prices: ReadonlyMap<number, number>,
  draw: (id: number) => number,
): number[] {
  const usual = usualPrice([...prices.values()]);
  const scored = candidates.map(({ id, likes, answers, isNew }) => {
    const drawn = draw(id);
    const explored = isNew && prices.size > 0 && !prices.has(id);
    const price = Math.max(prices.get(id) ?? usual, usual - mostDiscount);
    const chances = chance * drawn + (explored ? exploration(0, drawn) : 0);
    return { id, score: feedScore(likes, answers, price) + chances };
  });
  return scored
    .toSorted((one, other) => other.score - one.score)
    .slice(0, feedSize.members)
    .map(({ id }) => id);
}
