import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { size } from './effort.ts';
import type { Measurement } from './measurement.ts';

/** The result of a benchmark, as results/ stores it. */
export interface Result {
  readonly benchmark: string;
  /** UTC, to the minute. */
  readonly at: string;
  /** Sizes that differ from the usual ones, e.g. `{ members: 10000 }`. */
  readonly size: Readonly<Record<string, number>>;
  readonly machine: {
    readonly cores: number;
    /** GiB. */
    readonly memory: number;
    readonly node: string;
    /** Load average of the minute before the run. */
    readonly load: number;
  };
  readonly measured: readonly Measurement[];
}

const folder = new URL('results/', import.meta.url);

/** Runs a benchmark. */
export async function resultOf(
  benchmark: string,
  run: () => Promise<readonly Measurement[]>,
): Promise<Result> {
  const machine = {
    cores: availableParallelism(),
    memory: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    load: Number((loadavg()[0] ?? 0).toFixed(1)),
  };
  const at = `${new Date().toISOString().slice(0, 16)}Z`;
  return { benchmark, at, size, machine, measured: await run() };
}

/** Replaces the saved result of this benchmark and size: sockets.json, or growth/sockets-1000-sockets.json. Throws if nothing was measured. */
export function saveResult(result: Result): void {
  if (!result.measured.length) throw new Error(`${result.benchmark} measured nothing.`);
  const sizes = Object.entries(result.size).map(([what, count]) => `${count}-${what}`);
  const name = sizes.length ? `growth/${[result.benchmark, ...sizes].join('-')}` : result.benchmark;
  mkdirSync(new URL('growth/', folder), { recursive: true });
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(result, null, 2)}\n`);
}

/** The saved results, those of the usual size first. */
export const savedResults = (): Result[] =>
  ['./', 'growth/'].flatMap((under) => {
    const inside = new URL(under, folder);
    return readdirSync(inside)
      .filter((name) => name.endsWith('.json'))
      .toSorted()
      .map((name) => JSON.parse(readFileSync(new URL(name, inside), 'utf8')) as Result);
  });
