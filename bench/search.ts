import { newEvent } from '@covalence/events/new-event';
import { ofFile } from '@covalence/search/settings/search-settings';
import { until } from '@covalence/testing/until';
import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { run, timesOf } from './call-costs.ts';
import { effort } from './effort.ts';
import { engineUrl, say } from './engines.ts';
import type { Make } from './everyday-calls.ts';
import { inTurns, pace, type Pace } from './load.ts';
import { measurement, median, p99, sum, type Goal, type Measurement } from './measurement.ts';
import { connectPublisher } from './publisher.ts';
import { startSearchSystem, type SearchSystem } from './search-system.ts';
import { call, rawQuery, searches, searchOf, settings } from './searches.ts';
import type { BenchMember } from './system.ts';
import { withSearchTeam } from './search-team.ts';

const { seconds, warmUp } = effort;
const declined = Math.min(50_000, effort.members / 2);
const atOnce = 4;
/** A round has few searches for a p99. */
const rounds = 2 * effort.rounds - 1;
/** Elasticsearch compiles its hot code for about two minutes, and its scripts and filters even later. */
const warmRounds = 7;
const warmSearches = 3;

const indexOf = ({ namespace }: SearchSystem) => `${engineUrl('elasticsearch')}/${namespace}-members`;

/** Parallel searches for some seconds. */
async function round(duration: number, search: (turn: number) => Promise<unknown>): Promise<Pace> {
  let turn = 0;
  const run = (length: number) => pace(length, atOnce, () => search((turn += 1)));
  // The first second reopens connections.
  await run(Math.min(1, duration));
  return run(duration);
}

/** Searches through the gateway, and the same queries at Elasticsearch. */
async function againstRaw(system: SearchSystem, searchers: readonly BenchMember[]): Promise<Measurement[]> {
  const index = indexOf(system);
  const through = (turn: number) =>
    call(`${system.url}/searches`, searchOf(turn), searchers[turn % searchers.length]?.accessToken);
  const bare = (turn: number) => {
    const { parameters, body } = rawQuery(searchOf(turn));
    return call(`${index}/_search?${parameters}`, body);
  };
  const both = (duration: number, count: number) =>
    inTurns(
      () => round(duration, bare),
      () => round(duration, through),
      count,
    );
  await both(warmUp, warmRounds);
  const { own, reference } = await both(seconds, rounds);
  const costOf = async (search: Make) => {
    const times = await timesOf(system, () => run(search, 0, effort.calls));
    return sum([...times.values()]) / effort.calls;
  };
  const costs = await inTurns(
    () => costOf(bare),
    () => costOf(through),
  );
  const row = (what: string, unit: string, pick: (outcome: Pace) => number, goal?: Goal) =>
    measurement(`${what}, × the raw query`, unit, median(own.map(pick)), median(reference.map(pick)), goal);
  return [
    row('search p50', 'ms', ({ p50 }) => p50),
    row('search p99', 'ms', (one) => one.p99, 'ratio at most 1.5'),
    row('searches per second', '1/s', ({ perSecond }) => perSecond),
    measurement(
      'processor time of a search, × the raw query',
      'ms',
      median(costs.own),
      median(costs.reference),
      'ratio at most 2.2',
    ),
  ];
}

/** Searches by relevance, the only ones that are recorded, while every one is and while none is. */
async function withRecording(
  system: SearchSystem,
  searchers: readonly BenchMember[],
): Promise<Measurement[]> {
  const search = (turn: number) => {
    const body = { ...searchOf(turn), sortby: 'relevance' };
    return call(`${system.url}/searches`, body, searchers[turn % searchers.length]?.accessToken);
  };
  const load = (usage_sample: number) => async () => {
    await system.publish({ ...ofFile(settings), usage_sample });
    const before = await system.countRecorded();
    const outcome = await round(seconds, search);
    const isRecorded = (await system.countRecorded()) > before;
    if (isRecorded !== usage_sample > 0) throw new Error('the sample is not in force');
    return outcome;
  };
  const both = (count: number) => inTurns(load(0), load(1), count);
  await both(1);
  const { own, reference } = await both(effort.recordedRounds);
  // The feeds that follow need the settings of the file.
  await system.publish(null);
  const row = (what: string, pick: (outcome: Pace) => number, goal: Goal) => {
    const [recorded, not] = [own, reference].map((outcomes) => median(outcomes.map(pick)));
    return measurement(`${what} of a recorded search, × not recorded`, 'ms', recorded ?? 0, not ?? 0, goal);
  };
  return [row('p50', ({ p50 }) => p50, 'no goal'), row('p99', (one) => one.p99, 'ratio at most 1.05')];
}

