import { utcDay } from '@covalence/contract/time';
import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import { chunks } from '@covalence/runtime/chunks';
import type { Logger } from '@covalence/runtime/logger';
import { once } from 'node:events';
import { extname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { siteRelevance } from '../../relevance/relevance-settings.ts';
import type { DiscoverContext } from '../discover.ts';
import type { MarketInput, MarketOutput } from './market-worker.ts';
import { readAskedAnswers, readIds, readParticipants } from './read-participants.ts';
import { samplePairs, type Participant } from './sample-pairs.ts';
import { createThrottle, type Throttle } from './throttle.ts';

/** Members written at once, and the pause after them, ms. */
const batch = { size: 500, pauseMs: 20 };

/** Members of one market, which take about 200 MiB. More are divided by chance into markets of the same kind. */
const mostInMarket = 25_000;

/** The dependencies of the matching. */
export interface MatchingContext extends DiscoverContext {
  readonly logger: Logger;
}

/** A group of sites that has a feed, with those sites. */
type Group = readonly [group: string, siteids: readonly number[]];

async function groupsOf({ sites, settings }: DiscoverContext): Promise<Group[]> {
  const { relevance } = await settings.active.current();
  const withFeed = [...sites.values()].filter(({ siteid }) => siteRelevance(relevance, siteid).discover);
  return [...Map.groupBy(withFeed, ({ group }) => group)].map(([group, some]) => [
    group,
    some.map(({ siteid }) => siteid),
  ]);
}

/** Divides members by chance into as few parts of about the same size as possible. */
function divided(ids: readonly number[], most: number): number[][] {
  const count = Math.ceil(ids.length / most);
  return [...Map.groupBy(ids, () => Math.floor(Math.random() * count)).values()];
}

/** Computes prices and pairs in a thread of its own, because that takes seconds. */
async function solve(input: MarketInput): Promise<MarketOutput> {
  const file = new URL(`./market-worker${extname(import.meta.url)}`, import.meta.url);
  const { one, other, weight } = input.pairs;
  const transferList = [one.buffer, other.buffer, weight.buffer];
  const worker = new Worker(file, { workerData: input, transferList });
  const [output] = (await once(worker, 'message')) as [MarketOutput];
  await worker.terminate();
  return output;
}

/** The matching results of members who may meet another; the price of all others is unknown. */
async function matched(participants: readonly Participant[], context: MatchingContext, throttle: Throttle) {
  const { matchingResults } = context.discover;
  const pairs = await samplePairs(participants, throttle);
  if (!pairs) return undefined;
  const met = new Set(pairs.one);
  for (const number of pairs.other) met.add(number);
  const numberOf = new Map(participants.map(({ id }, number) => [id, number]));
  const last = await matchingResults.pairs([...numberOf.keys()]);
  const {
    prices,
    pairs: pairOf,
    suggested,
    owed,
  } = await solve({
    audiences: participants.map(({ audience }) => audience),
    pairs,
    capacity: Float64Array.from(participants, ({ presence }) => presence),
    lastPair: Int32Array.from(participants, ({ id }) => numberOf.get(last.get(id) ?? -1) ?? -1),
  });
  const idsOf = (numbers: readonly number[] = []) =>
    numbers.flatMap((number) => participants[number]?.id ?? []);
  return [...met].map((number) => ({
    member: participants[number]?.id ?? 0,
    price: prices[number] ?? 0,
    pair: participants[pairOf[number] ?? -1]?.id,
    suggested: idsOf(suggested[number]),
    owed: idsOf(owed[number]),
  }));
}

async function matchGroup(
  [group, siteids]: Group,
  day: string,
  context: MatchingContext,
  { mayGoOn, most }: { readonly mayGoOn: MayGoOn; readonly most: number },
): Promise<void> {
  const { matchingResults } = context.discover;
  const throttle = createThrottle(mayGoOn);
  const answers = await readAskedAnswers(context);
  const all = await readIds(siteids, context, throttle);
  if (!all) return;
  for (const ids of divided(all, most)) {
    const participants = await readParticipants({ ids, siteids, answers }, context, throttle);
    const found = participants && (await matched(participants, context, throttle));
    if (!found) return;
    for (const some of chunks(found, batch.size)) {
      if (!(await mayGoOn())) return;
      await matchingResults.put(day, some);
      await pause(batch.pauseMs);
    }
  }
  await matchingResults.complete(group, day);
}

/**
 * Job: once a day, for each group of sites with a feed, computes the price of showing each member, so that no
 * member is shown to more than they can answer or to none, and the pairs of the day. An unfinished run is
 * repeated. Resolves with the number of groups that failed.
 */
export async function matchDay(
  context: MatchingContext,
  mayGoOn: MayGoOn = always,
  most = mostInMarket,
): Promise<number> {
  const day = utcDay(context.clock());
  const match = async (group: Group) => {
    if ((await context.discover.matchingResults.lastDay(group[0])) !== day)
      await matchGroup(group, day, context, { mayGoOn, most });
  };
  return eachPart(await groupsOf(context), match, {
    mayGoOn,
    logger: context.logger,
    left: 'the daily matching of a group of sites failed: will retry',
    about: ([group]) => ({ group }),
  });
}
