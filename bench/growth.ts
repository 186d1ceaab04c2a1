import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Benchmarks at other sizes with their environments. A million members take a quarter of an hour and more
 * memory for Elasticsearch.
 */
const runs: readonly (readonly [benchmark: string, environment: Readonly<Record<string, string>>])[] = [
  ['search', { BENCH_MEMBERS: '10000' }],
  ['search', { BENCH_MEMBERS: '1000000', ES_JAVA_OPTS: '-Xmx2g' }],
  ['sockets', { BENCH_SOCKETS: '1000' }],
  ['sockets', { BENCH_SOCKETS: '4000' }],
  ['sockets', { BENCH_PROCESSES: '2' }],
  ['sockets', { BENCH_PROCESSES: '4' }],
  ['sockets', { BENCH_SOCKETS: '10000', BENCH_PROCESSES: '1' }],
  ['sockets', { BENCH_SOCKETS: '30000', BENCH_PROCESSES: '3' }],
];

const main = fileURLToPath(new URL('main.ts', import.meta.url));

for (const [benchmark, environment] of runs) {
  process.stdout.write(`\n${benchmark} with ${Object.entries(environment).join(' ').replaceAll(',', '=')}\n`);
  const options = { env: { ...process.env, ...environment }, stdio: 'inherit' } as const;
  const { status } = spawnSync(process.execPath, [main, benchmark], options);
  if (status !== 0) process.exit(status ?? 1);
}
