import { dayMs } from './pseudonyms.ts';
import { dayOf, type RecordedAction, type UsageStore } from './usage-store.ts';
import type { Experiment } from './experiment-store.ts';
import { verdictOf, type Verdict } from './verdict.ts';

/** What was counted of an experiment. */
export interface Outcome extends Verdict {
  /** Drafts that were shown: pages of one search on one day count once. */
  readonly searches: number;
  /** Those of them on days of which everything is known. */
  readonly settled: number;
}

/** Actions up to the day after a search count, so that the outcome of a day does not change once a verdict has counted it. */
const settledMs = 2 * dayMs;

interface Unit {
  readonly day: Date;
  score: number;
}

const counts = ({ action }: RecordedAction) => action === 'like' || action === 'reply';

/** Counts the likes and replies of each team in the searches of an experiment. */
export async function judgeExperiment(
  { name, started }: Experiment,
  store: Pick<UsageStore, 'searchesSince' | 'actionsSince'>,
  now: Date,
): Promise<Outcome> {
  const since = dayOf(started);
  const units = new Map<string, Unit>();
  const searches = new Map<string, { readonly unit: Unit; readonly first: number; readonly teams: string }>();
  for await (const { _id, day, first, draft } of store.searchesSince(since, { experiment: name })) {
    if (!draft) continue;
    const unit = units.get(draft.unit) ?? { day, score: 0 };
    units.set(draft.unit, unit);
    searches.set(_id, { unit, first, teams: draft.teams });
  }
  for await (const done of store.actionsSince(since)) {
    const search = searches.get(done.search);
    if (!search || !counts(done)) continue;
    if (done.day.getTime() - search.unit.day.getTime() >= settledMs) continue;
    const team = search.teams[done.position - search.first];
    if (team) search.unit.score += team === 'b' ? 1 : -1;
  }
  const last = dayOf(now).getTime() - settledMs;
  // Days end in their order, and within a day the order is fixed: a later verdict only adds outcomes at the end.
  const settled = [...units]
    .filter(([, { day }]) => day.getTime() <= last)
    .sort(([one, { day }], [other, next]) => day.getTime() - next.day.getTime() || (one < other ? -1 : 1));
  const verdict = verdictOf(settled.map(([, { score }]) => score));
  return { ...verdict, searches: units.size, settled: settled.length };
}
