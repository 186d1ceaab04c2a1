import { setTimeout as wait } from 'node:timers/promises';
import type { LogEntry, PlanModule, Suite } from './suite.ts';

/** Longer than the longest: some wait for a minute until something has expired. */
const moduleMs = 150_000;
const pauseMs = 300;

/** The result of a module. */
export interface ModuleResult {
  readonly name: string;
  /** As the suite says: PASSED, SKIPPED, WARNING, REVIEW, FAILED; or UNFINISHED when it took too long. */
  readonly result: string;
  readonly seconds: number;
  readonly log: readonly LogEntry[];
}

/** Starts a run when it is ready and waits for its end; resolves with its result. */
async function finish(suite: Suite, id: string, limit: AbortSignal): Promise<string> {
  let isStarted = false;
  while (!limit.aborted) {
    const { status, result } = await suite.info(id);
    if (status === 'FINISHED' || status === 'INTERRUPTED') return result ?? 'UNKNOWN';
    if (status === 'CONFIGURED' && !isStarted) {
      isStarted = true;
      await suite.startRun(id);
    }
    await wait(pauseMs);
  }
  await suite.cancelRun(id);
  return 'UNFINISHED';
}

/** Runs one module of a plan to its end. */
export async function runModule(suite: Suite, plan: string, module: PlanModule): Promise<ModuleResult> {
  const begun = performance.now();
  const id = await suite.createRun(plan, module);
  const result = await finish(suite, id, AbortSignal.timeout(moduleMs));
  const seconds = Math.round((performance.now() - begun) / 1_000);
  return { name: module.testModule, result, seconds, log: await suite.log(id) };
}
