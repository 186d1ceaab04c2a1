import { newEvent } from '@covalence/events/new-event';
import { connectBroker } from '@covalence/events/broker';
import { createPublisher } from '@covalence/events/publisher';
import { createLogger } from '@covalence/runtime/logger';
import { createMetrics } from '@covalence/runtime/metrics';
import { until } from '@covalence/testing/until';
import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { request } from 'undici';
import { effort } from './effort.ts';
import { measurement, median, p99, type Goal, type Measurement } from './measurement.ts';
import { pace, type Pace } from './pace.ts';
import { pacedTimes } from './paced-load.ts';
import { rawQuery } from './raw-query.ts';
import { say } from './say.ts';
import { startSearchSystem, type Searcher, type SearchSystem } from './search-system.ts';

/** Members who can be found. */
const size = effort.members;

const declined = Math.min(50_000, size / 2);

/** Searches at once, seconds of a round, rounds of each kind; a round has few searches for a p99, so there are more than elsewhere. */
const load = { ...effort, atOnce: 4, rounds: 2 * effort.rounds - 1 };

/**
 * Rounds of both ways before it counts: for some two minutes Elasticsearch compiles what it then runs for days, in stretches of
 * 20 to 40 ms of a core for which the slowest searches wait.
 */
const warmUps = 7;

/** Searches of each member before those count, as many times as there are then: a script and its filter are compiled late. */
const warmSearches = 3;

/** What members ask for: the default order with a limit, and relevance with many criteria. */
const searches = [
  { age: { from: 30, to: 45 }, location: { within: 150 }, smoking: { values: [10] } },
  {
    age: { from: 28, to: 40 },
    location: { within: -1 },
    height: { from: 170, to: 190 },
    smoking: { values: [10, 20] },
    drinking: { values: [20, 30] },
    education: { values: [40, 50, 60] },
    sortby: 'relevance',
  },
  { age: { from: 25, to: 50 }, religion: { values: [40, 100] }, photo: { value: 'true' }, sortby: 'newest' },
] as const;

type Asked = (typeof searches)[number];

/**
 * Sends JSON and resolves with the text of the answer. Not fetch, and nobody reads what is in a page of results: the garbage of both
 * stopped this process for 30 ms about once a second, which counted as time of the searches.
 */
const post = async (url: string, body: object, token?: string): Promise<string> => {
  const { statusCode, body: answer } = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (statusCode !== 200) throw new Error(`${url}: ${statusCode} ${text}`);
  return text;
};

const middle = (outcomes: readonly Pace[], pick: (outcome: Pace) => number) => median(outcomes.map(pick));

const searchOf = (turn: number): Asked => searches[turn % searches.length] ?? searches[0];

/** Searches a second that come whether or not those before are answered: both ways have time left. */
const rates = [20, 40] as const;

type Search = (turn: number) => Promise<unknown>;

/** A round whose first second, or less in a short run, does not count: connections were closed while the other way had its turn. */
async function counted<Outcome>(
  seconds: number,
  run: (seconds: number) => Promise<Outcome>,
): Promise<Outcome> {
  await run(Math.min(1, seconds));
  return run(seconds);
}

/** Both ways at the same pace, in turns; the waiting of all rounds together, as a round has too few for a p99. */
async function atOnePace(perSecond: number, bare: Search, through: Search): Promise<Measurement[]> {
  const round = (search: Search) =>
    counted(load.seconds, (seconds) => pacedTimes(perSecond, seconds, search));
  const [ofRaw, ofOurs]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < load.rounds; turn += 1) {
    ofRaw.push(...(await round(bare)));
    ofOurs.push(...(await round(through)));
  }
  const what = (percentile: string) => `search ${percentile} at ${perSecond} a second, × the raw query`;
  return [
    measurement(what('p50'), 'ms', median(ofOurs), median(ofRaw), 'no goal'),
    measurement(what('p99'), 'ms', p99(ofOurs), p99(ofRaw), 'no goal'),
  ];
}

