import { writeFileSync } from 'node:fs';
import { benchAlerts } from './alerts.ts';
import { benchAuth } from './auth.ts';
import { benchBroker } from './broker.ts';
import { capacity } from './capacity/command.ts';
import { benchCosts } from './costs.ts';
import { drawGrowth, drawResults } from './charts.ts';
import { isQuick } from './effort.ts';
import { startBenchEngines } from './engines.ts';
import { benchGateway } from './gateway.ts';
import { benchInteractions } from './interactions.ts';
import { benchMatching } from './matching.ts';
import type { Measurement } from './measurement.ts';
import { benchMembers } from './members.ts';
import { benchPhotos } from './photos.ts';
import { resultOf, savedResults, saveResult, type Result } from './results.ts';
import { benchPush } from './push.ts';
import { benchQueue } from './queue.ts';
import { benchSearch } from './search.ts';
import { benchShards } from './shards.ts';
import { benchSockets } from './sockets.ts';
import { prepareShared, stopShared } from './system.ts';

const benchmarks: Readonly<Record<string, () => Promise<readonly Measurement[]>>> = {
  gateway: benchGateway,
  auth: benchAuth,
  interactions: benchInteractions,
  photos: benchPhotos,
  sockets: benchSockets,
  push: benchPush,
  search: benchSearch,
  shards: benchShards,
  alerts: benchAlerts,
  broker: benchBroker,
  members: benchMembers,
  costs: benchCosts,
  queue: benchQueue,
  matching: benchMatching,
};

/** The benchmark that only computes. */
const withoutEngines = 'matching';

const print = ({ benchmark, measured }: Result) => {
  process.stdout.write(`\n${benchmark}\n`);
  for (const { what, unit, value, reference, ratio, goal } of measured) {
    const figures = `${value} ${unit}, reference ${reference} ${unit}, ratio ${ratio}`;
    process.stdout.write(`  ${what.padEnd(58)}${figures}  (${goal})\n`);
  }
};

if (process.argv[2] === 'capacity') {
  await capacity(process.argv.slice(3));
  process.exit();
}

const names = process.argv.slice(2).filter((word) => word !== '--quick');
const selected = (names.length ? names : Object.keys(benchmarks)).map((name) => {
  const benchmark = benchmarks[name];
  if (!benchmark) throw new Error(`There is no benchmark '${name}': ${Object.keys(benchmarks).join(', ')}.`);
  return [name, benchmark] as const;
});
const engines = selected.some(([name]) => name !== withoutEngines) ? await startBenchEngines() : undefined;
try {
  if (selected.length > 1) prepareShared();
  for (const [name, benchmark] of selected) {
    const result = await resultOf(name, benchmark);
    print(result);
    if (!isQuick) saveResult(result);
  }
} finally {
  await stopShared();
  await engines?.stop();
}
if (!isQuick) {
  const results = savedResults();
  const docs = new URL('../docs/', import.meta.url);
  writeFileSync(new URL('figures.svg', docs), await drawResults(results));
  writeFileSync(new URL('growth.svg', docs), await drawGrowth(results));
}