/** Stores declines of a searcher by existing members, made some days ago. */
async function decline({ pairs, ids }: SearchSystem, { id }: BenchMember): Promise<void> {
  const made = Date.now() - 3 * 86_400_000;
  const documents = ids.slice(0, declined).map((other, index) => ({
    _id: `${Math.min(id, other)}:${Math.max(id, other)}`,
    low: Math.min(id, other),
    high: Math.max(id, other),
    version: made + index,
    low_side: { stance: 'declined', stance_at: new Date(made + index) },
    high_side: { stance: 'liked', stance_at: new Date(made) },
  }));
  for (let at = 0; at < documents.length; at += 5_000) {
    await pairs.insertMany(documents.slice(at, at + 5_000), { ordered: false });
  }
}

/** Sequential searches by a member: each call resolves with its ms. */
function searching({ url }: SearchSystem, { accessToken }: BenchMember): () => Promise<number> {
  let turn = 0;
  return async () => {
    const begun = performance.now();
    await call(`${url}/searches`, searchOf(turn++), accessToken);
    return performance.now() - begun;
  };
}

/** Searches of a member with many declines, and of one without any. */
async function withDeclines(
  system: SearchSystem,
  none: BenchMember,
  many: BenchMember,
): Promise<Measurement[]> {
  await decline(system, many);
  const run = (count: number) => inTurns(searching(system, none), searching(system, many), count);
  await run(warmSearches * effort.searches);
  const { own, reference } = await run(effort.searches);
  const what = `search with ${declined} declines, × with none`;
  return [
    measurement(`p50 of a ${what}`, 'ms', median(own), median(reference), 'ratio at most 1.1'),
    measurement(`p99 of a ${what}`, 'ms', p99(own), p99(reference)),
  ];
}

/** Pages of a feed: the first one of a day, which is drawn, and the others. */
function readingFeed({ url, feeds }: SearchSystem, { id, accessToken }: BenchMember, isDrawn: boolean) {
  let next: string | null = null;
  return async () => {
    if (isDrawn) await feeds.deleteOne({ _id: id });
    const begun = performance.now();
    const cursor: string = isDrawn || !next ? '' : `&cursor=${next}`;
    const text = await call(`${url}/discover?pagesize=20${cursor}`, null, accessToken);
    const took = performance.now() - begun;
    const page = JSON.parse(text) as { users: readonly unknown[]; next: string | null };
    if (!page.users.length) throw new Error('the feed is empty');
    ({ next } = page);
    return took;
  };
}

/** Feeds of a member with match criteria, and searches of the same member. */
async function withFeed(system: SearchSystem, member: BenchMember): Promise<Measurement[]> {
  const { sortby: _newest, ...criteria }: Record<string, unknown> = searches[1];
  await call(`${system.url}/members/self/criteria`, criteria, member.accessToken);
  const compare = async (what: string, isDrawn: boolean, goal: Goal) => {
    const run = (count: number) =>
      inTurns(searching(system, member), readingFeed(system, member, isDrawn), count);
    await run(warmSearches * effort.searches);
    const { own, reference } = await run(effort.searches);
    return [
      measurement(`p50 of ${what}, × a search`, 'ms', median(own), median(reference)),
      measurement(`p99 of ${what}, × a search`, 'ms', p99(own), p99(reference), goal),
    ];
  };
  return [
    ...(await compare('a page of the feed', false, 'ratio at most 1.5')),
    ...(await compare('the first page of a day', true, 'ratio at most 1.5')),
  ];
}

