import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import type { Measurement } from './measurement.ts';

/** What came out of a benchmark, when, and on what machine. */
export interface Result {
  readonly benchmark: string;
  /** UTC, to the minute. */
  readonly at: string;
  readonly machine: {
    readonly cores: number;
    /** GiB. */
    readonly memory: number;
    readonly node: string;
    /** Processes that wanted to run in the minute before it began; what was beside it makes latencies longer. */
    readonly load: number;
  };
  readonly measured: readonly Measurement[];
}

const folder = new URL('results/', import.meta.url);

/** Runs a benchmark and says what came out. */
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
  return { benchmark, at, machine, measured: await run() };
}

/** Keeps a result in results/<name>.json, in place of the last one of that benchmark. */
export function keepResult(result: Result): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(`${result.benchmark}.json`, folder), `${JSON.stringify(result, null, 2)}\n`);
}

/** The last result of each benchmark that was kept, by name. */
export function keptResults(): Result[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Result);
}
