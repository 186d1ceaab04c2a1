import { parentPort, workerData } from 'node:worker_threads';
import { dailyPairs } from '../matching/daily-pairs.ts';
import { marketOf, type Pairs } from '../matching/market.ts';
import { pricesOf } from '../matching/prices.ts';

/** What the thread is given: members by number, whom they may meet, and how many they can answer. */
export interface MarketInput {
  readonly members: number;
  readonly pairs: Pairs;
  readonly capacity: Float64Array;
}

/** What the thread answers: a price for each member, and the pairs of the day. */
export interface MarketOutput {
  readonly prices: Float64Array;
  readonly pairs: readonly { readonly one: number; readonly other: number }[];
}

const { members, pairs, capacity } = workerData as MarketInput;
const market = marketOf(members, pairs);
/** Chances are coarse, so that many are equal: without a draw the same members would be paired every day. */
const drawn = {
  ...pairs,
  weight: Float32Array.from(pairs.weight, (weight) => weight * (0.5 + Math.random())),
};
const output: MarketOutput = {
  prices: pricesOf(market, capacity),
  pairs: dailyPairs(marketOf(members, drawn)),
};
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(output);
