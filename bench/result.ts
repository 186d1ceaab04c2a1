import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { size } from './effort.ts';
import type { Measurement } from './measurement.ts';

/** What came out of a benchmark, when, and on what machine. */
export interface Result {
  readonly benchmark: string;
  /** UTC, to the minute. */
  readonly at: string;
  /** Sizes that were not the usual ones, by what they count: `{ members: 10000 }`. */
  readonly size: Readonly<Record<string, number>>;
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
  return { benchmark, at, size, machine, measured: await run() };
}

/** sockets.json, and growth/sockets-1000-sockets.json where the size was another. */
function nameOf({ benchmark, size }: Result): string {
  const sizes = Object.entries(size).map(([what, count]) => `${count}-${what}`);
  return sizes.length ? `growth/${[benchmark, ...sizes].join('-')}.json` : `${benchmark}.json`;
}

/** Keeps a result in results/, in place of the last one of that benchmark and size. */
export function keepResult(result: Result): void {
  mkdirSync(new URL('growth/', folder), { recursive: true });
  writeFileSync(new URL(nameOf(result), folder), `${JSON.stringify(result, null, 2)}\n`);
}

/** The last result of each benchmark and size that was kept, those of the usual size first. */
export function keptResults(): Result[] {
  return ['./', 'growth/'].flatMap((under) => {
    const inside = new URL(under, folder);
    return readdirSync(inside)
      .filter((name) => name.endsWith('.json'))
      .toSorted()
      .map((name) => JSON.parse(readFileSync(new URL(name, inside), 'utf8')) as Result);
  });
}

/** Whether a result is of the usual size. */
export const ofUsualSize = ({ size }: Result): boolean => Object.keys(size).length === 0;
