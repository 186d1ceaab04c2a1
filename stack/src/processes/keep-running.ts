import { errorText } from '@covalence/runtime/error-text';
import { setTimeout as wait } from 'node:timers/promises';

/** An engine or a service. */
export interface Unit {
  readonly name: string;
  /** Resolves with the reason when the current process ends by itself. */
  readonly exited: Promise<string>;
  /** Resolves when it answers again. */
  restart(): Promise<void>;
}

const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** A unit that ran this long is restarted after the first pause again. */
const settledMs = 60_000;

/** Retries until it runs; resolves with the last pause. Rejects when `stopped` aborts. */
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
      say(`${unit.name}: restarted`);
      return pause;
    } catch (error) {
      stopped.throwIfAborted();
      say(`${unit.name} could not be restarted: ${errorText(error)}`);
    }
  }
}

/** Restarts a unit whenever it ends, with exponential backoff, and reports it. Rejects when `stopped` aborts. */
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
    say(`${unit.name} ended: ${reason}. Restarting in ${pause / 1_000} s`);
    pause = Math.min(2 * (await startAgain(unit, pause, say, stopped)), longestPauseMs);
  }
}
