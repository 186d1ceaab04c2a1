import { always, doRound } from '@covalence/events/periodic';
import { jobsOf } from '../../src/background.ts';
import type { Context } from '../../src/context.ts';

/** Runs every job once. */
export async function runJobs(context: Context, mayGoOn = always): Promise<void> {
  const jobs = Object.entries(jobsOf(context));
  await Promise.all(jobs.map(([name, { work }]) => doRound(name, () => work(mayGoOn), context)));
}
