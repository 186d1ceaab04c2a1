import { criterionByName } from '@covalence/contract/catalogue/criteria';
import { always, type MayGoOn } from '@covalence/events/periodic';
import { chunks } from '@covalence/runtime/chunks';
import { once } from 'node:events';
import { extname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { candidateOf } from '../alerts/alert-tests.ts';
import type { VisibleSource } from '../index/member-document.ts';
import { idOf } from '../relevance/read-hits.ts';
import { siteRelevance } from '../relevance/relevance-settings.ts';
import { activeDays, chanceOfPresence } from './chances.ts';
import { dayOf, type DiscoverContext } from './discover.ts';
import type { MarketInput, MarketOutput } from './market-worker.ts';
import { samplePairs, type Participant } from './sample-pairs.ts';
import { wishesOf } from './wishes.ts';

/** Members read and written at once, and the pause after them, ms. */
const batch = { size: 500, pauseMs: 20 };

const dayMs = 86_400_000;

/** What is read of a member beside the answers. */
const columns = [
  'siteid',
  'gender',
  'gender_preference',
  'date_of_birth',
  'zodiac',
  'joined',
  'last_seen',
  'answer_rate',
  'position',
  'country',
  'state',
  'zip',
  'platinum_until',
] as const satisfies readonly (keyof VisibleSource)[];

/** A member as read: without answers, if none of them is asked for. */
type ReadSource = Omit<VisibleSource, 'traits'> & Partial<Pick<VisibleSource, 'traits'>>;

/** The answers that anybody's match criteria are compared with: the others need no memory. */
async function askedAnswers({ saved }: DiscoverContext): Promise<string[]> {
  const asked = [...(await saved.matchCriteria.names())].map(criterionByName);
  return asked.flatMap((one) => (one?.field && !one.text ? [`traits.${one.field}`] : []));
}

/** The groups of sites that have a feed, with those sites. */
const groupsOf = ({ sites, searches }: DiscoverContext) =>
  Map.groupBy(
    [...sites.values()].filter(({ siteid }) => siteRelevance(searches.relevance, siteid).discover),
    ({ group }) => group,
  );

/** The members of some sites who were there lately. Undefined where it may not go on. */
async function readParticipants(
  siteids: readonly number[],
  context: DiscoverContext,
  mayGoOn: MayGoOn,
): Promise<Participant[] | undefined> {
  const { index, saved, sites, searches } = context;
  const now = context.clock();
  const since = new Date(now.getTime() - activeDays * dayMs).toISOString();
  const filter = [
    { term: { visible: true } },
    { terms: { siteid: [...siteids] } },
    { range: { last_seen: { gte: since } } },
  ];
  const answers = await askedAnswers(context);
  const participants: Participant[] = [];
  for (let after: number[] | undefined; ;) {
    const { hits } = await index.members.search({
      query: { bool: { filter } },
      size: batch.size,
      sort: [{ id: 'asc' }],
      _source: [...columns, ...answers],
      ...(after && { search_after: after }),
    });
    const ids = hits.map(idOf);
    const wanted = await saved.matchCriteria.readMany(ids);
    for (const [at, hit] of hits.entries()) {
      const id = ids[at] ?? 0;
      const read = hit._source as ReadSource;
      const source = { ...read, id, keywords: [], traits: read.traits ?? {} };
      const { gender, gender_preference: preference, position } = source;
      participants.push({
        id,
        gender,
        preference,
        position,
        candidate: candidateOf(source, now),
        wishes: wishesOf(source, wanted.get(id) ?? {}, {
          sites,
          relevance: searches.relevance,
          now,
        }),
        presence: chanceOfPresence(source, now),
      });
    }
    if (ids.length < batch.size) return participants;
    if (!(await mayGoOn())) return undefined;
    await pause(batch.pauseMs);
    after = ids.slice(-1);
  }
}

/** Computes prices and pairs in a thread of its own, because that takes seconds. */
async function solve(input: MarketInput): Promise<MarketOutput> {
  const file = new URL(`./market-worker${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(file, { workerData: input });
  const [output] = (await once(worker, 'message')) as [MarketOutput];
  await worker.terminate();
  return output;
}

async function matchGroup(
  group: string,
  siteids: readonly number[],
  day: string,
  context: DiscoverContext,
  mayGoOn: MayGoOn,
): Promise<void> {
  const { standings } = context.saved;
  const participants = await readParticipants(siteids, context, mayGoOn);
  const pairs = participants && (await samplePairs(participants, mayGoOn));
  if (!pairs) return;
  const capacity = Float64Array.from(participants, ({ presence }) => presence);
  const solved = await solve({ members: participants.length, pairs, capacity });
  const pairOf = new Map(
    solved.pairs.flatMap(
      ({ one, other }) =>
        [
          [one, other],
          [other, one],
        ] as const,
    ),
  );
  // Nothing is known of the price of a member who may meet nobody.
  const met = new Set([pairs.one, pairs.other].flatMap((numbers) => Array.from(numbers)));
  const all = [...met].map((number) => ({
    member: participants[number]?.id ?? 0,
    price: solved.prices[number] ?? 0,
    pair: participants[pairOf.get(number) ?? -1]?.id,
  }));
  for (const some of chunks(all, batch.size)) {
    if (!(await mayGoOn())) return;
    await standings.put(day, some);
    await pause(batch.pauseMs);
  }
  await standings.complete(group, day);
}

/**
 * Job: once a day, for each group of sites with a feed, computes what it costs to show each member, so that nobody is shown to more than
 * they can answer and nobody to no one, and the pairs of the day. What it began and could not finish is done again.
 */
export async function matchDay(context: DiscoverContext, mayGoOn: MayGoOn = always): Promise<void> {
  const day = dayOf(context.clock());
  for (const [group, sites] of groupsOf(context)) {
    if ((await context.saved.standings.lastDay(group)) === day) continue;
    const siteids = sites.map(({ siteid }) => siteid);
    await matchGroup(group, siteids, day, context, mayGoOn);
  }
}
