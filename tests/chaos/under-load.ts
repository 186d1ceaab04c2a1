import { startLoad, type Load, type LoadOptions } from './load/load.ts';
import { requestLimitMs } from './run-fault.ts';
import { startSystem, type System, type SystemOptions } from './system.ts';

/** Prints a line. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Messages of units, which may be long. */
const lineLength = 100;

/** Runs work on a system under load, and stops both. */
export async function underLoad<Result>(
  load: Pick<LoadOptions, 'pairs' | 'seed' | 'everyMs'>,
  options: SystemOptions,
  work: (system: System, load: Load) => Promise<Result>,
): Promise<Result> {
  const system = await startSystem((line) => print(`  ${line.slice(0, lineLength)}`), options);
  try {
    const started = await startLoad({
      base: system.url,
      demo: system.stack.demo,
      outside: system.outside,
      limitMs: requestLimitMs,
      ...load,
    });
    try {
      return await work(system, started);
    } finally {
      await started.stop();
    }
  } finally {
    await system.stop();
  }
}

/** Exits with the code of a command. */
export async function endAs(command: (args: readonly string[]) => Promise<number>): Promise<never> {
  return process.exit(
    await command(process.argv.slice(2)).catch((error: unknown) => {
      print(error instanceof Error ? error.message : String(error));
      return 1;
    }),
  );
}