/** Runs `covalence index rebuild`, verification included. */
export async function rebuild({ environment: env }: Pick<SearchSystem, 'environment'>): Promise<Measurement> {
  const tool = fileURLToPath(new URL('../services/search/dist/covalence.js', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [tool, 'index', 'rebuild'], { env });
  const [, members, duration] = /(\d+) members in ([\d.]+) s/.exec(stdout) ?? [];
  if (!members || !duration) throw new Error(`the rebuild prints no rate: ${stdout}`);
  const rate = Number(members) / Number(duration);
  return measurement('rebuild, × 5,000 members/s', '1/s', rate, 5_000, 'at least 5,000');
}

/** Milliseconds from an event until a search sees the version of the member. */
async function untilSearchable(index: string, id: number, version: number, begun: number): Promise<number> {
  const body = { query: { term: { id } }, version: true, _source: false };
  const isThere = async () => {
    const text = await call(`${index}/_search`, body);
    const { hits } = JSON.parse(text) as { hits: { hits: { _version: number }[] } };
    return (hits.hits[0]?._version ?? 0) >= version;
  };
  await until(`version ${version} of member ${id} in the index`, isThere, 60_000);
  return performance.now() - begun;
}

/** Updates members at a fixed rate, in ten batches a second, and follows one member of each until it is searchable. */
async function lag(system: SearchSystem, perSecond: number, duration: number): Promise<Measurement[]> {
  const { members, ids, namespace } = system;
  const publisher = await connectPublisher(namespace);
  const followed: Promise<number>[] = [];
  const batch = perSecond / 10;
  const begun = performance.now();
  for (let turn = 0; turn < duration * 10; turn += 1) {
    await wait(Math.max(0, begun + turn * 100 - performance.now()));
    const some = Array.from({ length: batch }, (_, i) => ids[(turn * batch + i) % ids.length] ?? 0);
    const version = Date.now();
    const update = { $set: { version, 'fields.smoking': 10 } };
    const writes = some.map((_id) => ({ updateOne: { filter: { _id }, update } }));
    await members.bulkWrite(writes, { ordered: false });
    const at = performance.now();
    await Promise.all(
      some.map((member) =>
        publisher.publish(newEvent({ type: 'member.updated', member, version, at: new Date() })),
      ),
    );
    const sample = some.at(-1);
    if (sample) followed.push(untilSearchable(indexOf(system), sample, version, at));
  }
  const times = await Promise.all(followed);
  await publisher.close();
  const what = `event to searchable under ${perSecond} updates/s`;
  return [
    measurement(`${what}, p50, × 1,500 ms`, 'ms', median(times), 1_500),
    measurement(`${what}, p99, × 1,500 ms`, 'ms', p99(times), 1_500, 'at most 1,500 ms'),
  ];
}

/** Measures searches and indexing of a large population. */
export async function benchSearch(): Promise<readonly Measurement[]> {
  say(`search: starting with ${effort.members} members …`);
  // Full collections of this process would delay the measured searches.
  setFlagsFromString('--heap-growing-percent=1000');
  const system = await startSearchSystem(effort.members, say);
  try {
    const searchers: BenchMember[] = [];
    while (searchers.length < atOnce * 2) searchers.push(await system.register());
    const measured: Measurement[] = [];
    // Printed at once, because a run takes long.
    const add = (some: readonly Measurement[]) => {
      measured.push(...some);
      for (const { what, value, unit, ratio } of some) {
        say(`search: ${what}: ${value} ${unit}, ratio ${ratio}`);
      }
    };
    say('search: filling the index …');
    for (let round = 0; round < effort.warmRounds; round += 1) await rebuild(system);
    say('search: rebuild …');
    add([await rebuild(system)]);
    say('search: searches …');
    add(await againstRaw(system, searchers));
    say('search: recording …');
    add(await withRecording(system, searchers));
    say('search: judgment sets and comparisons …');
    add(await withSearchTeam(system));
    say('search: declines …');
    add(await withDeclines(system, await system.register(), await system.register()));
    say('search: feeds …');
    add(await withFeed(system, await system.register()));
    say('search: updates …');
    add(await lag(system, 500, 3 * seconds));
    return measured;
  } finally {
    await system.stop();
  }
}
