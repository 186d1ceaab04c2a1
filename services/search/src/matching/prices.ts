import { mutual, type Market } from './market.ts';

/** Sweeps end when no price moves by more than this, a tenth of a percent of a score. */
const settled = 1e-3;

/** Markets settle within ten sweeps or so; one that has not settled still has usable prices. */
const mostSweeps = 100;

/** The availability of a member: the positive root of `kept × a² + demand × a = capacity`. */
const availability = (demand: number, kept: number, capacity: number) =>
  (2 * capacity) / (demand + Math.sqrt(demand ** 2 + 4 * kept * capacity));

/** The weights of each member's pairs together: how wanted the member is. */
const wantedIn = ({ members, start, weight }: Market): Float64Array =>
  Float64Array.from({ length: members }, (_, member) =>
    weight.subarray(start[member], start[member + 1]).reduce((sum, value) => sum + value, 0),
  );

/**
 * The prices of a market in equilibrium with transferable utility (Choo and Siow, 2006). A pair takes
 * `weight × a(one) × a(other)` of the capacity of both, `kept × a²` of it stays with a member, and a price is `-log a`.
 * So prices are high for members whom many want, and lower for those who can answer more.
 *
 * `kept` grows with the square of how wanted a member is. Where one side is longer, capacity is left over, and so each
 * member of that side has the same share of it, instead of the unpopular ones all.
 *
 * Each step solves the equation of one member, which minimizes a convex function along one coordinate.
 */
export function pricesOf(market: Market, capacity?: ArrayLike<number>): Float64Array {
  const { members, start, other, weight } = market;
  const wanted = wantedIn(market);
  const ordinary = wanted.reduce((sum, value) => sum + value, 0) / wanted.filter((value) => value > 0).length;
  const available = new Float64Array(members).fill(1);
  for (let sweep = 0, moved = Infinity; sweep < mostSweeps && moved > settled; sweep++) {
    moved = 0;
    for (let member = 0; member < members; member++) {
      const own = wanted[member] ?? 0;
      if (!own) continue;
      let demand = 0;
      for (let at = start[member] ?? 0; at < (start[member + 1] ?? 0); at++) {
        demand += (weight[at] ?? 0) * (available[other[at] ?? 0] ?? 0);
      }
      const now = availability(demand, own ** 2 / ordinary, capacity?.[member] ?? 1);
      moved = Math.max(moved, Math.abs(Math.log(now / (available[member] ?? 1))));
      available[member] = now;
    }
  }
  return available.map((value) => -Math.log(value));
}

/** The price of a member who joined after the last batch: that of one whom the others' candidates want on average. */
export const usualPrice = (prices: readonly number[]): number =>
  prices.length ? Math.log(prices.reduce((sum, price) => sum + Math.exp(price), 0) / prices.length) : 0;

/**
 * Exponent that makes likely matches count more than their chance. A feed shows the best of a list, while a
 * market with transferable utility also trades the others, so that prices of the chances themselves would be
 * too even.
 */
const sharpness = 1.5;

/**
 * The most by which a price may fall below the usual one, so that criteria that fit no member for a night put
 * no member first in every feed.
 */
export const mostDiscount = 1;

/** Prices of feeds, less the usual one of the same audience: so those of different markets can be compared. */
export function relativePrices(
  market: Market,
  capacity: ArrayLike<number>,
  audiences: readonly string[],
): Float64Array {
  const sharper = { ...market, weight: market.weight.map((weight) => weight ** sharpness) };
  const prices = pricesOf(sharper, capacity).map((price) => price / sharpness);
  // Nobody wants the others, who have no price.
  const priced = Array.from(prices.keys()).filter(
    (member) => (market.start[member + 1] ?? 0) > (market.start[member] ?? 0),
  );
  for (const members of Map.groupBy(priced, (member) => audiences[member]).values()) {
    const usual = usualPrice(members.map((member) => prices[member] ?? 0));
    for (const member of members) prices[member] = (prices[member] ?? 0) - usual;
  }
  return prices;
}

/** The ranking score of a feed, highest first: the chance of a match, less the price of the shown member. */
export const feedScore = (p: number, q: number, price: number): number => Math.log(mutual(p, q)) - price;
