import { errorText } from '@covalence/runtime/error-text';
import { setTimeout as wait } from 'node:timers/promises';

/** An engine or a service of the stack. */
export interface Unit {
  readonly name: string;
  /** Resolves with the reason when the present process ends by itself. */
  readonly exited: Promise<string>;
  /** Starts it again; resolves when it answers. */
  restart(): Promise<void>;
}

const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** A unit that ran this long starts over with the shortest pause. */
const settledMs = 60_000;

/** Tries until it runs; resolves with the last pause. Rejects when `stopped`. */
async function startAgain(
  unit: Unit,
  firstPause: number,
  say: (line: string) => void,
  stopped: AbortSignal,
): Promise<number> {
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPauseMs)) {
    await wait(pause, undefined, { signal: stopped });
    try {
      await unit.restart();
      say(`${unit.name} runs again`);
      return pause;
    } catch (error) {
      stopped.throwIfAborted();
      say(`${unit.name} did not start again: ${errorText(error)}`);
    }
  }
}

/**
 * Starts a unit again whenever it ends, after a pause that doubles while it keeps ending, until `stopped`; each time
 * with a line on the console. Rejects only when `stopped`.
 */
export async function keepRunning(
  unit: Unit,
  say: (line: string) => void,
  stopped: AbortSignal,
): Promise<never> {
  const halted = new Promise<never>((_, reject) => {
    stopped.addEventListener('abort', () => reject(stopped.reason as Error), { once: true });
  });
  let pause = firstPauseMs;
  for (;;) {
    const since = Date.now();
    const reason = await Promise.race([unit.exited, halted]);
    if (Date.now() - since > settledMs) pause = firstPauseMs;
    say(`${unit.name} ended: ${reason}. It is started again in ${pause / 1_000} s`);
    pause = Math.min(2 * (await startAgain(unit, pause, say, stopped)), longestPauseMs);
  }
}
