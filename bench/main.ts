import { mkdirSync, writeFileSync } from 'node:fs';
import { benchAuth } from './auth.ts';
import { benchGateway } from './gateway.ts';
import { benchInteractions } from './interactions.ts';
import { benchMembers } from './members.ts';
import type { Measurement } from './measurement.ts';
import { benchSearch } from './search.ts';
import { benchPhotos } from './photos.ts';
import { benchSockets } from './sockets.ts';

/** The benchmarks by name. */
const benchmarks: Readonly<Record<string, () => Promise<readonly Measurement[]>>> = {
  auth: benchAuth,
  gateway: benchGateway,
  interactions: benchInteractions,
  photos: benchPhotos,
  sockets: benchSockets,
  search: benchSearch,
  members: benchMembers,
};

/** Runs a benchmark, prints what came out beside what it is compared with, and keeps it in results/<name>.json. */
async function run(name: string): Promise<void> {
  const benchmark = benchmarks[name];
  if (!benchmark) throw new Error(`There is no benchmark '${name}': ${Object.keys(benchmarks).join(', ')}.`);
  const measured = await benchmark();
  const folder = new URL('results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(measured, null, 2)}\n`);
  process.stdout.write(`\n${name}\n`);
  for (const { what, unit, value, reference, ratio, goal } of measured) {
    const figures = `${value} ${unit}, reference ${reference} ${unit}, ratio ${ratio}`;
    process.stdout.write(`  ${what.padEnd(58)}${figures}  (${goal})\n`);
  }
}

const names = process.argv.slice(2);
for (const name of names.length ? names : Object.keys(benchmarks)) await run(name);
