import { dayMs, weekMs, startOfUtcDay } from '@covalence/contract/time';
import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import { sumOf } from '@covalence/runtime/sum';
import type { Experiment, ExperimentStore, InForce, SettledWeek, WhyEnded } from './experiment-store.ts';
import { isDeepStrictEqual } from 'node:util';
import { weekOf } from './pseudonyms.ts';
import type { RecordedAction, UsageStore } from './usage-store.ts';
import { verdictOf } from './verdict.ts';

/** Actions up to the day after a search count. */
const attributionMs = 2 * dayMs;

/** Weeks of an experiment, the first of which may be a part of one. */
export const mostWeeks = 8;

const startOf = (week: number): Date => new Date(week * weekMs);

/** Days of a week that belong to an experiment: up to, and without, the last. */
function daysOf(week: number, { started, stopped }: Pick<Experiment, 'started' | 'stopped'>) {
  const from = Math.max(startOf(week).getTime(), startOfUtcDay(started).getTime());
  const end = stopped ? startOfUtcDay(stopped).getTime() + dayMs : Infinity;
  return { from: new Date(from), to: new Date(Math.min(startOf(week + 1).getTime(), end)) };
}

/** Weeks that are not stored yet, in their order, of which everything is known. */
function dueWeeks(experiment: Experiment, now: Date): number[] {
  const { started, stopped, weeks } = experiment;
  const first = weekOf(started) + weeks.length;
  const last = weekOf(stopped ?? now);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index).filter(
    (week) => now.getTime() >= daysOf(week, experiment).to.getTime() + attributionMs - dayMs,
  );
}

const counts = ({ action }: RecordedAction) => action === 'like' || action === 'reply';

/** Sums up the complete weeks of an experiment, and counts the searches that wait for the end of theirs. */
export async function resultOf(
  { name, started, weeks }: Pick<Experiment, 'name' | 'started' | 'weeks'>,
  store: Pick<UsageStore, 'countDrafted'>,
) {
  const { from } = daysOf(weekOf(started) + weeks.length, { started, stopped: null });
  const { wins, pValue } = verdictOf(weeks);
  return {
    searches: sumOf(weeks, ({ searches }) => searches),
    searchers: sumOf(weeks, ({ searchers }) => searchers),
    waiting: await store.countDrafted(name, from),
    wins,
    pValue,
  };
}

/** Counts the searchers of a week who liked and replied to more results of one team. */
async function judgeWeek(
  week: number,
  experiment: Experiment,
  store: Pick<UsageStore, 'searchesSince' | 'actionsSince'>,
): Promise<SettledWeek> {
  const { from, to } = daysOf(week, experiment);
  const scores = new Map<string, number>();
  const drafts = new Map<string, { searcher: string; day: Date; first: number; teams: string }>();
  for await (const { _id, searcher, day, first, draft } of store.searchesSince(from, {
    experiment: experiment.name,
    before: to,
  })) {
    if (!draft) continue;
    scores.set(searcher, 0);
    drafts.set(_id, { searcher, day, first, teams: draft.teams });
  }
  for await (const done of store.actionsSince(from)) {
    if (done.day.getTime() >= to.getTime() + attributionMs) break;
    const search = drafts.get(done.search);
    if (!search || !counts(done) || done.day.getTime() - search.day.getTime() >= attributionMs) continue;
    const team = search.teams[done.position - search.first];
    const score = scores.get(search.searcher) ?? 0;
    if (team) scores.set(search.searcher, score + (team === 'b' ? 1 : -1));
  }
  const all = [...scores.values()];
  return {
    week,
    searches: [...drafts.values()].filter(({ first }) => first === 1).length,
    searchers: all.length,
    a: all.filter((score) => score < 0).length,
    b: all.filter((score) => score > 0).length,
  };
}

/** Why a running experiment has to end; undefined if it goes on. */
function whyEnded(
  { better, started, against }: Experiment,
  inForce: InForce,
  now: Date,
): WhyEnded | undefined {
  if (better) return 'decided';
  if (!isDeepStrictEqual(against, inForce)) return 'settings';
  return weekOf(now) - weekOf(started) >= mostWeeks ? 'time' : undefined;
}

interface SettleContext {
  readonly store: Pick<UsageStore, 'searchesSince' | 'actionsSince'>;
  readonly experiments: ExperimentStore;
  readonly inForce: () => Promise<InForce>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Stores what is known of each experiment, from when on it stays as it is, and ends the running one when it has to. */
export async function settleExperiments({
  store,
  experiments,
  inForce,
  clock,
  logger,
}: SettleContext): Promise<void> {
  for (const found of await experiments.list()) {
    let experiment: Experiment | undefined = found;
    for (const week of dueWeeks(found, clock())) {
      if (!experiment) break;
      const settled = await judgeWeek(week, experiment, store);
      const { better } = verdictOf([...experiment.weeks, settled]);
      experiment = await experiments.settle(experiment, settled, experiment.better ?? better);
    }
    if (!experiment || experiment.stopped) continue;
    const why = whyEnded(experiment, await inForce(), clock());
    if (!why || !(await experiments.stop(experiment.name, why))) continue;
    logger.info({ experiment: experiment.name, why, better: experiment.better }, 'experiment ended');
  }
}
