import { startLoad, type Load, type LoadOptions } from './load/load.ts';
import { requestLimitMs } from './run-fault.ts';
import { startSystem, type System } from './system.ts';

/** Prints a line. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** What is told of the units themselves, whose last words may be long. */
const lineLength = 100;

/** Does the work on a system of its own under load, and ends both. */
export async function underLoad<Result>(
  load: Pick<LoadOptions, 'pairs' | 'seed' | 'everyMs'>,
  work: (system: System, load: Load) => Promise<Result>,
): Promise<Result> {
  const system = await startSystem((line) => print(`  ${line.slice(0, lineLength)}`));
  try {
    const started = await startLoad({
      base: system.url,
      demo: system.stack.demo,
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

/** Ends the process as the command says, which resolves with the exit code. */
export async function endAs(command: (args: readonly string[]) => Promise<number>): Promise<never> {
  return process.exit(
    await command(process.argv.slice(2)).catch((error: unknown) => {
      print(error instanceof Error ? error.message : String(error));
      return 1;
    }),
  );
}
