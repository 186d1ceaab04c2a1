import { mutual, type Market } from './market.ts';

/** Sweeps end when no price changes by more than this: by a tenth of a percent of a score. */
const settled = 1e-3;

/** Markets settle in some tens of sweeps; a market that has not settled still has usable prices. */
const mostSweeps = 300;

/**
 * The availability of a member whose candidates attract `demand` in all and `mean` each: the positive root of
 * `mean × a² + demand × a = capacity`. What is not spent on candidates stays with the member.
 */
const availability = (demand: number, mean: number, capacity: number) =>
  (2 * capacity) / (demand + Math.sqrt(demand ** 2 + 4 * mean * capacity));

/**
 * The prices of a market in equilibrium, with transferable utility (Choo and Siow, 2006). A pair spends
 * `weight × a(one) × a(other)` of the capacity of both, and a price is `-log a`. So a price is high for members whom
 * many want, and low for members whom few want or who can answer more.
 *
 * Each step solves the equation of one member exactly, which minimizes a convex function along one coordinate.
 */
export function pricesOf(market: Market, capacity?: ArrayLike<number>): Float64Array {
  const { members, start, other, weight } = market;
  const available = new Float64Array(members).fill(1);
  for (let sweep = 0, moved = Infinity; sweep < mostSweeps && moved > settled; sweep++) {
    moved = 0;
    for (let member = 0; member < members; member++) {
      const [from = 0, to = 0] = [start[member], start[member + 1]];
      if (from === to) continue;
      let [demand, sum] = [0, 0];
      for (let at = from; at < to; at++) {
        const value = weight[at] ?? 0;
        sum += value;
        demand += value * (available[other[at] ?? 0] ?? 0);
      }
      const now = availability(demand, sum / (to - from), capacity?.[member] ?? 1);
      moved = Math.max(moved, Math.abs(Math.log(now / (available[member] ?? 1))));
      available[member] = now;
    }
  }
  return available.map((value) => -Math.log(value));
}

/** A candidate of a member without a price. */
export interface Candidate {
  /** `mutual(p, q)`. */
  readonly weight: number;
  readonly price: number;
}

/** The price of one member beside those of the others, for who joined after the last batch. */
export function priceOf(candidates: readonly Candidate[], capacity = 1): number {
  if (!candidates.length) return 0;
  const demand = candidates.reduce((sum, { weight, price }) => sum + weight * Math.exp(-price), 0);
  const mean = candidates.reduce((sum, { weight }) => sum + weight, 0) / candidates.length;
  return -Math.log(availability(demand, mean, capacity));
}

/** What a feed ranks by, highest first: the chance of a match, less the price of the member it would show. */
export const feedScore = (p: number, q: number, price: number): number => Math.log(mutual(p, q)) - price;
