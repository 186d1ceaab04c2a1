import { writeFileSync } from 'node:fs';
import { benchAuth } from './auth.ts';
import { drawResults } from './chart.ts';
import { drawGrowth } from './growth-chart.ts';
import { kept } from './effort.ts';
import { startBenchEngines } from './engines.ts';
import { benchGateway } from './gateway.ts';
import { benchInteractions } from './interactions.ts';
import { benchMembers } from './members.ts';
import type { Measurement } from './measurement.ts';
import { benchPhotos } from './photos.ts';
import { keepResult, keptResults, ofUsualSize, resultOf, type Result } from './result.ts';
import { benchSearch } from './search.ts';
import { benchSockets } from './sockets.ts';
import { prepareShared, stopShared } from './system.ts';

/** The benchmarks by name. */
const benchmarks: Readonly<Record<string, () => Promise<readonly Measurement[]>>> = {
  gateway: benchGateway,
  auth: benchAuth,
  interactions: benchInteractions,
  photos: benchPhotos,
  sockets: benchSockets,
  search: benchSearch,
  members: benchMembers,
};

const print = ({ benchmark, measured }: Result) => {
  process.stdout.write(`\n${benchmark}\n`);
  for (const { what, unit, value, reference, ratio, goal } of measured) {
    const figures = `${value} ${unit}, reference ${reference} ${unit}, ratio ${ratio}`;
    process.stdout.write(`  ${what.padEnd(58)}${figures}  (${goal})\n`);
  }
};

/** The benchmarks that the command line asks for, all where it names none. */
function asked(): [string, () => Promise<readonly Measurement[]>][] {
  const names = process.argv.slice(2).filter((word) => word !== '--quick');
  return (names.length ? names : Object.keys(benchmarks)).map((name) => {
    const benchmark = benchmarks[name];
    if (!benchmark)
      throw new Error(`There is no benchmark '${name}': ${Object.keys(benchmarks).join(', ')}.`);
    return [name, benchmark];
  });
}

const wanted = asked();
const engines = await startBenchEngines();
try {
  if (wanted.length > 1) prepareShared();
  for (const [name, benchmark] of wanted) {
    const result = await resultOf(name, benchmark);
    print(result);
    if (kept) keepResult(result);
  }
} finally {
  await stopShared();
  await engines.stop();
}
if (kept) {
  const results = keptResults();
  const docs = new URL('../docs/', import.meta.url);
  writeFileSync(new URL('figures.svg', docs), await drawResults(results.filter(ofUsualSize)));
  writeFileSync(new URL('growth.svg', docs), await drawGrowth(results));
}
