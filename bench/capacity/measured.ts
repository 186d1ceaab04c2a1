import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { Result } from '../results.ts';
import { byComponent, callKinds, type CallKind } from './components.ts';

const amount = z.number().nonnegative();

/** Bytes of documents, and of the keys of their indexes, without compression. */
const stored = z.strictObject({ data: amount, index: amount });

/** When, and on what machine. */
const run = { at: z.string(), cores: amount, load: amount };

const points = z
  .array(z.strictObject({ members: amount, costs: byComponent }))
  .min(1)
  .max(2);

/** The result that `pnpm bench capacity --measure` saves. Times are processor time in ms, memory and storage are in bytes. */
const measuredSchema = z.strictObject({
  ...run,
  /** A call of each kind; at two numbers of members where it depends on them. */
  calls: z.record(z.enum(callKinds), points),
  /** Events of a call. */
  events: z.record(z.enum(callKinds), amount),
  /** One event in RabbitMQ: time, and bytes of its body. */
  event: z.strictObject({ rabbitmq: amount, bytes: amount }),
  /** Cores that nobody's calls use. */
  idle: byComponent,
  memory: byComponent,
  /** MongoDB, by what is stored. */
  mongodb: z.strictObject({
    member: stored,
    account: stored,
    pair: stored,
    view: stored,
    message: stored,
    signIn: stored,
  }),
  /** The index at two numbers of members. */
  index: z.array(z.strictObject({ members: amount, bytes: amount })).length(2),
  /** Redis, by a member of a day. */
  redis: amount,
  /** The files of one photo. */
  photo: amount,
  /** Memory of a socket in the gateway. */
  gatewaySocket: amount,
});

/** Measured values. */
export type Measured = z.output<typeof measuredSchema>;

/** Figures of other benchmarks, by name of the benchmark and of the figure. */
const figures = {
  /** Bytes of a socket in updates. */
  updatesSocket: ['sockets', 'memory of a socket, × bare', 1_024],
  /** Members that a rebuild of the index takes per second. */
  rebuild: ['search', 'rebuild, × 5,000 members/s', 1],
  /** Processor time of the daily matching of one member, ms. */
  matching: ['matching', 'processor time of prices, suggestions and pairs of 50,000 members', 1_000 / 50_000],
  /** Processor time of an updated member by alert, ms. */
  alert: ['alerts', 'processor time of an update with 100,000 alerts', 1 / 100_000],
  /** Events per second of one quorum queue. */
  queue: ['broker', 'events per second, one queue, × 4 by consistent hash', 1],
} as const;

/** Figures of other benchmarks. */
export type Figures = Readonly<Record<keyof typeof figures, number>>;

/** The load of `pnpm bench capacity --check` and what it used. */
const checkSchema = z.strictObject({
  ...run,
  members: amount,
  /** Seconds of the load, and its calls per second. */
  seconds: amount,
  rates: z.record(z.enum(callKinds), amount),
  /** Cores and bytes. */
  used: byComponent,
  memory: byComponent,
  memberBytes: amount,
  indexBytes: amount,
});

/** A measured point. */
export type Checked = z.output<typeof checkSchema>;

const folder = new URL('../results/', import.meta.url);
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));

/** The saved result of a benchmark. */
export const readResult = (name: string): Result => read(name) as Result;

/** Whether a benchmark has a saved result. */
export const hasResult = (name: string): boolean => existsSync(new URL(`${name}.json`, folder));

/** Saves measured values, or a point. */
export function save(name: 'capacity-measured' | 'capacity-check', value: Measured | Checked): void {
  mkdirSync(new URL('capacity/', folder), { recursive: true });
  writeFileSync(new URL(`capacity/${name}.json`, folder), `${JSON.stringify(value, null, 2)}\n`);
}

/** The saved values. */
export const readMeasured = (): Measured => measuredSchema.parse(read('capacity/capacity-measured'));

/** The saved point. */
export const readChecked = (): Checked => checkSchema.parse(read('capacity/capacity-check'));

function figure(name: keyof typeof figures): number {
  const [benchmark, what, unit] = figures[name];
  const { measured } = readResult(benchmark);
  const found = measured.find((each) => each.what === what);
  if (!found) throw new Error(`results/${benchmark}.json has no '${what}'`);
  return found.value * unit;
}

/** The saved figures of other benchmarks; throws if one is missing. */
export function readFigures(): Figures {
  return {
    updatesSocket: figure('updatesSocket'),
    rebuild: figure('rebuild'),
    matching: figure('matching'),
    alert: figure('alert'),
    queue: figure('queue'),
  };
}

/** A kind of call whose cost depends on the members of its market. */
export const growing: readonly CallKind[] = ['POST /searches', 'GET /discover'];
