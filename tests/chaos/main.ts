import { startLoad } from './load/load.ts';
import { readChaosOptions } from './options.ts';
import { faultLine, keepFaults } from './report.ts';
import { requestLimitMs, runFault, type FaultResult } from './run-fault.ts';
import { startSystem } from './system.ts';

/** What is told of the units themselves, whose last words may be long. */
const lineLength = 100;

const print = (line: string) => process.stdout.write(`${line}\n`);

/** `pnpm chaos`: resolves with the exit code, 1 where anything did not hold. */
async function chaos(args: readonly string[]): Promise<number> {
  const { strikes, seconds, seed, pairs, isKept } = readChaosOptions(args);
  const system = await startSystem((line) => print(`  ${line.slice(0, lineLength)}`));
  const results: FaultResult[] = [];
  try {
    const load = await startLoad({
      base: system.url,
      demo: system.stack.demo,
      pairs,
      seed,
      everyMs: 800,
      limitMs: requestLimitMs,
    });
    try {
      for (const strike of strikes) {
        const result = await runFault(system, load, { ...strike, ms: seconds * 1_000 });
        results.push(result);
        print(faultLine(result));
        for (const problem of result.problems) print(`    ${problem}`);
      }
    } finally {
      await load.stop();
    }
  } finally {
    await system.stop();
  }
  const failed = results.filter(({ problems }) => problems.length).length;
  print(`${results.length} faults, ${failed} with problems`);
  if (isKept) await keepFaults(results, seconds);
  return failed ? 1 : 0;
}

process.exit(
  await chaos(process.argv.slice(2)).catch((error: unknown) => {
    print(error instanceof Error ? error.message : String(error));
    return 1;
  }),
);
