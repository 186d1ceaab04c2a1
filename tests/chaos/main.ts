import { readChaosOptions } from './options.ts';
import { faultLine, keepFaults } from './report.ts';
import { runFault, type FaultResult } from './run-fault.ts';
import { endAs, print, underLoad } from './under-load.ts';

/** `pnpm chaos`: resolves with exit code 1 if a check failed. */
async function chaos(args: readonly string[]): Promise<number> {
  const { strikes, seconds, seed, pairs, form, isKept } = readChaosOptions(args);
  const results: FaultResult[] = [];
  /** Problems of former faults: what is lost once is missing in all later checks. */
  const reported = new Set<string>();
  // Only elections need the pretended replica set: other faults show what one server of MongoDB does.
  for (const hasElections of [false, true]) {
    const some = strikes.filter(({ fault }) => (fault === 'elect') === hasElections);
    if (!some.length) continue;
    await underLoad({ pairs, seed, everyMs: 800 }, { ...form, hasElections }, async (system, load) => {
      for (const strike of some) {
        const found = await runFault(system, load, { ...strike, ms: seconds * 1_000 });
        const isNew = (problem: string) => !reported.has(problem);
        const result = {
          ...found,
          problems: found.problems.filter(isNew),
          announced: found.announced.filter(isNew),
        };
        for (const problem of [...found.problems, ...found.announced]) reported.add(problem);
        results.push(result);
        print(faultLine(result));
        for (const problem of result.problems) print(`    ${problem}`);
        for (const gap of result.announced) print(`    announced: ${gap}`);
      }
    });
  }
  const failed = results.filter(({ problems }) => problems.length).length;
  print(`${results.length} faults, ${failed} with problems`);
  if (isKept) keepFaults(results, form);
  return failed ? 1 : 0;
}

await endAs(chaos);
