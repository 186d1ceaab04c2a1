import { chunks } from '@covalence/runtime/chunks';
import { drawOf } from '@covalence/search/index/draws';
import { until } from '@covalence/testing/until';
import { setFlagsFromString } from 'node:v8';
import { engineTime } from './call-costs.ts';
import { effort } from './effort.ts';
import { engineUrl, say } from './engines.ts';
import { layoutFigures, oneShard, otherLayouts, sharded, type Layout } from './index-layouts.ts';
import { pace } from './load.ts';
import { measurement, median, type Measurement } from './measurement.ts';
import { rebuild } from './search.ts';
import { mixedOf, placeOf, startSearchSystem, type SearchSystem } from './search-system.ts';
import { call, rawQuery, searches, searchOf } from './searches.ts';
import { send } from './system.ts';

const layouts = [oneShard, ...otherLayouts];
const members = Math.min(sharded, effort.members);

/** Groups of sites, each with a fifth of the members: the largest market of the sizing. */
const markets = ['north', 'east', 'south', 'west', 'middle'] as const;
const marketOf = (number: number) => markets[number % markets.length] ?? markets[0];

const atOnce = 4;
const warmRounds = 2 * effort.warmRounds;
const rounds = 2 * effort.rounds - 1;
const seconds = 0.6 * effort.seconds;
const perRequest = 1_000;
/** Merges of segments after a bulk load. */
const mergeLimitMs = 120_000;

const elasticsearch = (path: string, init: RequestInit = {}) =>
  send(`${engineUrl('elasticsearch')}/${path}`, {
    headers: { 'content-type': 'application/json' },
    ...init,
  });

type Source = Readonly<Record<string, unknown>>;

/** The settings that an index is created with, and the documents of visible members in it. */
interface SourceIndex {
  readonly analysis: unknown;
  readonly mappings: unknown;
  readonly sources: readonly Source[];
}

/** Reads the index of a small system. */
async function readSourceIndex({ namespace }: SearchSystem): Promise<SourceIndex> {
  const alias = `${namespace}-members`;
  await elasticsearch(`${alias}/_refresh`, { method: 'POST' });
  const found = JSON.parse(await elasticsearch(alias)) as Record<
    string,
    { mappings: unknown; settings: { index: { analysis: unknown } } }
  >;
  const [index] = Object.values(found);
  if (!index) throw new Error(`there is no index ${alias}`);
  const query = encodeURIComponent('visible:true');
  const { hits } = JSON.parse(await elasticsearch(`${alias}/_search?size=10000&q=${query}`)) as {
    hits: { hits: readonly { _source: Source }[] };
  };
  const sources = hits.hits.map(({ _source }) => _source);
  return { analysis: index.settings.index.analysis, mappings: index.mappings, sources };
}

/** A variant of a member's document, of a market. */
function documentOf(sources: readonly Source[], number: number): Source {
  const [one, other] = mixedOf(sources, number);
  if (!one || !other) throw new Error('no members to vary');
  const { latitude: lat, longitude: lon } = placeOf(number);
  return {
    ...one,
    id: number,
    group: marketOf(number),
    draw: drawOf(number),
    position: { lat, lon },
    date_of_birth: other['date_of_birth'],
    traits: other['traits'],
  };
}

const indexOf = (prefix: string, { shards, isRouted }: Layout) =>
  `${prefix}-${shards}${isRouted ? '-routed' : ''}`;

async function create(prefix: string, layout: Layout, { analysis, mappings }: SourceIndex): Promise<void> {
  const settings = {
    number_of_shards: layout.shards,
    number_of_replicas: 0,
    refresh_interval: '-1',
    analysis,
  };
  const body = JSON.stringify({ settings, mappings });
  await elasticsearch(indexOf(prefix, layout), { method: 'PUT', body });
}

/** Writes the same documents to every index. */
async function fill(prefix: string, { sources }: SourceIndex): Promise<void> {
  for (const numbers of chunks(Array(members).keys(), perRequest)) {
    const documents = numbers.map((number) => [number + 1, JSON.stringify(documentOf(sources, number + 1))]);
    for (const layout of layouts) {
      const lines = documents.map(([id, text]) => {
        const routing = layout.isRouted ? { routing: marketOf(Number(id)) } : {};
        return `${JSON.stringify({ index: { _id: String(id), ...routing } })}\n${text}\n`;
      });
      const request = { method: 'POST', body: lines.join('') };
      const text = await elasticsearch(`${indexOf(prefix, layout)}/_bulk?filter_path=errors`, request);
      if (text !== '{"errors":false}') throw new Error(`a document was refused: ${text}`);
    }
  }
  await elasticsearch(`${prefix}-*/_refresh`, { method: 'POST' });
  await elasticsearch(`${prefix}-*/_flush`, { method: 'POST' });
  const merging = async () => {
    const { _all } = JSON.parse(await elasticsearch(`${prefix}-*/_stats/merge`)) as {
      _all: { total: { merges: { current: number } } };
    };
    return _all.total.merges.current === 0;
  };
  await until('the end of merges', merging, mergeLimitMs);
}

