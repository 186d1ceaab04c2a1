import { dailyPairs } from '@covalence/search/matching/daily-pairs';
import { marketOf, mutual } from '@covalence/search/matching/market';
import { pricesOf, relativePrices } from '@covalence/search/matching/prices';
import { suggestionsOf } from '@covalence/search/matching/suggestions';
import { feedSize, rankFeed } from '@covalence/search/matching/rank-feed';
import { drawn } from '@covalence/search/discover/daily-matching/sample-pairs';
import { readRelevance } from '@covalence/search/relevance/relevance-settings';
import { randomOf, type Random } from '@covalence/seed/population/random/random';
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

/** The share of members whom a feed leaves out, and the steps in which a search by criteria knows a taste. */
const settings = new URL('../services/search/settings/relevance.json', import.meta.url);
const { discover_left_out: leftOut } = readRelevance(settings);
const steps = 3;

/** Expected matches a day of a member who has one in a month. A member with fewer counts as without matches. */
const leastMatches = 1 / 30;

/** The batch: processor time that is wanted, and the share of members on the shorter side. */
const wantedSeconds = 10;
const shorterSide = 0.4;

const looksBefore = ({ members }: PlantedMarket): Looks => {
  const looks = Float64Array.from({ length: members }, (_, member) => (isNew(member) ? 0 : history));
  return { given: looks, received: looks };
};

/** The looks known after a day. */
const looksAfter = (before: Looks, { given, exposure }: Day): Looks => ({
  given: before.given.map((looks, member) => looks + (given[member] ?? 0)),
  received: before.received.map((looks, member) => looks + (exposure[member] ?? 0)),
});

/** The service's estimates when a day begins: the probability of a like, and of an answer, given the chance of presence. */
function knownOf(market: PlantedMarket, before: Looks) {
  const known = market.estimate(before);
  return {
    likes: known,
    answers: (viewer: number, shown: number) => known(shown, viewer) * (market.presence[shown] ?? 0),
  };
}

/** Makes the ranking of a day. */
type Method = (market: PlantedMarket, before: Looks, day: number) => Ranking;

/** The reference: ranks all by the probability of a match. */
const byProduct: Method = (market, before) => {
  const { likes, answers } = knownOf(market, before);
  return (viewer) =>
    market
      .facing(viewer)
      .map((shown) => ({ shown, chance: likes(viewer, shown) * answers(viewer, shown) }))
      .toSorted((one, other) => other.chance - one.chance)
      .map(({ shown }) => shown);
};

/** Prices of these members, and whom their feeds should show, from some candidates of each. */
function batchOf(market: PlantedMarket, likes: Likes, priced: readonly number[], random: Random) {
  const likesNow = (viewer: number, shown: number) => likes(viewer, shown) * (market.presence[viewer] ?? 0);
  const isPriced = new Set(priced);
  const [one, other, weight]: [number[], number[], number[]] = [[], [], []];
  for (const member of priced) {
    const partners = random.sample(market.facing(member), drawn);
    for (const partner of partners.filter((each) => isPriced.has(each))) {
      one.push(member);
      other.push(partner);
      weight.push(mutual(likesNow(member, partner), likesNow(partner, member)));
    }
  }
  const sides = Array.from(market.presence, (_, member) => String(market.facing(member)[0]));
  const sampled = marketOf(market.members, { one, other, weight });
  const prices = relativePrices(sampled, market.presence, sides);
  return {
    prices: new Map(priced.map((member) => [member, prices[member] ?? 0])),
    ...suggestionsOf(sampled, prices),
  };
}

/**
 * The members whom the search finds for a feed: those who are more to the viewer's taste first, in three steps, within which chance decides.
 * Of new members nothing is known.
 */
