import { feedScore, mostDiscount, usualPrice } from './prices.ts';

/** Members whom one query finds for a feed, members of a feed at most, and those of one that needs no further query. */
export const feedSize = { candidates: 200, members: 100, enough: 50 };

/** The part of a score that is chance, another one each day: as much as a step of wishes, so that an order reveals little of them. */
const chance = 0.6;

/**
 * The part of a list in which new members have their places, by chance. Three times as visible as others, they get about as many
 * matches, although nothing is known of them yet.
 */
const newPart = 1 / 3;

/** The part of a list in which the market's suggestions that are owed places have them, by chance. */
const owedPart = 1 / 10;

/** A candidate with the chances that the viewer likes them, and that they answer with a like. */
export interface FeedCandidate {
  readonly id: number;
  readonly likes: number;
  readonly answers: number;
  /** Whether no matching has seen the member for a day. */
  readonly isNew: boolean;
  /** Whether the market owes the member a place here. */
  readonly isOwed: boolean;
}

/**
 * Members in the order of a feed: by the chance that both like one another, less the price of showing the member, and a little chance.
 * The places of new members, and of those who are owed one, are drawn. `draw` gives a number from 0 to 1, another for each viewer, candidate and day.
 */
export function rankFeed(
  candidates: readonly FeedCandidate[],
  prices: ReadonlyMap<number, number>,
  draw: (id: number) => number,
): number[] {
  const usual = usualPrice([...prices.values()]);
  const ranked = candidates
    .map(({ id, likes, answers, isNew, isOwed }) => {
      const drawn = draw(id);
      const price = Math.max(prices.get(id) ?? usual, usual - mostDiscount);
      const part = isOwed ? owedPart : isNew ? newPart : undefined;
      return { id, part, drawn, score: feedScore(likes, answers, price) + chance * drawn };
    })
    .toSorted((one, other) => other.score - one.score);
  const others = ranked.filter(({ part }) => part === undefined);
  const placed = (wanted: number) => {
    const added = ranked.filter(({ part }) => part === wanted);
    const draws = added.map(({ drawn }) => drawn * wanted).toSorted((one, other) => one - other);
    return added.map(({ id }, at) => ({ id, place: draws[at] ?? 0 }));
  };
  return [
    ...others.map(({ id }, at) => ({ id, place: (at + 0.5) / others.length })),
    ...placed(newPart),
    ...placed(owedPart),
  ]
    .toSorted((one, other) => one.place - other.place)
    .slice(0, feedSize.members)
    .map(({ id }) => id);
}