async function bytesOf(prefix: string, layout: Layout): Promise<number> {
  const { _all } = JSON.parse(await elasticsearch(`${indexOf(prefix, layout)}/_stats/store`)) as {
    _all: { primaries: { store: { size_in_bytes: number } } };
  };
  return _all.primaries.store.size_in_bytes;
}

/** The search of a turn, by a member of a market. */
const queryOf = (turn: number) => rawQuery(searchOf(turn), { group: marketOf(turn), worldPlusSites: [] });

function search(prefix: string, layout: Layout, turn: number, query: ReturnType<typeof rawQuery>) {
  const { parameters, body } = query;
  const routing = layout.isRouted ? `&routing=${marketOf(turn)}` : '';
  return call(
    `${engineUrl('elasticsearch')}/${indexOf(prefix, layout)}/_search?${parameters}${routing}`,
    body,
  );
}

/** Throws where a layout finds other members than one shard, or in another order. */
async function compareAnswers(prefix: string): Promise<void> {
  for (let turn = 0; turn < searches.length * markets.length; turn += 1) {
    const query = queryOf(turn);
    const found: string[] = [];
    for (const layout of layouts) {
      const { hits } = JSON.parse(await search(prefix, layout, turn, query)) as {
        hits: { total: unknown; hits?: readonly { sort: unknown }[] };
      };
      found.push(JSON.stringify([hits.total, hits.hits?.map(({ sort }) => sort)]));
    }
    const at = found.findIndex((text) => text !== found[0]);
    if (at >= 0) throw new Error(`${layouts[at]?.name} finds ${found[at]}, not ${found[0]}`);
  }
}

interface Outcome {
  readonly alone: number;
  readonly together: number;
  readonly time: number;
}

/** One after the other, then several at once: ms. */
async function load(prefix: string, layout: Layout): Promise<Outcome> {
  let turn = 0;
  const next = () => {
    turn += 1;
    return search(prefix, layout, turn, queryOf(turn));
  };
  const before = engineTime('elasticsearch');
  const alone = await pace(seconds, 1, next);
  const together = await pace(seconds, atOnce, next);
  return {
    alone: alone.p50,
    together: together.p99,
    time: (engineTime('elasticsearch') - before) / turn,
  };
}

/** Every layout in turns; outcomes by layout. */
async function loadInTurns(prefix: string, count: number): Promise<ReadonlyMap<Layout, Outcome[]>> {
  const outcomes = new Map<Layout, Outcome[]>(layouts.map((layout) => [layout, []]));
  for (let round = 0; round < count; round += 1)
    for (const [layout, some] of outcomes) some.push(await load(prefix, layout));
  return outcomes;
}

/** The index of a small system, whose mapping and documents the compared ones have. */
async function sourceIndex(): Promise<SourceIndex> {
  const system = await startSearchSystem(0, say);
  try {
    await rebuild(system);
    return await readSourceIndex(system);
  } finally {
    await system.stop();
  }
}

/** Measures searches of the same members on 1, 4 and 16 primary shards of one node. */
export async function benchShards(): Promise<readonly Measurement[]> {
  say(`shards: ${members} members on ${layouts.map(({ name }) => name).join(', ')} …`);
  // Full collections of this process would delay the measured searches.
  setFlagsFromString('--heap-growing-percent=1000');
  const from = await sourceIndex();
  const prefix = `bench-shards-${process.pid}`;
  try {
    for (const layout of layouts) await create(prefix, layout, from);
    await fill(prefix, from);
    await compareAnswers(prefix);
    say('shards: warming up …');
    await loadInTurns(prefix, warmRounds);
    say('shards: searches …');
    const outcomes = await loadInTurns(prefix, rounds);
    const of = (layout: Layout, pick: (outcome: Outcome) => number) =>
      median((outcomes.get(layout) ?? []).map(pick));
    const row = (layout: Layout, figure: keyof Outcome) =>
      measurement(
        layoutFigures[figure](layout),
        'ms',
        of(layout, (outcome) => outcome[figure]),
        of(oneShard, (outcome) => outcome[figure]),
      );
    const one = await bytesOf(prefix, oneShard);
    const rows = otherLayouts.map(async (layout) => [
      row(layout, 'alone'),
      row(layout, 'together'),
      row(layout, 'time'),
      measurement(layoutFigures.bytes(layout), 'MB', (await bytesOf(prefix, layout)) / 1e6, one / 1e6),
    ]);
    return (await Promise.all(rows)).flat();
  } finally {
    const all = layouts.map((layout) => indexOf(prefix, layout)).join(',');
    await elasticsearch(`${all}?ignore_unavailable=true`, { method: 'DELETE' });
  }
}