function found(market: PlantedMarket, likes: Likes, random: Random, viewer: number): number[] {
  const shuffled = random.sample(market.facing(viewer), market.members);
  const ranked = shuffled.toSorted((one, other) => likes(viewer, other) - likes(viewer, one));
  const stepOf = new Map(ranked.map((shown, place) => [shown, Math.floor((steps * place) / ranked.length)]));
  const step = new Map(
    shuffled.map((shown) => [shown, isNew(shown) ? random.integer(0, steps - 1) : (stepOf.get(shown) ?? 0)]),
  );
  return shuffled
    .toSorted((one, other) => (step.get(one) ?? 0) - (step.get(other) ?? 0))
    .slice(0, feedSize.candidates);
}

/**
 * Ranks as the service does, with the prices and suggestions of the batch of midnight, which new members had no part in on their first
 * day. Some members to whom no place is owed are left out by chance.
 */
const byPrice =
  (seed: number): Method =>
  (market, before, day) => {
    const random = randomOf(seed, `day ${day}`);
    const { likes, answers } = knownOf(market, before);
    const all = Array.from(market.presence.keys());
    const priced = all.filter((member) => day > 0 || !isNew(member));
    const { prices, suggested, owed } = batchOf(market, likes, priced, random);
    return (viewer) => {
      const candidates = new Set([...found(market, likes, random, viewer), ...(suggested[viewer] ?? [])]);
      const shown = [...candidates]
        .map((id) => ({
          id,
          likes: likes(viewer, id),
          answers: answers(viewer, id),
          isNew: isNew(id),
          isOwed: owed[viewer]?.includes(id) ?? false,
        }))
        .filter(({ isOwed }) => isOwed || !random.chance(leftOut));
      const known = shown.flatMap(({ id }) => (prices.has(id) ? [[id, prices.get(id) ?? 0] as const] : []));
      return rankFeed(shown, new Map(known), () => random.real());
    };
  };

/** The first two days of new members. */
function simulate(market: PlantedMarket, method: Method): { first: Day; second: Day } {
  const before = looksBefore(market);
  const first = simulateDay(market, method(market, before, 0));
  const after = looksAfter(before, first);
  return { first, second: simulateDay(market, method(market, after, 1)) };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The results that count: the first day, and the matches of new members on the second. */
function countsOf({ first: { matches, exposure }, second }: { first: Day; second: Day }) {
  const later = (wanted: boolean) =>
    mean([...second.matches].filter((_, member) => isNew(member) === wanted));
  return {
    matches: mean([...matches]),
    gini: gini(exposure),
    fewest: Math.min(...matches),
    without: matches.filter((expected) => expected < leastMatches).length,
    new: (100 * later(true)) / later(false),
  };
}

type Counts = ReturnType<typeof countsOf>;

/** Simulates one market under both rankings. */
export function compareRankings(seed: number, crowding: Crowding): { price: Counts; product: Counts } {
  const market = plantMarket(seed, crowding);
  return {
    price: countsOf(simulate(market, byPrice(seed))),
    product: countsOf(simulate(market, byProduct)),
  };
}

function benchCrowding(crowding: Crowding): Measurement[] {
  const days = Array.from({ length: effort.markets }, (_, seed) => compareRankings(seed, crowding));
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
  const count = members * drawn;
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
  suggestionsOf(market, pricesOf(market));
  const paired = dailyPairs(market);
  const { user, system } = process.cpuUsage(start);
  const mebibytes = (process.memoryUsage().arrayBuffers - memory) / 2 ** 20;
  say(`  ${paired.length} pairs of the day; the batch takes ${Math.round(mebibytes)} MiB more`);
  const what = 'processor time of prices, suggestions and pairs of 50,000 members';
  return [measurement(what, 's', (user + system) / 1e6, wantedSeconds, 'at most 10')];
}

/** Compares recommendations by price with those by p×q on planted markets, and times the daily batch. */
export function benchMatching(): Promise<readonly Measurement[]> {
  const batch = benchBatch();
  return Promise.resolve([...crowdings.flatMap(benchCrowding), ...batch]);
}
