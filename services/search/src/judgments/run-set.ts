import { criterionByName } from '@covalence/contract/catalogue/criteria';
import { mapChunks } from '@covalence/runtime/chunks';
import { CommandError } from '@covalence/runtime/command-error';
import { isUnavailableError } from '@covalence/runtime/unavailable-error';
import { ranksBetween } from '../evaluation/moves.ts';
import { siteRelevance } from '../relevance/relevance-settings.ts';
import type { JudgmentSetEntry, SetSearch } from './judgment-set-store.ts';
import type { Run, RunResult } from './run-store.ts';
import type { Ranking } from '../searches/find-members.ts';
import type { SettingsChange } from '../settings/search-settings.ts';
import { hasGood, meanOf, measure, type Quality } from '../evaluation/metrics.ts';
import { runJudged, type JudgedTrial } from '../evaluation/run-judgments.ts';
import { membersIn } from '../evaluation/try-search.ts';
import { gradesOf, type JudgmentsContext } from './judgments.ts';

/** Dependencies of a run. */
type RunContext = Pick<JudgmentsContext, 'judgments' | 'index' | 'relations' | 'clock' | 'sites'>;

/** Searches that run at once, results of each that are kept, and ranks that are compared. */
const searchesAtOnce = 8;
export const keptResults = 50;
export const comparedRanks = 20;

/** The result of a search that ran now. */
type NewResult = RunResult & { readonly quality: Quality | null };

/** Runs one search. One that cannot run is no failure of the set: its searcher may have left. */
async function resultOf(
  { id, name, member, criteria, sortby }: SetSearch,
  grades: ReadonlyMap<number, number>,
  trial: JudgedTrial,
  context: RunContext,
): Promise<NewResult> {
  const about = { search: id, searcher: member, name };
  try {
    const matches = await runJudged({ name, member, criteria, sortby }, trial, context);
    const ids = matches.map((one) => one.id);
    const quality = hasGood(grades) ? measure(ids, grades) : null;
    return { ...about, quality, problem: null, found: ids.slice(0, keptResults) };
  } catch (error) {
    if (!(error instanceof CommandError) || isUnavailableError(error)) throw error;
    return { ...about, quality: null, problem: error.message, found: [] };
  }
}

/** The weights of the criteria in some searches, on a site. */
function weightsOf(searches: readonly SetSearch[], { relevance }: Ranking, siteid: number): Run['weights'] {
  const names = [...new Set(searches.flatMap(({ criteria }) => Object.keys(criteria)))].sort();
  const { weightOf } = siteRelevance(relevance, siteid);
  return Object.fromEntries(
    names.flatMap((name) => {
      const criterion = criterionByName(name);
      return criterion ? [[name, weightOf(criterion)] as const] : [];
    }),
  );
}

/** A set is run once at a time: each run takes as much of Elasticsearch as many members. */
export class IsRunning extends CommandError {
  constructor() {
    super('This set is being run: wait until that is done.');
  }
}

/** Runs every search of a set with some settings, measures the results and keeps them. Throws if the set is being run. */
export async function runSet(
  ...[set, settings, facts, context]: Parameters<typeof measureSet>
): Promise<Run> {
  const { sets } = context.judgments;
  if (!(await sets.beginRun(set.id))) throw new IsRunning();
  try {
    return await measureSet(set, settings, facts, context);
  } finally {
    await sets.endRun(set.id);
  }
}

async function measureSet(
  set: Pick<JudgmentSetEntry, 'id' | 'siteid'>,
  settings: Ranking,
  facts: Pick<Run, 'by' | 'note' | 'version' | 'index'> & { readonly change: SettingsChange | undefined },
  context: RunContext,
): Promise<Run> {
  const { judgments, index, relations, clock } = context;
  const [searches, ratings] = await Promise.all([
    judgments.sets.searches(set.id),
    judgments.sets.ratings(set.id),
  ]);
  const bySearch = gradesOf(ratings);
  // As a comparison does: results without those who block the searcher, beside ones with them, would name these.
  const readSearcher = (id: number) => relations.read(id, []);
  const members = membersIn(facts.index, index);
  const trial = { members, settings, now: clock(), readSearcher, outcomes: false };
  const results = await mapChunks(searches, searchesAtOnce, (search) =>
    resultOf(search, bySearch.get(search.id) ?? new Map(), trial, context),
  );
  const qualities = results.flatMap(({ quality }) => quality ?? []);
  const measured = qualities.length;
  const weights = weightsOf(searches, settings, set.siteid);
  const run = { ...facts, weights, measured, mean: measured ? meanOf(qualities) : null };
  return judgments.runs.add(set.id, run, results);
}

/**
 * The results of a run without members who block the searcher by now: beside a later run, they would stand out. Nobody is shown for
 * a searcher whose relations cannot be read, who has left.
 */
export async function shownResults(
  run: Run,
  { judgments, relations }: Pick<RunContext, 'judgments' | 'relations'>,
): Promise<RunResult[]> {
  const shownOf = async (result: RunResult): Promise<RunResult> => {
    try {
      const { excluded } = await relations.read(result.searcher, []);
      return { ...result, found: result.found.filter((id) => !excluded.includes(id)) };
    } catch (error) {
      if (isUnavailableError(error)) throw error;
      return { ...result, found: [] };
    }
  };
  return mapChunks(await judgments.runs.results(run.id), searchesAtOnce, shownOf);
}

/** Members whose rank changed, among the first of either run; null stands for a rank that was not kept. */
const movesOf = (before: readonly number[], after: readonly number[]) =>
  ranksBetween(before, after, comparedRanks).filter((one) => one.before !== one.after);

/** Compares what two runs found by each search; `before` are the metrics of the other one, without which nothing moved. */
export async function changesBetween(
  run: Run,
  other: Run | undefined,
  context: Pick<RunContext, 'judgments' | 'relations'>,
) {
  const [results, old] = await Promise.all([
    shownResults(run, context),
    other ? shownResults(other, context) : [],
  ]);
  const before = new Map(old.map((one) => [one.search, one]));
  return results.map(({ search, name, problem, quality, found }) => {
    const then = before.get(search);
    const moves = then ? movesOf(then.found, found) : [];
    return { search, name, problem, quality, before: then?.quality ?? null, moves };
  });
}
