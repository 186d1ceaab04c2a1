import { layoutFigures, oneShard, otherLayouts, sharded, type Layout } from '../index-layouts.ts';
import type { Measurement } from '../measurement.ts';
import type { Result } from '../results.ts';
import { hasResult, readResult, type Measured } from './measured.ts';
import { bytes, count, people, type Table } from './table.ts';

function figureOf({ benchmark, measured }: Result, what: string): Measurement {
  const found = measured.find((each) => each.what.startsWith(what));
  if (!found) throw new Error(`the results of ${benchmark} have no '${what}'`);
  return found;
}

/** Date and load of a measurement. */
const circumstances = ({ at, machine: { cores, load } }: Result) =>
  `${at.slice(0, 10)}, on ${cores} cores with a load average of ${load} before`;

/** The same members on 1, 4 and 16 primary shards of one node. */
export function shardTable(): Table {
  const result = readResult('shards');
  const cell = (layout: Layout, figure: keyof typeof layoutFigures) => {
    const of = layout === oneShard ? (otherLayouts[0] ?? layout) : layout;
    const { value, reference, ratio, unit } = figureOf(result, layoutFigures[figure](of));
    return layout === oneShard ? `${count(reference)} ${unit}` : `${count(value)} ${unit}, × ${count(ratio)}`;
  };
  return {
    title: 'Primary shards of the index',
    header: ['index', 'a search alone, p50', 'four at once, p99', 'Elasticsearch’s time of a search; size'],
    rows: [oneShard, ...otherLayouts].map((layout) => [
      layout.name,
      cell(layout, 'alone'),
      cell(layout, 'together'),
      `${cell(layout, 'time')}; ${cell(layout, 'bytes')}`,
    ]),
    notes: [
      `\`pnpm bench shards\`: ${people(sharded)} members of five markets on one node, ${circumstances(result)}; × is to one shard in the same run. Every layout finds the same members in the same order.`,
      'One shard stays the default until it is too large: each shard adds its own work to a search. Routing by group of sites (by market) saves that work. It is not built: with one shard it changes nothing, and members of World Plus are found from every group.',
    ],
  };
}

/** A measured number of sockets. */
const socketsOf = (result: Result) => ({
  sockets: result.size['sockets'] ?? 0,
  processes: result.size['processes'] ?? 0,
  kibibytes: figureOf(result, 'memory of a socket').value,
  opened: figureOf(result, 'sockets opened per second').value,
  heartbeats: figureOf(result, 'processor time of a second of heartbeats').value / 1_000,
  toAll: `${count(figureOf(result, 'one message to all sockets').value)} ms`,
});

/** Open sockets: two measured numbers, and a million. */
export function socketTable(
  few: Result,
  many: Result,
  { gatewaySocket, memory: ofProcess }: Pick<Measured, 'gatewaySocket' | 'memory'>,
): Table {
  const measured = [few, many].map(socketsOf);
  const million = { sockets: 1_000_000, processes: 100 };
  const [one, last] = [socketsOf(few), socketsOf(many)];
  const calculated = {
    ...million,
    kibibytes: last.kibibytes,
    opened: one.opened * million.processes,
    heartbeats: (last.heartbeats / last.sockets) * million.sockets,
    toAll: 'at most 20 sockets of a member',
  };
  return {
    title: 'Sockets',
    header: [
      'sockets, processes of updates',
      'memory of sockets: updates; gateway',
      'opened per second; until all are back',
      'cores of heartbeats; one message to all',
    ],
    rows: [...measured, calculated].map(({ sockets, processes, kibibytes, opened, heartbeats, toAll }) => [
      `${people(sockets)}, ${processes}`,
      `${bytes(sockets * kibibytes * 1_024)}; ${bytes(sockets * gatewaySocket)}`,
      `${count(opened)}; ${count(sockets / opened)} s`,
      `${count(heartbeats)}; ${toAll}`,
    ]),
    notes: [
      `\`BENCH_SOCKETS=10000 BENCH_PROCESSES=1 pnpm bench sockets\`, ${circumstances(few)}; the second row with \`BENCH_SOCKETS=30000 BENCH_PROCESSES=3\`, ${circumstances(many)}. Clients share the machine. The kernel’s memory is not counted, nor the ${bytes(ofProcess.updates)} of a process.`,
      'A million is calculated: memory and heartbeats of a socket are those of the second row, the rate is that of the first for each of 100 processes. 100 processes of the gateway need 1,000,000 files and connections to updates, too: tell apps to wait a random time before they connect again.',
    ],
  };
}

/** The table of sockets once both numbers were measured. */
export function readSocketTables(measured: Measured): Table[] {
  const names = ['growth/sockets-10000-sockets-1-processes', 'growth/sockets-30000-sockets-3-processes'];
  const [few, many] = names.every(hasResult) ? names.map(readResult) : [];
  return few && many ? [socketTable(few, many, measured)] : [];
}

/** Notes on one queue and several. */
export function queueNotes(): string[] {
  const result = readResult('broker');
  const rate = figureOf(result, 'events per second');
  const time = figureOf(result, 'processor time of an event');
  return [
    `\`pnpm bench broker\`, ${circumstances(result)}: one quorum queue confirmed ${count(rate.value)} events per second while they were consumed, four by consistent hash ${count(rate.reference)}; an event took ${count(time.value)} and ${count(time.reference)} ms of RabbitMQ. One node, so without replication.`,
    'Several queues for each consumer would need: an exchange `x-consistent-hash` for each, bound to the topic exchange by the patterns of its queue, which spreads events by member over N queues that every process consumes. To grow, declare and consume the new queues, then bind them; to shrink, unbind, wait until they are empty, delete. Nothing is lost, and what arrives out of order has no effect, because consumers compare versions or event ids.',
  ];
}
