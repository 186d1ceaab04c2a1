import { dailyPairs } from '@covalence/search/matching/daily-pairs';
import { marketOf, mutual } from '@covalence/search/matching/market';
import { exploration, feedScore, pricesOf, usualPrice } from '@covalence/search/matching/prices';
import { randomOf, type Random } from '@covalence/seed/population/random';
import { effort } from './effort.ts';
import { say } from './engines.ts';
import { gini, simulateDay, type Day, type Ranking } from './matching-day.ts';
import {
  crowdings,
  plantMarket,
  type Crowding,
  type Likes,
  type Looks,
  type PlantedMarket,
} from './matching-market.ts';
import { measurement, type Goal, type Measurement } from './measurement.ts';

/** Looks given and received that the service has seen of each member but the new ones, who are every tenth. */
const history = 100;
const newEvery = 10;
const isNew = (member: number) => member % newEvery === 0;

/** Expected matches a day of a member who has one in a month. Who has less is without. */
const leastMatches = 1 / 30;

/** The batch: processor time that is wanted, candidates of a member, and the share of members on the shorter side. */
const wantedSeconds = 10;
const candidates = 100;
const shorterSide = 0.4;

const looksBefore = ({ members }: PlantedMarket): Looks => {
  const looks = Float64Array.from({ length: members }, (_, member) => (isNew(member) ? 0 : history));
  return { given: looks, received: looks };
};

/** The reference: ranks by the probability of a match. */
const byProduct: Ranking = (known) => (viewer, shown) => known(viewer, shown) * known(shown, viewer);

/** Prices of the members whom the batch knows, from some candidates of each; 0 of the others. */
function batchPrices(market: PlantedMarket, known: Likes, random: Random): Float64Array {
  const [one, other, weight]: [number[], number[], number[]] = [[], [], []];
  for (let member = 0; member < market.members; member++) {
    if (isNew(member)) continue;
    // As many draw the member.
    const drawn = random.sample(market.facing(member), candidates / 2).filter((partner) => !isNew(partner));
    for (const partner of drawn) {
      one.push(member);
      other.push(partner);
      weight.push(mutual(known(member, partner), known(partner, member)));
    }
  }
  return pricesOf(marketOf(market.members, { one, other, weight }));
}

/** Ranks with the prices of the last batch. Who joined since has the usual price of those of the same side. */
function byPrice(market: PlantedMarket, before: Looks, seed: number): Ranking {
  const random = randomOf(seed, 'day');
  const batch = batchPrices(market, market.estimate(before), random);
  const draws = Float64Array.from({ length: market.members ** 2 }, () => random.real());
  const usualOf = (viewer: number) =>
    usualPrice(
      market
        .facing(viewer)
        .filter((shown) => !isNew(shown))
        .map((shown) => batch[shown] ?? 0),
    );
  const usual = Array.from(batch, (_, viewer) => usualOf(viewer));
  return (known, { received }) =>
    (viewer, shown) => {
      const price = (isNew(shown) ? usual[viewer] : batch[shown]) ?? 0;
      const draw = draws[viewer * market.members + shown] ?? 0;
      return (
        feedScore(known(viewer, shown), known(shown, viewer), price) + exploration(received[shown] ?? 0, draw)
      );
    };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** What counts of a day. */
function countsOf({ matches, exposure, lateMatches }: Day) {
  const late = (wanted: boolean) => mean([...lateMatches].filter((_, member) => isNew(member) === wanted));
  return {
    matches: mean([...matches]),
    gini: gini(exposure),
    fewest: Math.min(...matches),
    without: matches.filter((expected) => expected < leastMatches).length,
    new: (100 * late(true)) / late(false),
  };
}

type Counts = ReturnType<typeof countsOf>;

/** Simulates the same markets under both rankings. */
function benchCrowding(crowding: Crowding): Measurement[] {
  const days = Array.from({ length: effort.markets }, (_, seed) => {
    const market = plantMarket(seed, crowding);
    const before = looksBefore(market);
    return {
      price: countsOf(simulateDay(market, before, byPrice(market, before, seed))),
      product: countsOf(simulateDay(market, before, byProduct)),
    };
  });
  const [price, product] = [days.map((day) => day.price), days.map((day) => day.product)];
  const row = (what: string, unit: string, name: keyof Counts, goal: Goal, of = mean) => {
    const [value, reference] = [price, product].map((counts) => of(counts.map((each) => each[name])));
    return measurement(`${crowding.level}: ${what}`, unit, value ?? 0, reference ?? 0, goal);
  };
  const without = [price, product].map((counts) => mean(counts.map((each) => each.without)));
  say(`  ${crowding.level}: ${without.join(' by price and ')} by p×q have less than a match a month`);
  const wantedMatches = crowding.level === 'medium' ? 'ratio at least 1.3' : 'no goal';
  return [
    row('expected matches a day', 'matches', 'matches', wantedMatches),
    row('Gini coefficient of exposure', 'of 1', 'gini', 'at most 0.6'),
    row('fewest expected matches a day', 'matches', 'fewest', 'at least 0.033', (all) => Math.min(...all)),
    row('matches of new members after a day', '% of others', 'new', 'at least 90'),
  ];
}

/** Times the daily batch: members of two sides who have candidates at random, some of them popular. */
function benchBatch(): Measurement[] {
  const members = effort.batch;
  const random = randomOf(0, 'batch');
  const appeal = Float64Array.from({ length: members }, () => random.normal(-2, 1));
  const likes = (member: number) => 1 / (1 + Math.exp(-(appeal[member] ?? 0) - random.normal(0, 1)));
  const count = (members * candidates) / 2;
  const pairs = {
    one: new Uint32Array(count),
    other: new Uint32Array(count),
    weight: new Float32Array(count),
  };
  const border = Math.round(members * shorterSide);
  for (let pair = 0; pair < count; pair++) {
    const [one, other] = [random.integer(0, border - 1), random.integer(border, members - 1)];
    pairs.one[pair] = one;
    pairs.other[pair] = other;
    pairs.weight[pair] = mutual(likes(one), likes(other));
  }
  const memory = process.memoryUsage().arrayBuffers;
  const start = process.cpuUsage();
  const market = marketOf(members, pairs);
  pricesOf(market);
  const paired = dailyPairs(market);
  const { user, system } = process.cpuUsage(start);
  const mebibytes = (process.memoryUsage().arrayBuffers - memory) / 2 ** 20;
  say(`  ${paired.length} pairs of the day; the batch takes ${Math.round(mebibytes)} MiB more`);
  const what = 'processor time of prices and pairs of 50,000 members';
  return [measurement(what, 's', (user + system) / 1e6, wantedSeconds, 'at most 10')];
}

/** Compares recommendations by price with those by p×q on planted markets, and times the daily batch. */
export function benchMatching(): Promise<readonly Measurement[]> {
  const batch = benchBatch();
  return Promise.resolve([...crowdings.flatMap(benchCrowding), ...batch]);
}