/** Searches through the gateway against the same queries sent to Elasticsearch itself, in turns. */
async function againstRaw(system: SearchSystem, searchers: readonly Searcher[]): Promise<Measurement[]> {
  const index = `${system.engines.elasticsearch}/${system.namespace}-members`;
  const through = (turn: number) =>
    post(`${system.url}/searches`, searchOf(turn), searchers[turn % searchers.length]?.token);
  const bare = (turn: number) => {
    const { parameters, body } = rawQuery(searchOf(turn));
    return post(`${index}/_search?${parameters}`, body);
  };
  const { atOnce, rounds, warmUp } = load;
  const round = (length: number, search: Search) => {
    let turn = 0;
    return counted(length, (seconds) => pace(seconds, atOnce, () => search((turn += 1))));
  };
  for (let rest = warmUps; rest > 0; rest -= 1) {
    await round(warmUp, bare);
    await round(warmUp, through);
  }
  const [ofRaw, ofOurs]: [Pace[], Pace[]] = [[], []];
  for (let rest = rounds; rest > 0; rest -= 1) {
    ofRaw.push(await round(load.seconds, bare));
    ofOurs.push(await round(load.seconds, through));
  }
  const row = (what: string, unit: string, pick: (outcome: Pace) => number, goal: Goal) =>
    measurement(`${what}, × the raw query`, unit, middle(ofOurs, pick), middle(ofRaw, pick), goal);
  const paced: Measurement[] = [];
  for (const rate of rates) paced.push(...(await atOnePace(rate, bare, through)));
  return [
    row('search p50', 'ms', ({ p50 }) => p50, 'no goal'),
    row('search p99', 'ms', (one) => one.p99, 'ratio at most 1.5'),
    row('searches per second', '1/s', ({ perSecond }) => perSecond, 'no goal'),
    ...paced,
  ];
}

