import { drawn, samplePairs, type Participant } from '@covalence/search/discover/daily-matching/sample-pairs';
import { dailyPairs } from '@covalence/search/matching/daily-pairs';
import { marketOf, mutual } from '@covalence/search/matching/market';
import { pricesOf, relativePrices } from '@covalence/search/matching/prices';
import { feedSize, rankFeed } from '@covalence/search/matching/rank-feed';
import { suggestionsOf } from '@covalence/search/matching/suggestions';
import { readRelevance } from '@covalence/search/relevance/relevance-settings';
import { randomOf, type Random } from '@covalence/seed/population/random';
import { effort } from './effort.ts';
import { say } from './engines.ts';
import { gini, simulateDay, type Day, type Ranking } from './matching-day.ts';
import { isNew, knowledgeOf, oddsOf, type Knowledge } from './matching-knowledge.ts';
import { crowdings, plantMarket, type Crowding, type PlantedMarket } from './matching-market.ts';
import { measurement, type Goal, type Measurement } from './measurement.ts';

/** The share of members whom a feed leaves out. */
const settings = new URL('../services/search/settings/relevance.json', import.meta.url);
const { discover_left_out: leftOut } = readRelevance(settings);

/** Expected matches a day of a member who has one in a month. A member with fewer counts as without matches. */
const leastMatches = 1 / 30;

/** The batch: processor time that is wanted, and the share of members on the shorter side. */
const wantedSeconds = 10;
const shorterSide = 0.4;

/** A market, what the service knows of it, and the chance that decides. */
interface Simulated {
  readonly market: PlantedMarket;
  readonly known: Knowledge;
  readonly random: Random;
}

/** Makes the ranking of a day: 0 is the first one of new members. */
type Method = (simulated: Simulated, day: number) => Ranking | Promise<Ranking>;

/** The reference: ranks all by the probability of a match, with the odds of a like multiplied by what else is known. */
const byProduct =
  (timesOf: (known: Knowledge, shown: number) => number): Method =>
  ({ market, known }) => {
    const likes = (chance: number, shown: number) => {
      const odds = oddsOf(chance) * timesOf(known, shown);
      return odds / (1 + odds);
    };
    return (viewer) =>
      market
        .facing(viewer)
        .map((shown) => ({
          shown,
          chance: likes(known.likes(viewer, shown), shown) * known.answers(viewer, shown),
        }))
        .toSorted((one, other) => other.chance - one.chance)
        .map(({ shown }) => shown);
  };

/** Prices of these members, and whom their feeds should show, as the job of midnight computes them. */
async function batchOf(participants: readonly Participant[], random: Random) {
  const pairs = await samplePairs(
    participants,
    () => Promise.resolve(true),
    () => random.real(),
  );
  if (!pairs) throw new Error('the batch was interrupted');
  const sampled = marketOf(participants.length, pairs);
  const capacity = participants.map(({ presence }) => presence);
  const prices = relativePrices(
    sampled,
    capacity,
    participants.map(({ audience }) => audience),
  );
  const { suggested, owed } = suggestionsOf(sampled, prices);
  const idsOf = (numbers: readonly number[] = []) =>
    numbers.flatMap((number) => participants[number]?.id ?? []);
  return new Map(
    participants.map(({ id }, number) => [
      id,
      { price: prices[number] ?? 0, suggested: idsOf(suggested[number]), owed: idsOf(owed[number]) },
    ]),
  );
}

/** The members whom the search finds for a feed: those who meet more of the reader's criteria first, else by chance. */
const found = ({ market, known, random }: Simulated, viewer: number): number[] =>
  random
    .sample(market.facing(viewer), market.members)
    .toSorted((one, other) => known.met(viewer, other) - known.met(viewer, one))
    .slice(0, feedSize.candidates);

/**
 * Ranks as the service does, with the prices and suggestions of the batch of midnight, which new members had no part in on their first
 * day. Some members to whom no place is owed are left out by chance.
 */
const byPrice: Method = async (simulated, day) => {
  const { market, known, random } = simulated;
  const participants = market.participants.filter(({ id }) => day > 0 || !isNew(id));
  const results = await batchOf(participants, random);
  return (viewer) => {
    const { suggested = [], owed = [] } = results.get(viewer) ?? {};
    const shown = [...new Set([...found(simulated, viewer), ...suggested])]
      .map((id) => ({
        id,
        likes: known.likes(viewer, id),
        answers: known.answers(viewer, id),
        isNew: isNew(id),
        isOwed: owed.includes(id),
      }))
      .filter(({ isOwed }) => isOwed || !random.chance(leftOut));
    const prices = shown.flatMap(({ id }) => {
      const result = results.get(id);
      return result ? [[id, result.price] as const] : [];
    });
    return rankFeed(shown, new Map(prices), () => random.real());
  };
};

/** The first two days of new members, of whom the service learns nothing meanwhile. */
async function simulate(simulated: Simulated, method: Method): Promise<{ first: Day; second: Day }> {
  const first = simulateDay(simulated.market, await method(simulated, 0));
  return { first, second: simulateDay(simulated.market, await method(simulated, 1)) };
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

/** The rankings: the service's, and p×q by the same chances, and by chances that also know who is popular. */
const methods = {
  price: byPrice,
  product: byProduct(() => 1),
  popular: byProduct(({ popularity }, shown) => popularity[shown] ?? 1),
};

/** Simulates one market under each ranking. */
export async function compareRankings(
  seed: number,
  crowding: Crowding,
): Promise<Record<keyof typeof methods, Counts>> {
  const market = plantMarket(seed, crowding);
  const known = knowledgeOf(market, seed);
  const run = async (method: Method) =>
    countsOf(await simulate({ market, known, random: randomOf(seed, 'days') }, method));
  const { price, product, popular } = methods;
  return { price: await run(price), product: await run(product), popular: await run(popular) };
}

async function benchCrowding(crowding: Crowding): Promise<Measurement[]> {
  const { level } = crowding;
  const markets: Awaited<ReturnType<typeof compareRankings>>[] = [];
  for (let seed = 0; seed < effort.markets; seed++) markets.push(await compareRankings(seed, crowding));
  const of = (method: keyof typeof methods, name: keyof Counts, over = mean) =>
    over(markets.map((counts) => counts[method][name]));
  const row = (what: string, unit: string, name: keyof Counts, goal: Goal, over = mean) =>
    measurement(`${level}: ${what}`, unit, of('price', name, over), of('product', name, over), goal);
  const popular = measurement(
    `${level}: the same, against p×q by popularity, too`,
    'matches',
    of('price', 'matches'),
    of('popular', 'matches'),
  );
  say(
    `  ${level}: ${of('price', 'without')} by price and ${of('product', 'without')} by p×q have less than a match a month`,
  );
  const wantedMatches = level === 'medium' ? 'ratio at least 1.3' : 'no goal';
  return [
    row('expected matches a day', 'matches', 'matches', wantedMatches),
    popular,
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
export async function benchMatching(): Promise<readonly Measurement[]> {
  const batch = benchBatch();
  const measured: Measurement[] = [];
  for (const crowding of crowdings) measured.push(...(await benchCrowding(crowding)));
  return [...measured, ...batch];
}
