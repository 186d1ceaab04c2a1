import { parentPort, workerData } from 'node:worker_threads';
import { dailyPairs } from '../../matching/daily-pairs.ts';
import { marketOf } from '../../matching/market.ts';
import { relativePrices } from '../../matching/prices.ts';
import { suggestionsOf, type Suggestions } from '../../matching/suggestions.ts';
import type { SampledPairs } from './sample-pairs.ts';

/** Input of the thread: members by number, the pairs that may meet, and how many others each member can answer. */
export interface MarketInput {
  readonly audiences: readonly string[];
  readonly pairs: SampledPairs;
  readonly capacity: Float64Array;
  /** The other member of the last pair; -1 of who had none. */
  readonly lastPair: Int32Array;
}

/** Output of the thread, by member: the price, the other member of the pair of the day or -1, and suggestions for the feed. */
export interface MarketOutput extends Suggestions {
  readonly prices: Float64Array;
  readonly pairs: Int32Array;
}

/** The same two are paired again only where nobody else is left for either. */
const again = 1e-3;

/** Chances are coarse, so that many are equal: without a draw the same members would be paired every day. */
const drawn = ({ one, other, weight }: SampledPairs, lastPair: Int32Array): SampledPairs => ({
  one,
  other,
  weight: weight.map((chance, pair) => {
    const isAgain = lastPair[one[pair] ?? -1] === other[pair];
    return chance * (0.5 + Math.random()) * (isAgain ? again : 1);
  }),
});

function solve({ audiences, pairs, capacity, lastPair }: MarketInput): MarketOutput {
  const members = audiences.length;
  const market = marketOf(members, pairs);
  const prices = relativePrices(market, capacity, audiences);
  const pairOf = new Int32Array(members).fill(-1);
  for (const { one, other } of dailyPairs(marketOf(members, drawn(pairs, lastPair))))
    [pairOf[one], pairOf[other]] = [other, one];
  return { prices, pairs: pairOf, ...suggestionsOf(market, prices) };
}

const output = solve(workerData as MarketInput);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(output);