/** Puts declines between a searcher and members there are, made some days ago. */
async function decline({ pairs, ids }: SearchSystem, { id }: Searcher, count: number): Promise<void> {
  const made = Date.now() - 3 * 86_400_000;
  const documents = ids.slice(0, count).map((other, index) => ({
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

/** A searcher with many declines beside one without any, search by search. */
async function withDeclines(system: SearchSystem, none: Searcher, many: Searcher): Promise<Measurement[]> {
  await decline(system, many, declined);
  const search = async ({ token }: Searcher, turn: number) => {
    const begun = performance.now();
    await post(`${system.url}/searches`, searchOf(turn), token);
    return performance.now() - begun;
  };
  const first = await search(many, 0);
  for (let turn = 0; turn < warmSearches * effort.searches; turn += 1)
    for (const one of [none, many]) await search(one, turn);
  const [ofNone, ofMany]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < effort.searches; turn += 1) {
    ofNone.push(await search(none, turn));
    ofMany.push(await search(many, turn));
  }
  const what = `search with ${declined} declines, × with none`;
  return [
    measurement(`p50 of a ${what}`, 'ms', median(ofMany), median(ofNone), 'ratio at most 1.1'),
    measurement(`p99 of a ${what}`, 'ms', p99(ofMany), p99(ofNone), 'no goal'),
    measurement('its first search, which keeps them, × others', 'ms', first, median(ofMany), 'no goal'),
  ];
}

/** `pnpm covalence index rebuild` as a process: members a second, all of it included. */
async function rebuild({ environment }: SearchSystem): Promise<Measurement> {
  const tool = fileURLToPath(new URL('../services/search/dist/covalence.js', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [tool, 'index', 'rebuild'], {
    env: environment,
  });
  const [, members, seconds] = /(\d+) members in ([\d.]+) s/.exec(stdout) ?? [];
  if (!members || !seconds) throw new Error(`the rebuild says: ${stdout}`);
  return measurement(
    'rebuild, × 5,000 members/s',
    '1/s',
    Number(members) / Number(seconds),
    5_000,
    'at least 5,000',
  );
}

/** An event that takes longer to be searchable was lost. */
const lostMs = 60_000;

/** Milliseconds from an event to the moment when a search sees the member's version. */
async function untilSearchable(index: string, id: number, version: number, begun: number): Promise<number> {
  const body = { query: { term: { id } }, version: true, _source: false };
  const isThere = async () => {
    const { hits } = JSON.parse(await post(index, body)) as { hits: { hits: { _version: number }[] } };
    return (hits.hits[0]?._version ?? 0) >= version;
  };
  await until(`version ${version} of member ${id} in the index`, isThere, lostMs);
  return performance.now() - begun;
}

/** Changes of members at a steady rate, each with its event; every 50th is followed until it is searchable. */
async function lag(system: SearchSystem, perSecond: number, seconds: number): Promise<Measurement[]> {
  const { members, ids, engines, namespace } = system;
  const logger = createLogger('bench', 'fatal');
  const broker = connectBroker({ url: engines.rabbitmq, namespace, logger });
  await until('the broker', () => broker.manager.isConnected());
  const publisher = createPublisher(broker, createMetrics('bench'));
  const index = `${engines.elasticsearch}/${namespace}-members/_search`;
  const followed: Promise<number>[] = [];
  const tick = perSecond / 10;
  const begun = performance.now();
  let sent = 0;
  for (let turn = 0; turn < seconds * 10; turn += 1) {
    const late = begun + turn * 100 - performance.now();
    if (late > 0) await wait(late);
    const some = Array.from({ length: tick }, (_, i) => ids[(sent + i) % ids.length] ?? 0);
    const version = Date.now();
    await members.bulkWrite(
      some.map((_id) => ({
        updateOne: { filter: { _id }, update: { $set: { version, 'fields.smoking': 10 } } },
      })),
      { ordered: false },
    );
    const at = performance.now();
    const events = some.map((member) =>
      publisher.publish(newEvent({ type: 'member.updated', member, version, at: new Date() })),
    );
    await Promise.all(events);
    const sample = some.at(-1);
    if (sample) followed.push(untilSearchable(index, sample, version, at));
    sent += tick;
  }
  const rate = sent / ((performance.now() - begun) / 1_000);
  const times = await Promise.all(followed);
  await publisher.close();
  await broker.close();
  const what = `event to searchable under ${perSecond} updates/s`;
  return [
    measurement('updates made meanwhile, × asked for', '1/s', rate, perSecond, 'no goal'),
    measurement(`${what}, p50, × 1,500 ms`, 'ms', median(times), 1_500, 'no goal'),
    measurement(`${what}, p99, × 1,500 ms`, 'ms', p99(times), 1_500, 'at most 1,500 ms'),
  ];
}

/** Measures searches of a large population, from the gateway to the engine and back, and the index behind them. */
export async function benchSearch(): Promise<readonly Measurement[]> {
  say(`search: starting with ${size} members …`);
  // Each collection of this process' whole heap is time of the searches that it measures, and with their pages it makes one a second.
  setFlagsFromString('--heap-growing-percent=1000');
  const system = await startSearchSystem(size, say);
  try {
    const searchers: Searcher[] = [];
    for (let one = 0; one < load.atOnce * 2; one += 1) searchers.push(await system.register());
    const measured: Measurement[] = [];
    // Told as they come: who ends such a long run early has what it found.
    const add = (some: readonly Measurement[]) => {
      measured.push(...some);
      for (const { what, value, unit, ratio } of some)
        say(`search: ${what}: ${value} ${unit}, ratio ${ratio}`);
    };
    // The first one fills the index of an engine that was started a moment ago and translates its code meanwhile.
    say('search: filling the index …');
    for (let round = 0; round < effort.warmRounds; round += 1) await rebuild(system);
    say('search: rebuild …');
    add([await rebuild(system)]);
    say('search: searches …');
    add(await againstRaw(system, searchers));
    say('search: declines …');
    const [none, many] = [await system.register(), await system.register()];
    add(await withDeclines(system, none, many));
    say('search: updates …');
    add(await lag(system, 500, 3 * effort.seconds));
    return measured;
  } finally {
    await system.stop();
  }
}
